package agent

import (
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// What the agent will read is what handlers see, whatever else stands beside it.
func TestAStrayKeyDoesNotHideTheRealOne(t *testing.T) {
	row := Tool{Native: "run_command", Name: "Bash", Kind: hook.KindShell, Keys: []Key{{Native: "CommandLine", Claude: "command"}}}
	for _, in := range []string{`{"CommandLine":"real","command":"stray"}`, `{"command":"stray","CommandLine":"real"}`} {
		v, err := wire.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		tool := MapTool(row, "run_command", v, "/p")
		if tool.Command != "real" || string(tool.Input) != `{"command":"real"}` {
			t.Errorf("%s: %q %s", in, tool.Command, tool.Input)
		}
		native, changes, err := Lens(row, v, mustParse(t, tool.Input), mustParse(t, tool.Input))
		if err != nil || len(changes) != 0 || string(native) != in {
			t.Errorf("an unchanged rewrite made %s %v %v", native, changes, err)
		}
	}
}

func mustParse(t *testing.T, b []byte) wire.Value {
	t.Helper()
	v, err := wire.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
