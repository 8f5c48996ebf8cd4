package cursor

import "github.com/hookspan/hookspan/internal/agent"

// With says that Cursor cannot be started with hooks for one session: its loader reads fixed places, and
// no option or variable names another (sdk-1.0.32).
func With() agent.With {
	return agent.With{Not: "Cursor reads hooks from fixed places only, and no option or variable names another. " +
		"Type `hookspan install --agent cursor`, and `hookspan uninstall --agent cursor` afterwards: your file comes back byte for byte"}
}
