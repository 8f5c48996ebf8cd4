package fakemodel

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func translateForTest(a Action) (ToolCall, error) {
	switch a.Verb {
	case VerbShell:
		return Raw("sh", map[string]string{"cmd": a.Command}).Call, nil
	case VerbPatch:
		return ToolCall{Name: "apply_patch", Free: a.Patch}, nil
	}
	return ToolCall{}, errors.New("no such tool")
}

func serverForTest(t testing.TB, script Script) *Server {
	t.Helper()
	s, err := New(script, translateForTest)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// post sends a body and returns the status and the answer.
func post(s *Server, path, body string) (int, string) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// wires are one main request of each wire.
var wires = []struct {
	name, path, body, side string
	stream                 bool
}{
	{"anthropic", "/v1/messages?beta=true", `{"model":"m","stream":true,"messages":[],"tools":[{"name":"sh"}]}`, `{"model":"m","stream":true,"messages":[]}`, true},
	{"responses", "/v1/responses", `{"model":"m","stream":true,"input":[],"tools":[{"type":"function","name":"sh"}]}`, `{"model":"m","input":[],"tools":[]}`, true},
	{"chat", "/v1/chat/completions", `{"model":"m","stream":true,"messages":[],"tools":[{"type":"function","function":{"name":"sh"}}]}`, `{"model":"m","stream":true,"messages":[]}`, true},
	{"gemini", "/v1beta/models/g:streamGenerateContent?alt=sse", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"sh"}]}]}`, `{"contents":[]}`, true},
	{"anthropic-whole", "/v1/messages", `{"messages":[],"tools":[{"name":"sh"}]}`, `{"messages":[]}`, false},
	{"responses-whole", "/v1/responses", `{"input":[],"tools":[{"type":"custom","name":"apply_patch"}]}`, `{"input":[]}`, false},
	{"chat-whole", "/openai/chat/completions", `{"messages":[],"tools":[{"function":{"name":"sh"}}]}`, `{"messages":[]}`, false},
	{"gemini-whole", "/v1beta/models/g:generateContent", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"sh"}]}]}`, `{"contents":[]}`, false},
}

// TestWiresAreSpokenAsRecorded holds every wire to what the agents' clients were seen to accept.
func TestWiresAreSpokenAsRecorded(t *testing.T) {
	script := Script{
		{Text: "I look <first> & then act.", Calls: []Action{Shell("echo 'a \"b\"' > c && true"), Raw("Read", map[string]any{"n": 1})}},
		Call(Patch("*** Begin Patch\n*** End Patch\n")),
		Say("Done."),
	}
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := serverForTest(t, script)
			var out strings.Builder
			for range 4 { // one more than the script has
				code, answer := post(s, w.path, w.body)
				if code != http.StatusOK {
					t.Fatalf("status %d: %s", code, answer)
				}
				out.WriteString(answer + "----\n")
			}
			golden(t, w.name, out.String())
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the wire changed; got\n%s\nwant\n%s", got, want)
	}
}

// TestSideRequestsConsumeNoTurn is the law that keeps scripts in step with agents.
func TestSideRequestsConsumeNoTurn(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := serverForTest(t, Script{Say("first"), Say("second")})
			for _, path := range []string{w.path, "/v1/messages/count_tokens", "/v1beta/models/g:countTokens", "/v1/responses/compact"} {
				if code, answer := post(s, path, w.side); code != http.StatusOK || strings.Contains(answer, "first") {
					t.Fatalf("a side request to %s got %d %s", path, code, answer)
				}
			}
			if _, answer := post(s, w.path, w.body); !strings.Contains(answer, "first") {
				t.Errorf("the first main request got %s", answer)
			}
			post(s, w.path, w.side)
			if _, answer := post(s, w.path, w.body); !strings.Contains(answer, "second") {
				t.Errorf("the second main request got %s", answer)
			}
			if _, answer := post(s, w.path, w.body); !strings.Contains(answer, Epilogue) {
				t.Errorf("past the end: %s", answer)
			}
			main := s.Requests()
			if len(main) != 3 || main[0].Turn != 0 || main[1].Turn != 1 || main[2].Turn != -1 {
				t.Errorf("kept %+v", main)
			}
			if len(s.All()) != 8 {
				t.Errorf("kept %d requests of 8", len(s.All()))
			}
		})
	}
}

