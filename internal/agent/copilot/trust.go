package copilot

import "github.com/hookspan/hookspan/internal/agent"

// doubt: repository hooks run in trusted folders and those below; -p never asks.
func doubt(l agent.Look) *agent.Doubt {
	if !l.InProject || l.Env("COPILOT_ALLOW_ALL") == "true" || l.Env("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS") == "true" {
		return nil
	}
	for v := range l.Doc("${COPILOT_HOME:-~/.copilot}/config.json").Get("trustedFolders").Elems() {
		if agent.Within(l.Project, v.Str()) {
			return nil
		}
	}
	return &agent.Doubt{Wrong: true, What: "the project is not trusted: " + howToTrust, Do: "start copilot here and trust the folder"}
}
