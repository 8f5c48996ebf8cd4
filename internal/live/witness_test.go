package live

import (
	"strings"
	"testing"
)

func TestAnEventThatIsMissingOrTwiceIsNamed(t *testing.T) {
	want := Counts{"Stop": 1, "SessionEnd": 1, "PreToolUse": 2}
	for text, c := range map[string]Counts{
		"": {"Stop": 1, "SessionEnd": 1, "PreToolUse": 2},
		"SessionEnd 0 times, not 1; Stop 2 times, not 1": {"Stop": 2, "PreToolUse": 2},
		"Interrupt 1 times, not 0":                       {"Stop": 1, "SessionEnd": 1, "PreToolUse": 2, "Interrupt": 1},
	} {
		if got := c.Difference(want); got != text {
			t.Errorf("%v: %q", c, got)
		}
		if got := c.Minus(nil).Difference(c); got != "" {
			t.Errorf("%v less nothing: %q", c, got)
		}
	}
	if got := (Counts{"Stop": 3, "PreToolUse": 2}).Minus(Counts{"Stop": 2, "PreToolUse": 2}); len(got) != 1 || got["Stop"] != 1 {
		t.Errorf("got %v", got)
	}
}

// TestWitnessCountsByName holds that each event is registered under its own name, in all agents, and that
// what a call leaves is counted.
func TestWitnessCountsByName(t *testing.T) {
	for _, d := range Drivers() {
		s := agentSandbox(t, d.Name)
		w, err := s.Witness([]string{"PreToolUse", "Stop"})
		if err != nil {
			t.Fatal(err)
		}
		if text := configuration(t, s); !d.Plugin && (!strings.Contains(text, "witness.sh' PreToolUse") || !strings.Contains(text, "witness.sh' Stop")) {
			t.Errorf("%s: not registered by name: %s", d.Name, text)
		}
		if c, err := w.Counts(); len(c) > 0 || err != nil {
			t.Errorf("%s: nothing has happened, but %v, %v", d.Name, c, err)
		}
		if w.log != "" {
			err = s.WriteFile(w.log, "Stop\nStop\n")
		} else {
			for _, name := range []string{"Stop.1", "Stop.2", "Stop.3.new"} {
				if e := s.WriteFile(w.tally.dir+"/"+name, "{}"); e != nil {
					err = e
				}
			}
		}
		if c, e := w.Counts(); err != nil || e != nil || len(c) != 1 || c["Stop"] != 2 {
			t.Errorf("%s: got %v, %v, %v", d.Name, c, err, e)
		}
	}
}
