package agent

// With is how an agent is started with hooks for one session while its configuration stays as it is:
// facts about the agent's command line and variables, as data.
type With struct {
	// Ways are the ways in, best first. A way that the person's own arguments stand in is passed over.
	Ways []Way
	// Not is why there is no way, or why the last one was passed over, and what to do instead: one
	// sentence or two for people.
	Not   string
	Notes []string // what people should know when the session starts, one sentence each
}

// Way is one way in. In Args, Env and List the text {dir} stands for the session's own folder.
type Way struct {
	Args  []string // in front of the person's own
	Env   []string // NAME=value
	Clash []string // arguments of the person that would undo Args, or be undone: "--settings", "-c hooks."

	// Hooks is the file that carries the registration, its Path below the session's folder; a
	// generated one where the agent runs functions. Files are the others that the agent wants.
	Hooks Carrier
	Files []SessionFile

	// Inline puts the registration on the command line instead of into a file.
	Inline func([]SessionHook) []string
	// Layer is set where the file stands in for a settings file of the whole machine.
	Layer *Layer
	// List is set where a variable names the file.
	List *List
}

// SessionFile is a file of fixed text.
type SessionFile struct{ Path, Text string }

// SessionHook is one entry of a registration.
type SessionHook struct {
	Native  string
	Command string
	Timeout int64 // in the agent's unit
}

// Layer is the machine's settings file, of which an agent reads one only. What it holds is carried over
// into the session's file, so that no rule of the machine's owner is lost.
type Layer struct {
	Var                 string // the variable that names the file
	Linux, Mac, Windows string // where it is without the variable
	// Beside is a second file that is looked for beside the first one, and BesideVar the variable that
	// keeps it where it was.
	Beside, BesideVar string
	// Root: the agent reads the file only if it and every folder above it belong to root and nobody else
	// may write there.
	Root bool
}

// List is a variable that holds a JSON object with a list of files in it.
type List struct {
	Var  string
	At   []string // the keys that lead to the list
	Item string   // what is added to it
}
