package agent

// Gate is a member of a settings file that stops hooks in silence: what a program can look for of that
// which Agent.Switches tells people.
type Gate struct {
	Files []string // in which it counts, written like Place.Path
	Key   []string // the keys that lead to it; {project} in a key is the project's folder
	Is    string   // the value that stops hooks, as JSON
	Stops string   // which hooks it stops: Everything, NotManaged, UserHooks or ProjectHooks
	Lift  string   // what people have to do with it: "take it out"
}

// Variable is a variable that stops hooks in silence.
type Variable struct {
	Name  string
	Is    string // the value that stops hooks
	Stops string // as of a Gate
}

// What a Gate or a Variable stops.
const (
	// Everything: no hook runs.
	Everything = "every hook"
	// NotManaged: only hooks of managed settings run, and ours are not among them.
	NotManaged = "every hook that is not the administrator's"
	// UserHooks: the hooks of the user's own files do not run.
	UserHooks = "user"
	// ProjectHooks: the hooks of the project's files do not run.
	ProjectHooks = "project"
)

// AskManager is what to do about a gate of managed settings.
const AskManager = "ask whoever manages this machine"
