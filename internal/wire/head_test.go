package wire

import (
	"context"
	"strings"
	"testing"
)

func TestHeadTellsWhatAnUnreadableInputWas(t *testing.T) {
	cut := `{"hook_event_name":"PreToolUse","tool_input":{"command":"` + strings.Repeat("x", 10_000)
	_, notes, err := Read(context.Background(), strings.NewReader(cut), Limits{})
	if err == nil || len(notes.Head) != maxHead || !strings.HasPrefix(notes.Head, `{"hook_event_name":"PreToolUse"`) {
		t.Fatalf("err %v, head of %d bytes", err, len(notes.Head))
	}
	_, notes, err = Read(context.Background(), strings.NewReader(`{"a":1}`), Limits{})
	if err != nil || notes.Head != "" {
		t.Fatalf("a readable input has no head: %v %q", err, notes.Head)
	}
}
