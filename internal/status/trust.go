package status

import (
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/codex"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
)

// folderTrust is what an agent's own trust says of this project. Where it cannot be seen, or is asked for
// when the agent starts, that is a note; where hooks are skipped in silence, it is wrong.
func folderTrust(env install.Env, a *agent.Agent, s *agent.Setup, scopes []string) []Finding {
	project := has(scopes, "project")
	switch a.Name {
	case "claude":
		return claudeTrust(env, s)
	case "codex":
		return codexProject(env, project)
	case "copilot":
		return copilotTrust(env, s, project)
	case "gemini":
		return geminiTrust(env, s)
	case "qwen":
		return qwenTrust(env)
	case "droid":
		return droidTrust(env, s)
	case "pi":
		return piTrust(env, s, project)
	}
	if project && s.ProjectGate != "" {
		return []Finding{{Kind: "trust", What: "not to be seen from here: " + s.ProjectGate}}
	}
	return nil
}

func has(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// claudeTrust: the dialog stores the git root, and an entry for the launch folder is taken too.
func claudeTrust(env install.Env, s *agent.Setup) []Finding {
	doc, _ := readDoc(env, "${CLAUDE_CONFIG_DIR:-~}/.claude.json", lenient)
	for _, dir := range []string{env.Project, env.Dir} {
		if doc != nil && doc.Get(splice.At("projects", dir, "hasTrustDialogAccepted")).Bool() {
			return nil
		}
	}
	return []Finding{{Kind: "trust", What: "the folder is not trusted yet: " + s.UserGate}}
}

func codexProject(env install.Env, project bool) []Finding {
	if !project {
		return nil
	}
	doc, _ := readDoc(env, "${CODEX_HOME:-~/.codex}/config.toml", splice.TOML)
	for _, dir := range parents(env.Dir) {
		if doc != nil && doc.Get(splice.At("projects", dir, "trust_level")).Str() == "trusted" {
			return nil
		}
		if dir == env.Project {
			break
		}
	}
	return []Finding{{Wrong: true, Kind: "untrusted", What: "the project is not trusted, so `codex exec` skips its hooks in silence",
		Do: "codex exec --trust, or start codex here and answer the question"}}
}

func copilotTrust(env install.Env, s *agent.Setup, project bool) []Finding {
	if !project || env.Get("COPILOT_ALLOW_ALL") == "true" || env.Get("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS") == "true" {
		return nil
	}
	doc, _ := readDoc(env, "${COPILOT_HOME:-~/.copilot}/config.json", lenient)
	if doc != nil {
		for _, v := range doc.Get(splice.At("trustedFolders")).Elems() {
			if within(env.Project, v.Str()) {
				return nil
			}
		}
	}
	return []Finding{{Wrong: true, Kind: "untrusted", What: "the project is not trusted: " + s.ProjectGate, Do: "start copilot here and trust the folder"}}
}

func geminiTrust(env install.Env, s *agent.Setup) []Finding {
	if env.Get("GEMINI_CLI_TRUST_WORKSPACE") == "true" {
		return nil
	}
	home := "${GEMINI_CLI_HOME:-~}/.gemini/"
	if doc, _ := readDoc(env, home+"settings.json", lenient); doc != nil && doc.Get(splice.At("security", "folderTrust", "enabled")).Equals([]byte("false")) {
		return nil
	}
	doc, path := readDoc(env, "${GEMINI_CLI_TRUSTED_FOLDERS_PATH:-~/.gemini/trustedFolders.json}", lenient)
	if env.Get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") == "" {
		doc, path = readDoc(env, home+"trustedFolders.json", lenient)
	}
	if doc != nil {
		for dir, v := range doc.Root().Members() {
			switch {
			case v.Str() == "TRUST_FOLDER" && within(env.Dir, dir), v.Str() == "TRUST_PARENT" && within(env.Dir, filepath.Dir(dir)):
				return nil
			case v.Str() == "DO_NOT_TRUST" && within(env.Dir, dir):
				return []Finding{{Wrong: true, Kind: "untrusted", What: env.Shown(path) + " says that this folder is not to be trusted: no hook runs here", Do: "/permissions in gemini, or GEMINI_CLI_TRUST_WORKSPACE=true"}}
			}
		}
	}
	return []Finding{{Kind: "trust", What: "the folder is not trusted yet: " + s.UserGate}}
}

