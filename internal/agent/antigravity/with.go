package antigravity

import "github.com/hookspan/hookspan/internal/agent"

// With says that agy cannot be started with hooks for one session: by its documents it reads fixed places.
func With() agent.With {
	return agent.With{Not: "Antigravity and agy read hooks from fixed places only (by their documents). " +
		"Type `hookspan install --agent antigravity`, and `hookspan uninstall --agent antigravity` afterwards: your file comes back byte for byte"}
}
