package fakemodel

import (
	"slices"
	"strings"
	"testing"
)

// TestNewsAreWhatCameAfterTheModel, on every wire: results and messages since it last spoke.
func TestNewsAreWhatCameAfterTheModel(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"anthropic": {`{"system":[{"type":"text","text":"sys"}],"messages":[
			{"role":"user","content":"do it"},
			{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"out"}],"is_error":true},{"type":"text","text":"more"}]},
			{"role":"system","content":"context"}]}`, []string{"out\nmore", "context"}},
		"responses": {`{"instructions":"sys","input":[
			{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]},
			{"type":"function_call","call_id":"c1","name":"sh","arguments":"{\"cmd\":\"ls\"}"},
			{"type":"message","role":"developer","content":[{"type":"input_text","text":"context"}]},
			{"type":"function_call_output","call_id":"c1","output":"out"}]}`, []string{"context", "out"}},
		"responses, patch": {`{"input":[{"type":"custom_tool_call","name":"apply_patch","input":"x"},{"type":"custom_tool_call_output","output":"A y"}]}`, []string{"A y"}},
		"chat": {`{"messages":[{"role":"system","content":"sys"},{"role":"user","content":"do it"},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":{"name":"sh","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"c1","content":"a \"b\"\n"},{"role":"user","content":[{"type":"text","text":"again"}]}]}`, []string{"a \"b\"\n", "again"}},
		"gemini": {`{"systemInstruction":{"parts":[{"text":"sys"}]},"contents":[{"role":"user","parts":[{"text":"do it"}]},
			{"role":"model","parts":[{"functionCall":{"name":"sh","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"id":"1","name":"sh","response":{"output":"out"}}}]}]}`, []string{"sh\nout"}},
		"the first":    {`{"messages":[{"role":"user","content":"do it"}]}`, []string{"do it"}},
		"nothing":      {`{"messages":[{"role":"assistant","content":"x"}]}`, nil},
		"not a list":   {`{"input":"do it"}`, nil},
		"not JSON":     {`{`, nil},
		"not a object": {`[1]`, nil},
	} {
		r := Request{Body: []byte(c.body)}
		if got := r.News(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTextLeavesDefinitionsAndLabelsOut(t *testing.T) {
	r := Request{Body: []byte(`{"model":"secret-model","system":"sys","tools":[{"name":"Bash","description":"runs"}],
		"messages":[{"role":"user","content":[{"type":"text","text":"hello <b> \u00e4"}]}]}`)}
	if got := r.Text(); got != "sys\nhello <b> ä" {
		t.Errorf("got %q", got)
	}
	if !r.Contains("<b> ä") || r.Contains("runs") {
		t.Error("Contains looks at something else than Text")
	}
	if got := r.Tools(); !slices.Equal(got, []string{"Bash"}) {
		t.Errorf("tools %q", got)
	}
}

func TestToolsOfEveryWire(t *testing.T) {
	r := Request{Body: []byte(`{"tools":[{"name":"b"},{"function":{"name":"a"}},{"functionDeclarations":[{"name":"c"},{"name":"a"}]},{"googleSearch":{}}]}`)}
	if got := strings.Join(r.Tools(), " "); got != "a b c" {
		t.Errorf("got %q", got)
	}
}
