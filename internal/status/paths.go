package status

import (
	"strings"

	"github.com/hookspan/hookspan/internal/install"
)

// atDir puts the folders of this call into a pattern or a key; ~ and variables are left to install.Env.
func atDir(env install.Env, pattern string) string {
	return strings.NewReplacer("{project}", env.Project, "{cwd}", env.Dir).Replace(pattern)
}

func isTOML(path string) bool { return strings.HasSuffix(path, ".toml") }
