package claude

import "github.com/hookspan/hookspan/internal/agent"

// doubt: the dialog stores the git root, and an entry for the launch folder is taken too.
func doubt(l agent.Look) *agent.Doubt {
	projects := l.Doc("${CLAUDE_CONFIG_DIR:-~}/.claude.json").Get("projects")
	for _, dir := range []string{l.Project, l.Dir} {
		if projects.Get(dir, "hasTrustDialogAccepted").True() {
			return nil
		}
	}
	return &agent.Doubt{What: "the folder is not trusted yet: " + howToTrust}
}
