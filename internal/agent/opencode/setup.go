package opencode

import "github.com/hookspan/hookspan/internal/agent"

// npmLock is a lock file by which OpenCode 1.18.33 takes its own plugin package for installed.
const npmLock = `{"lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}` + "\n"

// Setup is how hookspan registers itself in OpenCode: as a plugin file that starts us. OPENCODE_CONFIG_DIR
// is a folder in addition, and the same plugin in both would load twice, so the file stays where
// OpenCode reads it with and without that variable.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "opencode",
		Home:    "${XDG_CONFIG_HOME:-~/.config}/opencode",
		User:    []agent.Carrier{{Path: "${XDG_CONFIG_HOME:-~/.config}/opencode/plugins/hookspan.js", Format: agent.JavaScript, Own: true}},
		Project: []agent.Carrier{{Path: "{project}/.opencode/plugins/hookspan.js", Format: agent.JavaScript, Own: true}},
		Layout:  agent.Generated,
		Bridge: func(b agent.Bridge) []byte {
			return Bridge(BridgeOptions{Program: b.Program, Project: b.Project, Block: b.Block, Events: b.Events, Tools: b.Tools})
		},
		IsBridge: func(file []byte) bool {
			_, ok := BridgeHeader(file)
			return ok
		},
		NPMLock: npmLock,
		// The plugin itself finds the checkout from its own folder.
		Checkout: ".",
		Notes: []string{"with any plugin OpenCode waits at its start until npm has installed @opencode-ai/plugin, about 70 seconds where there is no network; " +
			"to avoid that set npm_config_offline=true when offline, or type: hookspan install --agent opencode --no-npm-wait"},
	}
}
