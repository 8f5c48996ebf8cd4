package droid

import "github.com/hookspan/hookspan/internal/agent"

// doubt: trust in a folder counts for those below too.
func doubt(l agent.Look) *agent.Doubt {
	for dir := range l.Doc("${FACTORY_HOME_OVERRIDE:-~}/.factory/settings.json").Get("trustedFolders").Members() {
		if agent.Within(l.Dir, dir) {
			return nil
		}
	}
	return &agent.Doubt{What: "the folder is not trusted yet: " + howToTrust}
}
