package state

import (
	"strings"
	"testing"
	"time"
)

func TestWhatWasSaidIsKeptByName(t *testing.T) {
	s := small(t.TempDir())
	n := s.Session("gemini", "s")
	if n.Said("context") != "" {
		t.Error("said before anything was")
	}
	for _, text := range []string{"a", "b\x00\n\xff", "", strings.Repeat("x", saidMax)} {
		if err := n.Say("context", text); err != nil || n.Said("context") != text {
			t.Errorf("%.20q: %v, kept %.20q", text, err, n.Said("context"))
		}
	}
	if err := n.Say("context", strings.Repeat("y", saidMax+1)); err != nil || len(n.Said("context")) != saidMax {
		t.Error("a text without a bound")
	}
	if n.Said("other") != "" || s.Session("gemini", "t").Said("context") != "" {
		t.Error("said under another name")
	}
}

func TestLastSentIsTheLatestOfTheTurn(t *testing.T) {
	n := small(t.TempDir()).Session("claude", "s")
	if !n.LastSent("4").IsZero() {
		t.Error("sent before anybody was")
	}
	for range 3 {
		before := time.Now().Add(-time.Second)
		n.AddSent("4")
		if n.LastSent("4").Before(before) || !n.LastSent("5").IsZero() {
			t.Errorf("%v, of another turn %v", n.LastSent("4"), n.LastSent("5"))
		}
	}
}
