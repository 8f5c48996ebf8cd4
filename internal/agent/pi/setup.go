package pi

import "github.com/hookspan/hookspan/internal/agent"

// howToTrust is what the agent's own trust wants before it runs hooks.
const howToTrust = "project trust: start pi in the project once and trust it, or pass --approve; `pi -p` skips an untrusted project's extensions in silence"

// Setup is how hookspan registers itself in Pi: as an extension file that starts us. An extension that
// fails to load ends Pi, so the file imports nothing but Node's own.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "pi",
		Home:    "${PI_CODING_AGENT_DIR:-~/.pi/agent}",
		User:    []agent.Carrier{{Path: "${PI_CODING_AGENT_DIR:-~/.pi/agent}/extensions/hookspan.ts", Format: agent.TypeScript, Own: true}},
		Project: []agent.Carrier{{Path: "{project}/.pi/extensions/hookspan.ts", Format: agent.TypeScript, Own: true}},
		Layout:  agent.Generated,
		Bridge: func(b agent.Bridge) []byte {
			return Bridge(BridgeOptions{Program: b.Program, Project: b.Project, Block: b.Block, Events: b.Events, Tools: b.Tools})
		},
		IsBridge: func(file []byte) bool {
			_, ok := BridgeHeader(file)
			return ok
		},
		// The extension itself finds the checkout from its own folder.
		Checkout:    ".",
		ProjectGate: howToTrust,
	}
}
