package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
)

// codexTrust is how Codex 0.144 and 0.171 know a hook that was trusted: by place and by a hash of what it is.
func codexTrust(t *testing.T, e Env) map[string]string {
	t.Helper()
	path := filepath.Join(e.Home, ".codex/hooks.json")
	found := map[string]string{}
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return found
	}
	var file struct {
		Hooks map[string][]struct {
			Matcher *string
			Hooks   []map[string]any
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatalf("Codex would reject the file: %v\n%s", err, b)
	}
	for event, groups := range file.Hooks {
		for gi, g := range groups {
			for hi, h := range g.Hooks {
				if strings.Contains(fmt.Sprint(h["command"]), "/hookspan run codex") {
					continue // ours
				}
				h["async"] = false
				def := map[string]any{"event_name": snake(event), "hooks": []any{h}}
				if g.Matcher != nil {
					def["matcher"] = *g.Matcher
				}
				var text bytes.Buffer
				enc := json.NewEncoder(&text)
				enc.SetEscapeHTML(false)
				if err := enc.Encode(def); err != nil {
					t.Fatal(err)
				}
				found[fmt.Sprintf("%s:%s:%d:%d", path, snake(event), gi, hi)] = fmt.Sprintf("%x", sha256.Sum256(bytes.TrimSpace(text.Bytes())))
			}
		}
	}
	return found
}

// Whatever others add and we install or uninstall, in any order: nobody else's hook loses its trust, and
// when all is over nothing of ours is left but what holds their places.
func TestNobodyElsesHookLosesItsTrust(t *testing.T) {
	a := all.Get("codex")
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 1))
		e := scratch(t)
		e.write(t, ".codex/hooks.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"first"}]}]}}`)
		for step := range 8 {
			before := codexTrust(t, e)
			switch rng.IntN(3) {
			case 0:
				mustInstall(t, e, a, Manifests{}, Options{})
			case 1:
				mustUninstall(t, e, a, Options{})
			case 2:
				addForeign(t, e, fmt.Sprintf("f%d-%d", seed, step), []string{"Stop", "PreToolUse", "SessionStart"}[rng.IntN(3)])
				continue
			}
			if after := codexTrust(t, e); !maps.Equal(before, after) {
				t.Fatalf("seed %d, step %d: trusted before %v, after %v", seed, step, before, after)
			}
		}
		mustUninstall(t, e, a, Options{})
		if text := e.readFile(t, ".codex/hooks.json"); strings.Contains(text, "hookspan") {
			t.Fatalf("seed %d: %s", seed, text)
		}
	}
}

// addForeign appends a hook of somebody else, as another installer would: the whole file written anew.
func addForeign(t *testing.T, e Env, command, event string) {
	t.Helper()
	var file map[string]map[string][]any
	if err := json.Unmarshal([]byte(e.readFile(t, ".codex/hooks.json")), &file); err != nil {
		t.Fatal(err)
	}
	file["hooks"][event] = append(file["hooks"][event], map[string]any{"hooks": []any{map[string]any{"type": "command", "command": command}}})
	b, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	e.write(t, ".codex/hooks.json", string(b))
}

// An empty group that held a place goes as soon as nothing stands behind it.
func TestAHoleIsFilledOrSwept(t *testing.T) {
	a := all.Get("codex")
	e := scratch(t)
	e.write(t, ".codex/hooks.json", "{}")
	mustInstall(t, e, a, Manifests{}, Options{})
	addForeign(t, e, "late", "Stop")
	mustUninstall(t, e, a, Options{})
	if text := e.readFile(t, ".codex/hooks.json"); !strings.Contains(text, "{}") || strings.Contains(text, "hookspan") {
		t.Fatalf("no hole was left: %s", text)
	}
	mustInstall(t, e, a, Manifests{}, Options{})
	if text := e.readFile(t, ".codex/hooks.json"); strings.Contains(text, "{}") {
		t.Fatalf("the hole was not filled: %s", text)
	}
	mustUninstall(t, e, a, Options{})
	e.write(t, ".codex/hooks.json", strings.Replace(e.readFile(t, ".codex/hooks.json"), "late", "later", 1))
	var file map[string]map[string][]any
	if err := json.Unmarshal([]byte(e.readFile(t, ".codex/hooks.json")), &file); err != nil {
		t.Fatal(err)
	}
	file["hooks"]["Stop"] = file["hooks"]["Stop"][:1] // the user takes the other hook out
	b, _ := json.Marshal(file)
	e.write(t, ".codex/hooks.json", string(b))
	mustUninstall(t, e, a, Options{})
	if text := e.readFile(t, ".codex/hooks.json"); strings.Contains(text, "{}]") || strings.Contains(text, "[{}") {
		t.Errorf("the hole stays: %s", text)
	}
}

// The trust in our entries goes with them, that of others stays.
func TestOurTrustGoesAndNoOther(t *testing.T) {
	a := all.Get("codex")
	for _, asked := range []bool{true, false} {
		e := scratch(t)
		config := "# mine\nmodel = \"m\"\n\n[hooks.state.\"/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n"
		e.write(t, ".codex/config.toml", config)
		mustInstall(t, e, a, Manifests{}, Options{})
		e.trustAll(t, asked)
		mustUninstall(t, e, a, Options{})
		if got := e.readFile(t, ".codex/config.toml"); got != config {
			t.Errorf("asked %v: %s", asked, got)
		}
	}
}

// trustAll writes trust as Codex does; asked tells whether through us, which is noted.
func (e Env) trustAll(t *testing.T, asked bool) {
	t.Helper()
	note := func() error { return nil }
	if asked {
		j, err := e.job(all.Get("codex"), 0, true)
		if err != nil {
			t.Fatal(err)
		}
		if note, err = j.noteTrust(); err != nil {
			t.Fatal(err)
		}
	}
	text := e.readFile(t, ".codex/config.toml")
	for _, event := range []string{"stop", "pre_tool_use"} {
		text += fmt.Sprintf("\n[hooks.state.%q]\ntrusted_hash = \"sha256:2\"\n", filepath.Join(e.Home, ".codex/hooks.json")+":"+event+":0:0")
	}
	e.write(t, ".codex/config.toml", text)
	if err := note(); err != nil {
		t.Fatal(err)
	}
}
