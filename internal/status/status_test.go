package status

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/agent/codex"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/state"
	"github.com/hookspan/hookspan/internal/wire"
)

// home is a machine with these files; paths are relative to the home, and the project is ~/shop.
type home struct {
	install.Env
	t    *testing.T
	vars map[string]string
}

func machine(t *testing.T, files map[string]string) *home {
	t.Helper()
	root := t.TempDir()
	h := &home{t: t, vars: map[string]string{"PATH": filepath.Join(root, "bin")}}
	h.Env = install.Env{OS: "linux", Home: filepath.Join(root, "home"), State: filepath.Join(root, "state"), Program: filepath.Join(root, "bin", "hookspan")}
	h.Project = filepath.Join(h.Home, "shop")
	h.Dir = h.Project
	h.vars["HOME"] = h.Home
	h.Get = func(name string) string { return h.vars[name] }
	h.file("../bin/hookspan", "")
	h.file("shop/.git/HEAD", "ref: refs/heads/main\n")
	for path, text := range files {
		h.file(path, text)
	}
	return h
}

func (h *home) file(path, text string) {
	h.t.Helper()
	at := filepath.Join(h.Home, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o755); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) agent(name string) *agent.Agent {
	h.t.Helper()
	a := all.Get(name)
	if a == nil || a.Setup == nil {
		h.t.Skipf("there is no agent %s", name)
	}
	return a
}

