package hook

// Verdict is an opinion on whether something may happen.
type Verdict uint8

// The verdicts, weakest first: a merge takes the strongest.
const (
	NoOpinion Verdict = iota
	Allow
	Ask
	Defer // Claude's -p only: end the session, someone decides later
	Deny
)

func (v Verdict) String() string {
	return [...]string{"none", "allow", "ask", "defer", "deny"}[v]
}

// Text is text for the model, with its origin.
type Text struct {
	From      string // the handler that said it
	Body      string
	Plain     bool // was said as plain text, not as additionalContext
	Untrusted bool // comes from outside (git, files): fenced and labelled as data
}

// Decision is what handlers say about one event. The zero value is no opinion.
type Decision struct {
	Verdict  Verdict
	Reason   string   // of a Deny, Ask, Defer or Allow
	ByExit   bool     // the Deny, Continue or Feedback was said by exit code 2 alone
	Input    []byte   // a rewrite of the tool's input: whole, in Claude's keys
	Output   []byte   // replaces a tool's result
	Context  []Text   // for the model
	Feedback []Text   // for the model, about a call that has happened
	Continue bool     // Finish events: keep working; Reason says why
	End      *string  // end the turn, with a text for the user
	Notice   []string // for the user
	// Rest are keys that only Claude knows: kept there, reported elsewhere.
	Rest, RestSpecific []Member
}

// Silent reports whether the decision says nothing at all.
func (d Decision) Silent() bool {
	return d.Verdict == NoOpinion && !d.Continue && d.End == nil && d.Input == nil && d.Output == nil &&
		len(d.Context)+len(d.Feedback)+len(d.Notice)+len(d.Rest)+len(d.RestSpecific) == 0
}
