package manifest

import "slices"

// form is what a key of a handler holds, for the schema and for hints.
type form uint8

const (
	formText form = iota
	formBool
	formSeconds
	formCount
	formTexts
	formWord
	formCommand // a text or a list of texts
	formMap     // of texts
	formAny
)

// types is a set of handler types.
type types uint8

const (
	onCommand types = 1 << Command
	onGuard   types = 1 << Guard
	onHTTP    types = 1 << HTTP
	onAll           = onCommand | onGuard | onHTTP
)

// key is one key of a handler. The table of keys is the one truth for reading, hints and schema.
type key struct {
	name    string
	on      types
	form    form
	words   []string // of a formWord
	doc     string   // for the schema
	ignored string   // Claude's key that is not obeyed: what happens instead
	read    func(*draft, *node)
}

// handlerKeys lists all keys of a handler but the guards' own.
func handlerKeys() []key {
	return slices.Concat(ourKeys(), claudeKeys(), ignoredKeys())
}

func ourKeys() []key {
	return []key{
		{name: "guard", on: onGuard, doc: "The name of a built-in guard.",
			read: func(d *draft, n *node) { d.Guard, _ = d.filled(n, "guard") }},
		{name: "name", on: onAll, doc: "How messages and the journal call the handler; else its program's or guard's name.",
			read: func(d *draft, n *node) { d.Name = d.name(n) }},
		{name: "on_failure", on: onAll, form: formWord, words: []string{"block", "allow"},
			doc:  "What a failure counts as: guards block and others allow, unless told here. allow is no opinion and never grants.",
			read: func(d *draft, n *node) { d.onFailure(n, "on_failure", "block", "allow") }},
		{name: "agents", on: onAll, form: formTexts, doc: "The agents in which the handler runs; all if left out.",
			read: func(d *draft, n *node) { d.Agents = d.agents(n) }},
		{name: "each", on: onCommand | onHTTP, form: formWord, words: []string{"file", "call"},
			doc: "For a tool call that touches several files: one run per file, or one for the call.",
			read: func(d *draft, n *node) {
				if d.word(n, "each", "file", "call") == "call" {
					d.Each = EachCall
				}
			}},
		{name: "env", on: onCommand, form: formTexts, doc: "The names of the environment variables that the program gets; all if left out.",
			read: func(d *draft, n *node) { d.Env = d.variables(n, "env") }},
		{name: "untrusted", on: onCommand | onHTTP, form: formBool, doc: "What the handler adds to the context comes from outside: it is fenced and labelled as data.",
			read: func(d *draft, n *node) { d.Untrusted = d.boolean(n, "untrusted") }},
		{name: "mode", on: onAll, form: formWord, words: []string{"enforce", "warn"}, doc: "warn only reports what the handler would have stopped.",
			read: func(d *draft, n *node) {
				if d.word(n, "mode", "enforce", "warn") == "warn" {
					d.Mode = Warn
				}
			}},
		{name: "gate", on: onCommand, form: formBool, doc: "On Stop and SubagentStop: a failing exit sends the agent back to work with the end of the output.",
			read: func(d *draft, n *node) { d.Gate = d.boolean(n, "gate") }},
		{name: "max_continues", on: onCommand | onHTTP, form: formCount, doc: "How often in one turn the handler may send the agent back; 3 for a gate.",
			read: func(d *draft, n *node) { d.MaxContinues = d.count(n, "max_continues", 1, maxSentCount) }},
	}
}

// claudeKeys are the keys of Claude Code's that are obeyed (2.1.332).
func claudeKeys() []key {
	return []key{
		{name: "type", on: onAll, form: formWord, words: []string{"command", "guard", "http"}, doc: "May be left out: command, guard or url tells it.",
			read: func(*draft, *node) {}}, // read first, see draft.kind
		{name: "command", on: onCommand, form: formCommand, doc: "A text is a line for the shell, a list is a program and its arguments.",
			read: func(d *draft, n *node) { d.command(n) }},
		{name: "args", on: onCommand, form: formTexts, doc: "Arguments: command is then a program, started without a shell.",
			read: func(d *draft, n *node) { d.args = d.texts(n, "args", nil) }},
		{name: "timeout", on: onAll, form: formSeconds, doc: "Seconds; 60 if left out.",
			read: func(d *draft, n *node) { d.Timeout = d.seconds(n, "timeout") }},
		{name: "if", on: onAll, doc: "A permission rule of Claude's, for instance Bash(git *): the handler runs only for such calls.",
			read: func(d *draft, n *node) { d.If = d.rule(n) }},
		{name: "async", on: onCommand, form: formBool, doc: "The handler is not waited for, and its answer does not count.",
			read: func(d *draft, n *node) { d.Async = d.boolean(n, "async") }},
		{name: "onFailure", on: onAll, form: formWord, words: []string{"block", "continue"}, doc: "Claude's spelling of on_failure.",
			read: func(d *draft, n *node) { d.onFailure(n, "onFailure", "block", "continue") }},
		{name: "url", on: onHTTP, doc: "Where the handler's input is posted to: https, or http on this machine.",
			read: func(d *draft, n *node) { d.url(n) }},
		{name: "headers", on: onHTTP, form: formMap, doc: "Headers; $NAME stands for a variable of allowedEnvVars.",
			read: func(d *draft, n *node) { d.headers(n) }},
		{name: "allowedEnvVars", on: onHTTP, form: formTexts, doc: "The variables that headers may hold.",
			read: func(d *draft, n *node) { d.AllowedEnvVars = d.variables(n, "allowedEnvVars") }},
	}
}

// ignoredKeys are the keys of Claude Code's that are known and not obeyed (2.1.332).
func ignoredKeys() []key {
	const notRun = "it belongs to handlers of a type that does not run here"
	why := [][2]string{
		{"shell", "commands run in sh; on Windows in Git's sh, else in PowerShell"},
		{"once", "the handler runs every time, as in Claude's settings"},
		{"statusMessage", "only Claude could show it"},
		{"asyncRewake", "the handler is waited for, as in claude -p"},
		{"rewakeMessage", "it goes with asyncRewake"},
		{"rewakeSummary", "it goes with asyncRewake"},
		{"model", notRun}, {"prompt", notRun}, {"server", notRun}, {"tool", notRun}, {"input", notRun}, {"continueOnBlock", notRun},
	}
	keys := make([]key, len(why))
	for i, w := range why {
		keys[i] = key{name: w[0], on: onAll, form: formAny, ignored: w[1], doc: "Claude's; ignored here: " + w[1] + "."}
	}
	return keys
}

// otherWords are keys of other tools' that mean one of ours.
func otherWords(word string) string {
	switch word {
	case "http", "endpoint", "webhook":
		return `write url: ..., with type: http or without type`
	case "bash", "powershell", "run", "script", "exec", "cmd", "sh":
		return `did you mean "command"?`
	case "timeoutSec", "timeoutMs", "timeout_ms", "timeoutSeconds", "timeout_seconds":
		return `did you mean "timeout"? It is in seconds`
	case "failClosed", "fail_closed":
		return "write on_failure: block"
	case "failOpen", "fail_open":
		return "write on_failure: allow"
	case "matcher":
		return `"matcher" stands on the group, beside hooks`
	case "hooks":
		return "handlers have no handlers of their own: look at the indentation"
	case "background":
		return "write async: true"
	case "argv", "arguments":
		return `did you mean "args"?`
	}
	return ""
}