// registered is a whole file of a registration at user scope.
func (h *home) registered(name string) string {
	h.t.Helper()
	text, err := h.Document(h.agent(name), install.Want{Scope: agent.ScopeUser})
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

func (h *home) status(name string) (Agent, Report) {
	h.t.Helper()
	r := Make(h.Env, []*agent.Agent{h.agent(name)}, Scopes())
	return r.Agents[0], r
}

// kinds lists the kinds of what is off.
func kinds(list []Finding) (out []string) {
	for _, f := range list {
		if f.Wrong && !slices.Contains(out, f.Kind) {
			out = append(out, f.Kind)
		}
	}
	return out
}

func states(a Agent) map[State]int {
	n := map[State]int{}
	for _, e := range a.Events {
		n[e.State]++
	}
	return n
}

// userFile is where a registration of the user's stands.
var userFile = map[string]string{
	"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "copilot": ".copilot/hooks/hookspan.json",
	"cursor": ".cursor/hooks.json", "droid": ".factory/hooks.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json",
	"antigravity": ".gemini/config/hooks.json", "opencode": ".config/opencode/plugins/hookspan.js", "pi": ".pi/agent/extensions/hookspan.ts",
}

// A fresh registration is in force, or says "trust" where the agent has a gate of its own.
func TestFreshRegistrationIsInForce(t *testing.T) {
	for name, path := range userFile {
		t.Run(name, func(t *testing.T) {
			h := machine(t, nil)
			h.file(path, h.registered(name))
			a, r := h.status(name)
			if off := kinds(a.Findings); len(off) > 0 && !(name == "codex" && slices.Equal(off, []string{"untrusted"})) {
				t.Errorf("off: %v %+v", off, a.Findings)
			}
			if name == "codex" {
				return
			}
			if n := states(a); n[Registered] == 0 || n[Missing]+n[Stale]+n[Shadowed]+n[Gated] > 0 || !r.OK() {
				t.Errorf("%v", n)
			}
		})
	}
}

func TestNothingRegisteredIsNotWrong(t *testing.T) {
	for _, name := range all.Names() {
		h := machine(t, nil)
		a, r := h.status(name)
		if !r.OK() || a.Registered() || len(a.Findings) > 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestWhatStopsHooksIsNamed(t *testing.T) {
	claude := func(h *home) { h.file(".claude/settings.json", h.registered("claude")) }
	gemini := func(text string) func(*home) {
		return func(h *home) {
			h.file(".gemini/settings.json", strings.Replace(h.registered("gemini"), "{", "{"+text, 1))
		}
	}
	for _, c := range []struct {
		name, agent string
		make        func(*home)
		kind        string // of what is off
		state       State
		says        string
	}{
		{"a repository switches hooks off", "claude", func(h *home) {
			claude(h)
			h.file("shop/.claude/settings.json", "{\n  \"disableAllHooks\": true\n}")
		}, "gated", Gated, "settings.json:2: disableAllHooks is true"},
		{"local settings", "claude", func(h *home) { claude(h); h.file("shop/.claude/settings.local.json", `{"disableAllHooks":true}`) }, "gated", Gated, "settings.local.json:1"},
		{"another program", "claude", func(h *home) {
			h.file("../old/hookspan", "")
			text := h.registered("claude")
			h.file(".claude/settings.json", strings.ReplaceAll(text, "/bin/hookspan", "/old/hookspan"))
		}, "stale", Stale, "and this program is"},
		{"a program that is gone", "claude", func(h *home) {
			h.file(".claude/settings.json", strings.ReplaceAll(h.registered("claude"), "/bin/hookspan", "/gone/hookspan"))
		}, "stale", Stale, "which is gone"},
		{"a program by its name", "claude", func(h *home) {
			h.file(".claude/settings.json", strings.ReplaceAll(h.registered("claude"), filepath.ToSlash(h.Program), "hookspan"))
		}, "stale", Stale, "which a repository may set"},
		{"a broken file", "claude", func(h *home) { h.file(".claude/settings.json", "{\n  \"a\": [\n}") }, "broken", Off, "settings.json:3"},
		{"another file defines the event", "droid", func(h *home) {
			h.file(".factory/settings.json", `{"hooks":`+h.registered("droid")+`}`)
			h.file(".factory/hooks.json", `{"PreToolUse":[]}`)
		}, "shadowed", Shadowed, "hooks.json defines PreToolUse"},
		{"an old place beside a new one", "droid", func(h *home) {
			h.file(".factory/hooks/hooks.json", h.registered("droid"))
			h.file(".factory/hooks.json", `{}`)
		}, "shadowed", Shadowed, "hooks.json"},
		{"the map says no", "droid", func(h *home) {
			h.file(".factory/hooks.json", h.registered("droid"))
			h.file("shop/.factory/hooks.json", `{"hooksDisabled":true}`)
		}, "gated", Gated, "hooksDisabled"},
		{"hooks are off", "gemini", gemini(`"hooksConfig":{"enabled":false},`), "gated", Gated, "hooksConfig.enabled is false"},
		{"a variable", "gemini", func(h *home) { gemini("")(h); h.vars["GEMINI_RESTRICTED_MODE"] = "true" }, "gated", Gated, "GEMINI_RESTRICTED_MODE"},
		{"not to be trusted", "gemini", func(h *home) {
			gemini("")(h)
			h.file(".gemini/trustedFolders.json", fmt.Sprintf(`{%q:"DO_NOT_TRUST"}`, h.Project))
		}, "untrusted", Registered, "not to be trusted"},
		{"pure", "opencode", func(h *home) {
			h.file(userFile["opencode"], h.registered("opencode"))
			h.vars["OPENCODE_PURE"] = "1"
		}, "gated", Gated, "OPENCODE_PURE=1"},
		{"a bridge that was edited", "opencode", func(h *home) { h.file(userFile["opencode"], h.registered("opencode")+"// mine\n") }, "stale", Stale, "by hand"},
		{"an older bridge", "opencode", func(h *home) {
			h.file(userFile["opencode"], strings.Replace(h.registered("opencode"), "version=", "version=9", 1))
		}, "stale", Stale, "another version"},
		{"hooks are off in Codex", "codex", func(h *home) {
			h.file(".codex/hooks.json", h.registered("codex"))
			h.file(".codex/config.toml", "[features]\nhooks = false\n")
		}, "gated", Gated, "features.hooks is false"},
		{"an event is missing", "claude", func(h *home) {
			h.file(".claude/settings.json", strings.Replace(h.registered("claude"), `"Stop"`, `"Stopp"`, 1))
		}, "missing", Missing, "Stop"},
		{"twice", "qwen", func(h *home) {
			text := h.registered("qwen")
			one := cutGroup(text)
			h.file(".qwen/settings.json", strings.Replace(text, one, one+","+one, 1))
		}, "duplicated", Registered, "more than once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := machine(t, nil)
			h.agent(c.agent)
			c.make(h)
			a, r := h.status(c.agent)
			if !slices.Contains(kinds(a.Findings), c.kind) || r.OK() {
				t.Fatalf("off is %v, not %s: %+v", kinds(a.Findings), c.kind, a.Findings)
			}
			if states(a)[c.state] == 0 {
				t.Errorf("no event is %s: %v", c.state, states(a))
			}
			if !slices.ContainsFunc(a.Findings, func(f Finding) bool { return f.Kind == c.kind && strings.Contains(f.What, c.says) && f.Do != "" }) {
				t.Errorf("nobody says %q and what to do: %+v", c.says, a.Findings)
			}
		})
	}
}

// cutGroup is the first group of a settings file.
func cutGroup(text string) string {
	start := strings.Index(text, "[") + 1
	depth := 0
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return strings.TrimSpace(text[start : i+1])
			}
		}
	}
	return ""
}

