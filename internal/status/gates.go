package status

import (
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
)

// gate is a switch that stops hooks in silence. The facts are those of the agents' Switches.
type gate struct {
	files []string // written like agent.Place.Path; TOML by its ending
	key   []string
	is    string // the value, as JSON, that stops them
	stops string // what is stopped: "every hook", or "user" and "project" for the hooks of one scope
	lift  string // what to do
}

// variable is a variable that stops hooks.
type variable struct{ name, is, stops string }

const (
	everything = "every hook"
	notManaged = "every hook that is not the administrator's"
)

// gates are the switches of an agent, by its name.
func gates(name string) (list []gate, vars []variable) {
	switch name {
	case "claude":
		return claudeGates(), nil
	case "codex":
		return codexGates(), nil
	case "copilot":
		return copilotGates(), nil
	case "gemini":
		files := []string{"${GEMINI_CLI_HOME:-~}/.gemini/settings.json", "{project}/.gemini/settings.json", "${GEMINI_CLI_SYSTEM_SETTINGS_PATH:-/etc/gemini-cli/settings.json}"}
		return []gate{{files, []string{"hooksConfig", "enabled"}, "false", everything, "take it out"}},
			[]variable{{"GEMINI_CLI_TRUST_WORKSPACE", "false", everything}, {"GEMINI_RESTRICTED_MODE", "true", everything}}
	case "qwen":
		files := []string{"${QWEN_HOME:-~/.qwen}/settings.json", "{project}/.qwen/settings.json", "${QWEN_CODE_SYSTEM_SETTINGS_PATH:-/etc/qwen-code/settings.json}"}
		return []gate{{files, []string{"disableAllHooks"}, "true", everything, "take it out"}}, nil
	case "droid":
		return droidGates(), nil
	case "opencode":
		return nil, []variable{{"OPENCODE_PURE", "1", everything}, {"OPENCODE_PURE", "true", everything}, {"OPENCODE_DISABLE_PROJECT_CONFIG", "1", "project"},
			{"OPENCODE_DISABLE_PROJECT_CONFIG", "true", "project"}}
	}
	return nil, nil
}

func claudeGates() []gate {
	managed := []string{"/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json", `C:\Program Files\ClaudeCode\managed-settings.json`}
	return []gate{
		{[]string{"${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json", "{project}/.claude/settings.json", "{project}/.claude/settings.local.json",
			"{cwd}/.claude/settings.json", "{cwd}/.claude/settings.local.json"}, []string{"disableAllHooks"}, "true", everything, "take it out"},
		{managed, []string{"allowManagedHooksOnly"}, "true", notManaged, "ask whoever manages this machine"},
	}
}

func codexGates() []gate {
	files := []string{"${CODEX_HOME:-~/.codex}/config.toml", "/etc/codex/config.toml", "/etc/codex/requirements.toml"}
	return []gate{
		{files, []string{"features", "hooks"}, "false", everything, "set it to true"},
		{files, []string{"features", "codex_hooks"}, "false", everything, "take it out"},
		{[]string{"/etc/codex/requirements.toml"}, []string{"allow_managed_hooks_only"}, "true", notManaged, "ask whoever manages this machine"},
		{[]string{"${CODEX_HOME:-~/.codex}/config.toml"}, []string{"projects", "{project}", "trust_level"}, `"untrusted"`, "project", "trust the project: codex exec --trust"},
	}
}

func copilotGates() []gate {
	managed := []string{"/etc/github-copilot/managed-settings.json"}
	return []gate{
		{[]string{"{project}/.github/copilot/settings.json", "{project}/.github/copilot/settings.local.json", "{project}/.claude/settings.json",
			"{project}/.claude/settings.local.json"}, []string{"disableAllHooks"}, "true", everything, "take it out"},
		{[]string{"${COPILOT_HOME:-~/.copilot}/hooks/hookspan.json"}, []string{"disableAllHooks"}, "true", "user", "take it out"},
		{[]string{"{project}/.github/hooks/hookspan.json"}, []string{"disableAllHooks"}, "true", "project", "take it out"},
		{managed, []string{"allowManagedHooksOnly"}, "true", notManaged, "ask whoever manages this machine"},
		{managed, []string{"strictPluginOnlyCustomization"}, `["hooks"]`, notManaged, "ask whoever manages this machine"},
	}
}

func droidGates() []gate {
	home := "${FACTORY_HOME_OVERRIDE:-~}/.factory"
	maps := []string{home + "/hooks.json", home + "/hooks/hooks.json", "{project}/.factory/hooks.json", "{project}/.factory/hooks/hooks.json"}
	return []gate{
		{maps, []string{"hooksDisabled"}, "true", everything, "take it out"},
		{[]string{home + "/settings.json", "{project}/.factory/settings.json"}, []string{"hooks", "hooksDisabled"}, "true", everything, "take it out"},
		{[]string{"/etc/factory/settings.json", "/Library/Application Support/Factory/settings.json"}, []string{"allowManagedHooksOnly"}, "true", notManaged, "ask whoever manages this machine"},
	}
}

// shut is a gate that is shut.
type shut struct {
	what, do string
	scope    string // "user", "project", or "" for both
}

// Closed tells of the switches that keep an agent here from running any hook, one of a session included.
func Closed(env install.Env, a *agent.Agent) []Finding {
	var list []Finding
	for _, g := range closed(env, a) {
		if g.scope == "" {
			list = append(list, Finding{Wrong: true, Kind: "gated", What: g.what, Do: g.do})
		}
	}
	return list
}

// closed returns the gates of an agent that are shut here.
func closed(env install.Env, a *agent.Agent) []shut {
	var list []shut
	seen := map[string]bool{}
	switches, vars := gates(a.Name)
	for _, g := range switches {
		for _, pattern := range g.files {
			if s, ok := g.shut(env, pattern); ok && !seen[s.what] {
				seen[s.what] = true
				list = append(list, s)
			}
		}
	}
	for _, v := range vars {
		if env.Get(v.name) == v.is {
			list = append(list, shut{scope: scopeOf(v.stops), what: fmt.Sprintf("%s=%s switches off %s", v.name, v.is, people(v.stops)), do: "unset " + v.name})
		}
	}
	return list
}

func (g *gate) shut(env install.Env, pattern string) (shut, bool) {
	if strings.Contains(pattern, `:\`) && env.OS != "windows" {
		return shut{}, false
	}
	f := splice.Format(lenient)
	if isTOML(pattern) {
		f = splice.TOML
	}
	doc, path := readDoc(env, atDir(env, pattern), f)
	if doc == nil {
		return shut{}, false
	}
	at := splice.Path{}
	for _, k := range g.key {
		at = at.Key(atDir(env, k))
	}
	v := doc.Get(at)
	if v.Kind() == splice.Absent || !v.Equals([]byte(g.is)) {
		return shut{}, false
	}
	return shut{scope: scopeOf(g.stops), do: g.lift + " (" + env.Shown(path) + ")",
		what: fmt.Sprintf("%s:%d: %s is %s, which switches off %s", env.Shown(path), v.Line(), at, g.is, people(g.stops))}, true
}

func scopeOf(stops string) string {
	if stops == "user" || stops == "project" {
		return stops
	}
	return ""
}

func people(stops string) string {
	if s := scopeOf(stops); s != "" {
		return "the " + s + "'s hooks"
	}
	return stops
}