func qwenTrust(env install.Env) []Finding {
	doc, _ := readDoc(env, "${QWEN_HOME:-~/.qwen}/settings.json", lenient)
	if doc == nil || !doc.Get(splice.At("security", "folderTrust", "enabled")).Bool() {
		return nil
	}
	return []Finding{{Kind: "trust", What: "folder trust is on (security.folderTrust.enabled): in a folder that is not trusted the project's hooks do not run", Do: "start qwen here and trust the folder"}}
}

func droidTrust(env install.Env, s *agent.Setup) []Finding {
	doc, _ := readDoc(env, "${FACTORY_HOME_OVERRIDE:-~}/.factory/settings.json", lenient)
	if doc != nil {
		for dir := range doc.Get(splice.At("trustedFolders")).Members() {
			if within(env.Dir, dir) {
				return nil
			}
		}
	}
	return []Finding{{Kind: "trust", What: "the folder is not trusted yet: " + s.UserGate}}
}

// piTrust: the closest entry counts.
func piTrust(env install.Env, s *agent.Setup, project bool) []Finding {
	if !project {
		return nil
	}
	home := "${PI_CODING_AGENT_DIR:-~/.pi/agent}/"
	trusted := false
	if doc, _ := readDoc(env, home+"settings.json", lenient); doc != nil {
		trusted = doc.Get(splice.At("defaultProjectTrust")).Str() == "always"
	}
	if doc, _ := readDoc(env, home+"trust.json", lenient); doc != nil {
		for _, dir := range parents(env.Dir) {
			if v := doc.Get(splice.At(dir)); v.Kind() == splice.Bool {
				trusted = v.Bool()
				break
			}
		}
	}
	if trusted {
		return nil
	}
	return []Finding{{Wrong: true, Kind: "untrusted", What: "the project is not trusted: " + s.ProjectGate, Do: "start pi here and trust the project"}}
}

func within(dir, root string) bool {
	return root != "" && (dir == root || strings.HasPrefix(dir, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)))
}

// codexTrust is Codex' trust in one hook, computed as Codex does: "" = trusted.
func codexTrust(env install.Env, en *entry, state splice.Value) (State, string) {
	if env.OS == "windows" {
		return Registered, "" // what the hash covers there is not known
	}
	var at splice.Value
	for _, path := range []string{en.file.path, resolved(en.file.path)} {
		if v := state.Get(codex.TrustKey(path, en.native, en.group, en.handler)); v.Kind() == splice.Object {
			at = v
			break
		}
	}
	switch {
	case at.Get("enabled").Equals([]byte("false")):
		return Gated, "it is switched off in /hooks"
	case at.Get("trusted_hash").Str() == "":
		return Untrusted, "Codex does not trust it yet"
	case at.Get("trusted_hash").Str() != codex.TrustHash(definition(en)):
		return Untrusted, "it has changed since Codex trusted it"
	}
	return Registered, ""
}

func resolved(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(dir, filepath.Base(path))
}

func definition(en *entry) codex.Definition {
	d := codex.Definition{Event: en.native, Command: en.value.Get("command").Str(), Async: en.value.Get("async").Bool(),
		Matcher: en.matcher.Str(), HasMatcher: en.matcher.Kind() == splice.String, Extra: map[string][]byte{}}
	d.Timeout = whole(en.value.Get("timeout"))
	for _, key := range []string{"statusMessage", "additionalContextLimit"} {
		if v := en.value.Get(key); v.Kind() != splice.Absent && v.Kind() != splice.Null {
			d.Extra[key] = v.JSON()
		}
	}
	return d
}