func TestTrustOfCodexIsComputed(t *testing.T) {
	h := machine(t, nil)
	file := filepath.Join(h.Home, ".codex", "hooks.json")
	h.file(".codex/hooks.json", fmt.Sprintf(`{"hooks":{
		"PreToolUse":[{"hooks":[{"type":"command","command":"mine"}]},{"hooks":[{"type":"command","command":"%[1]s run codex PreToolUse","timeout":60}]}],
		"Stop":[{"matcher":"","hooks":[{"type":"command","command":"%[1]s run codex Stop"}]}],
		"SessionEnd":[{"hooks":[{"type":"command","command":"%[1]s run codex SessionEnd","timeout":3}]}],
		"PostToolUse":[{"hooks":[{"type":"command","command":"%[1]s run codex PostToolUse","timeout":60}]}]}}`, h.Program))
	state := func(event string, group int, hash string) string {
		return fmt.Sprintf("[hooks.state.%q]\n%s\n", codex.TrustKey(file, event, group, 0), hash)
	}
	hash := func(event string, limit int64) string {
		return fmt.Sprintf("trusted_hash = %q", codex.TrustHash(codex.Definition{Event: event, Command: h.Program + " run codex " + event, Timeout: limit}))
	}
	h.file(".codex/config.toml", state("PreToolUse", 1, hash("PreToolUse", 60))+state("Stop", 0, hash("Stop", 600))+
		state("SessionEnd", 0, hash("SessionEnd", 2))+state("PostToolUse", 0, hash("PostToolUse", 60)+"\nenabled = false"))
	a, _ := h.status("codex")
	for _, e := range a.Events {
		want, ok := map[string]State{"PreToolUse": Registered, "Stop": Registered, "SessionEnd": Untrusted, "PostToolUse": Gated}[e.Native]
		if ok && e.State != want {
			t.Errorf("%s is %s (%s), not %s", e.Native, e.State, e.Why, want)
		}
	}
}

func TestTrustOfProjectsIsRead(t *testing.T) {
	for _, c := range []struct {
		agent, path, trust string
		text               func(h *home) string
	}{
		{"copilot", "shop/.github/hooks/hookspan.json", ".copilot/config.json", func(h *home) string { return fmt.Sprintf("// managed\n{\"trustedFolders\":[%q]}", h.Home) }},
		{"pi", "shop/.pi/extensions/hookspan.ts", ".pi/agent/trust.json", func(h *home) string { return fmt.Sprintf(`{%q:true}`, h.Project) }},
		{"codex", "shop/.codex/hooks.json", ".codex/config.toml", func(h *home) string { return fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", h.Project) }},
	} {
		t.Run(c.agent, func(t *testing.T) {
			h := machine(t, nil)
			a := h.agent(c.agent)
			text, err := h.Document(a, install.Want{Scope: agent.ScopeProject})
			if err != nil {
				t.Fatal(err)
			}
			h.file(c.path, string(text))
			about := func() (n int) {
				got, _ := h.status(c.agent)
				for _, f := range got.Findings {
					if f.Wrong && strings.Contains(f.What, "the project is not trusted") {
						n++
					}
				}
				return n
			}
			if about() != 1 {
				t.Error("nobody says that the project is not trusted")
			}
			h.file(c.trust, c.text(h))
			if about() != 0 {
				t.Error("the trust was not seen")
			}
		})
	}
}

func TestGuardsThatCanNeverFireAreWrong(t *testing.T) {
	h := machine(t, map[string]string{"shop/hookspan.yaml": `hooks:
  SubagentStart:
    - hooks:
        - command: "true"
  PermissionRequest:
    - hooks:
        - command: "true"
          on_failure: block
`})
	h.file(userFile["gemini"], h.registered("gemini"))
	a, r := h.status("gemini")
	var wrong, note int
	for _, f := range a.Findings {
		if f.Kind == "dead" && f.Wrong {
			wrong++
		} else if f.Kind == "dead" {
			note++
		}
	}
	if wrong != 1 || note != 1 || r.OK() {
		t.Errorf("%+v", a.Findings)
	}
}

func TestManifestsAreTold(t *testing.T) {
	h := machine(t, map[string]string{"shop/hookspan.yaml": "hooks:\n  Stop:\n    - hooks: [{ command: make }]\n", ".config/hookspan/hookspan.yaml": "hooks:\n  Stop: 1\n"})
	_, r := h.status("claude")
	if len(r.Manifests) != 2 || len(r.Manifests[0].Problems) == 0 || r.Manifests[1].Trusted || !r.Manifests[1].Untrusted() || r.OK() {
		t.Errorf("%+v", r.Manifests)
	}
	if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Kind == "trust" && f.Do == "hookspan trust" }) {
		t.Errorf("%+v", r.Findings)
	}
}

