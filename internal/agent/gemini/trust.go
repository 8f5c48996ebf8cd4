package gemini

import (
	"path/filepath"

	"github.com/hookspan/hookspan/internal/agent"
)

// doubt: trust is on unless the user's settings switch it off; the first entry that speaks of the
// folder counts, for the folders below too.
func doubt(l agent.Look) *agent.Doubt {
	if l.Env("GEMINI_CLI_TRUST_WORKSPACE") == "true" {
		return nil
	}
	const home = "${GEMINI_CLI_HOME:-~}/.gemini/"
	if l.Doc(home+"settings.json").Get("security", "folderTrust", "enabled").False() {
		return nil
	}
	path := home + "trustedFolders.json"
	if l.Env(trustVariable) != "" {
		path = "${" + trustVariable + ":-~/.gemini/trustedFolders.json}"
	}
	for dir, v := range l.Doc(path).Members() {
		switch word := v.Str(); {
		case word == "TRUST_FOLDER" && agent.Within(l.Dir, dir), word == "TRUST_PARENT" && agent.Within(l.Dir, filepath.Dir(dir)):
			return nil
		case word == "DO_NOT_TRUST" && agent.Within(l.Dir, dir):
			return &agent.Doubt{Wrong: true, What: l.Shown(path) + " says that this folder is not to be trusted: no hook runs here",
				Do: "/permissions in gemini, or GEMINI_CLI_TRUST_WORKSPACE=true"}
		}
	}
	return &agent.Doubt{What: "the folder is not trusted yet: " + howToTrust}
}

// trustVariable names the file of trusted folders.
const trustVariable = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
