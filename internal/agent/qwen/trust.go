package qwen

import "github.com/hookspan/hookspan/internal/agent"

// doubt: trust is off unless the user's settings switch it on. What is trusted is not read.
func doubt(l agent.Look) *agent.Doubt {
	if !l.Doc("${QWEN_HOME:-~/.qwen}/settings.json").Get("security", "folderTrust", "enabled").True() {
		return nil
	}
	return &agent.Doubt{What: "folder trust is on (security.folderTrust.enabled): in a folder that is not trusted the project's hooks do not run",
		Do: "start qwen here and trust the folder"}
}