func TestLastFiredComesFromTheJournal(t *testing.T) {
	h := machine(t, nil)
	h.file(".claude/settings.json", h.registered("claude"))
	when := time.Now().Add(-3 * time.Hour)
	if err := state.Open(h.State).Append(&state.Record{Time: when, Agent: "claude", Event: "PreToolUse", Native: "PreToolUse"}); err != nil {
		t.Fatal(err)
	}
	a, _ := h.status("claude")
	if got := Ago(a.Last, time.Now()); got != "3 h ago" {
		t.Errorf("last fired %s", got)
	}
	for _, e := range a.Events {
		if e.Fired.IsZero() == (e.Native == "PreToolUse") {
			t.Errorf("%s fired %v", e.Native, e.Fired)
		}
	}
}

func TestOneScopeAlone(t *testing.T) {
	h := machine(t, map[string]string{"shop/.claude/settings.json": "{broken"})
	h.file(".claude/settings.json", h.registered("claude"))
	r := Make(h.Env, []*agent.Agent{h.agent("claude")}, []agent.Scope{agent.ScopeUser})
	if !r.OK() || !slices.Equal(r.Agents[0].Scopes, []string{"user"}) {
		t.Errorf("%+v", r.Agents[0].Findings)
	}
}

func TestReportIsJSON(t *testing.T) {
	h := machine(t, map[string]string{".codex/config.toml": "[features]\nhooks = false\n"})
	h.file(".codex/hooks.json", h.registered("codex"))
	r := Make(h.Env, all.Agents(), Scopes())
	v, err := wire.Parse(r.JSON())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range v.Get("agents").Elems() {
		n++
	}
	if ok, _ := v.Get("ok").Bool(); ok || n != len(r.Agents) {
		t.Errorf("%s", r.JSON())
	}
}

// FuzzStatusNeverPanics: whatever stands in the files, status says something.
func FuzzStatusNeverPanics(f *testing.F) {
	f.Add(`{"hooks":{"PreToolUse":[{"hooks":[{"command":"/bin/hookspan run claude","timeout":"x"}]},1,[{}]],"Stop":{"a":1}},"disableAllHooks":[true]}`, "[hooks.state]\n\"a\" = 1\n[projects]\nx=1\n")
	f.Add(`{"PreToolUse":{"hooks":[{"command":["hookspan"]}]},"hooksDisabled":"true","trustedFolders":[1,{}]}`, "features.hooks=1\nhooks.state=[1]\n")
	f.Fuzz(func(t *testing.T, json, toml string) {
		h := machine(t, map[string]string{".codex/config.toml": toml, ".claude.json": json, ".copilot/config.json": json, ".pi/agent/trust.json": json,
			".gemini/trustedFolders.json": json, "shop/.claude/settings.json": json, "shop/.factory/hooks.json": json, "shop/hookspan.yaml": json})
		for name, path := range userFile {
			if all.Get(name) != nil {
				h.file(path, json)
			}
		}
		r := Make(h.Env, all.Agents(), Scopes())
		if _, err := wire.Parse(r.JSON()); err != nil {
			t.Errorf("%v: %s", err, r.JSON())
		}
	})
}