// TestAnAnswerInAFormIsSmallAndValid: classifiers and routers ask for JSON of a schema, with tools or not.
func TestAnAnswerInAFormIsSmallAndValid(t *testing.T) {
	s := serverForTest(t, Script{Say("first")})
	schema := `{"type":"object","properties":{"next_speaker":{"type":"STRING","enum":["user","model"]},"why":{"type":["string","null"]},"n":{"type":"INTEGER"},"list":{"type":"array"}}}`
	for path, body := range map[string]string{
		"/v1/chat/completions":             `{"tools":[{"function":{"name":"x"}}],"response_format":{"type":"json_schema","json_schema":{"schema":` + schema + `}}}`,
		"/v1beta/models/g:generateContent": `{"tools":[{"functionDeclarations":[{"name":"x"}]}],"generationConfig":{"responseSchema":` + schema + `}}`,
		"/v1/responses":                    `{"tools":[{"name":"x"}],"text":{"format":{"type":"json_schema","schema":` + schema + `}}}`,
		"/v1/messages":                     `{"tools":[{"name":"x"}],"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}}`,
	} {
		_, answer := post(s, path, body)
		if want := `{\"list\":[],\"n\":0,\"next_speaker\":\"user\",\"why\":\"scripted\"}`; !strings.Contains(answer, want) {
			t.Errorf("%s: %s", path, answer)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d of them consumed a turn", n)
	}
}

func TestUnknownPathsAreKeptAndRefused(t *testing.T) {
	s := serverForTest(t, nil)
	if code, _ := post(s, "/factory/api/whoami", `{"a":1}`); code != http.StatusNotFound {
		t.Errorf("status %d", code)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/nothing", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("status %d", w.Code)
	}
	w = httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/models", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"data":[]`) {
		t.Errorf("models: %d %s", w.Code, w.Body)
	}
	all := s.All()
	if len(all) != 3 || all[0].Kind != Unknown || all[0].Path != "/factory/api/whoami" || all[2].Kind != Side {
		t.Errorf("kept %+v", all)
	}
}

func TestPackedBodiesAreRead(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, wires[0].body)
	_ = z.Close()
	for enc, want := range map[string]int{"gzip": http.StatusOK, "zstd": http.StatusBadRequest} {
		s := serverForTest(t, Script{Say("first")})
		req := httptest.NewRequest(http.MethodPost, "/v1/messages", bytes.NewReader(packed.Bytes()))
		req.Header.Set("Content-Encoding", enc)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		if w.Code != want || len(s.All()) != 1 {
			t.Errorf("%s: status %d, kept %d", enc, w.Code, len(s.All()))
		}
	}
}

// TestAScriptThatCannotBePlayedIsRefused before a run, with the turn that is wrong.
func TestAScriptThatCannotBePlayedIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		script Script
		want   string
	}{
		"no such tool":    {Script{Say("a"), Call(Write("a", "b"))}, "turn 1 of the script (write): no such tool"},
		"empty turn":      {Script{{}}, "turn 0 of the script: it says nothing"},
		"args no object":  {Script{Call(Raw("x", 1))}, "arguments of x are not a JSON object"},
		"args no JSON":    {Script{Call(Raw("x", func() {}))}, "arguments of x are not a JSON object"},
		"nameless":        {Script{Call(Raw("", map[string]int{}))}, "names no tool"},
		"unknown verb":    {Script{Call(Action{})}, "(nothing): no such tool"},
		"args null":       {Script{Call(Raw("x", nil))}, "arguments of x are not a JSON object"},
		"array arguments": {Script{Call(Raw("x", []int{}))}, "arguments of x are not a JSON object"},
	} {
		if _, err := New(c.script, translateForTest); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(Script{Call(Shell("a"))}, nil); err == nil || !strings.Contains(err.Error(), "use Raw") {
		t.Errorf("without a translator: %v", err)
	}
}

// FuzzServe holds that no request ends the server or loses count, whatever it holds.
func FuzzServe(f *testing.F) {
	for _, w := range wires {
		f.Add(w.path, []byte(w.body))
	}
	f.Add("/v1/messages", []byte(`{"tools":[{"name":1}],"messages":{"a":[}`))
	f.Add("/v1/chat/completions", []byte(`{"messages":[{"role":"assistant","content":null},{"role":"tool","content":[{"type":"text","text":"x"}]}]}`))
	f.Fuzz(func(t *testing.T, path string, body []byte) {
		s := serverForTest(t, Script{Say("first")})
		req := httptest.NewRequest(http.MethodPost, "/x", bytes.NewReader(body))
		req.URL.Path = path
		s.ServeHTTP(httptest.NewRecorder(), req)
		if len(s.All()) != 1 {
			t.Fatalf("kept %d requests", len(s.All()))
		}
		r := s.All()[0]
		all := r.Text()
		for _, piece := range r.News() {
			if r.Kind == Main && !strings.Contains(all, piece) {
				t.Fatalf("the news %q is not in the text %q", piece, all)
			}
		}
	})
}
