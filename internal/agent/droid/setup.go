package droid

import "github.com/hookspan/hookspan/internal/agent"

// howToTrust is what the agent's own trust wants before it runs hooks.
const howToTrust = "in the terminal no hook runs before the folder is trusted: start droid in the project once and trust it (`droid exec` asks for no trust)"

// Setup is how hookspan registers itself in Droid. hooks.json shadows settings.json event by event, so
// each event goes into the file that already defines it.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "droid",
		Home:    "${FACTORY_HOME_OVERRIDE:-~}/.factory",
		User:    carriers("${FACTORY_HOME_OVERRIDE:-~}/.factory"),
		Project: carriers("{project}/.factory"),
		Choice:  agent.ChooseByEvent,
		Layout:  agent.Grouped,
		Keys:    agent.Keys{Type: true, Command: "command", Timeout: "timeout"},
		Windows: agent.Cmd,
		// Hooks start in the session's folder, in the checkout whose .factory was read.
		Checkout:    ".",
		UserGate:    howToTrust,
		ProjectGate: howToTrust,
	}
}

// carriers in the order in which one shadows the next. The second is read only where there is no first.
func carriers(dir string) []agent.Carrier {
	return []agent.Carrier{
		{Path: dir + "/hooks.json", Format: agent.JSONComments, BOM: true},
		{Path: dir + "/hooks/hooks.json", Format: agent.JSONComments, BOM: true, Legacy: true},
		{Path: dir + "/settings.json", Format: agent.JSONComments, BOM: true, At: []string{"hooks"}},
	}
}
