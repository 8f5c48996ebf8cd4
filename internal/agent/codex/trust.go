package codex

import (
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// userConfig holds the trust in projects and in hooks, a project's hooks too.
const userConfig = "${CODEX_HOME:-~/.codex}/config.toml"

// doubt: trust in a folder between the project and the one of the start counts; `codex exec` never asks.
func doubt(l agent.Look) *agent.Doubt {
	if !l.InProject {
		return nil
	}
	projects := l.Doc(userConfig).Get("projects")
	for _, dir := range agent.Above(l.Dir) {
		if projects.Get(dir, "trust_level").Str() == "trusted" {
			return nil
		}
		if dir == l.Project {
			break
		}
	}
	return &agent.Doubt{Wrong: true, What: "the project is not trusted, so `codex exec` skips its hooks in silence",
		Do: "codex exec --trust, or start codex here and answer the question"}
}

// trustInHooks stands in [hooks.state], hook by hook.
func trustInHooks() *agent.HookTrust {
	return &agent.HookTrust{
		Read:  readTrust,
		Trust: "start codex and choose \"Trust all and continue\", or: hookspan install --agent codex --trust",
		On:    "/hooks in codex",
	}
}

func readTrust(l agent.Look) func(agent.Hook) (agent.Trust, string) {
	if l.OS == "windows" {
		return func(agent.Hook) (agent.Trust, string) { return agent.Trusted, "" } // what the hash covers there is not known
	}
	state := l.Doc(userConfig).Get("hooks", "state")
	return func(h agent.Hook) (agent.Trust, string) { return trust(state, h) }
}

// trust is computed as Codex does.
func trust(state agent.Node, h agent.Hook) (agent.Trust, string) {
	enabled, hash := noted(state, h)
	switch {
	case !enabled:
		return agent.SwitchedOff, "it is switched off in /hooks"
	case hash == "":
		return agent.Distrusted, "Codex does not trust it yet"
	case hash != TrustHash(definition(h)):
		return agent.Distrusted, "it has changed since Codex trusted it"
	}
	return agent.Trusted, ""
}

// noted is what Codex has noted of a hook, under either path of its file.
func noted(state agent.Node, h agent.Hook) (enabled bool, hash string) {
	for _, path := range h.Files {
		if v := state.Get(TrustKey(path, h.Native, h.Group, h.Handler)); v.Kind() == wire.Object {
			return !v.Get("enabled").False(), v.Get("trusted_hash").Str()
		}
	}
	return true, ""
}

func definition(h agent.Hook) Definition {
	d := Definition{Event: h.Native, Command: h.Value.Get("command").Str(), Timeout: h.Value.Get("timeout").Int(), Async: h.Value.Get("async").True(),
		Matcher: h.Matcher.Str(), HasMatcher: h.Matcher.Kind() == wire.String, Extra: map[string][]byte{}}
	for _, key := range []string{"statusMessage", "additionalContextLimit"} {
		if v := h.Value.Get(key); v.Kind() != wire.Absent && v.Kind() != wire.Null {
			d.Extra[key] = v.JSON()
		}
	}
	return d
}
