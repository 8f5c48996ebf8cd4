package engine

// Verdict is an outcome in one word, for the journal and for people.
func Verdict(o Outcome) string {
	d := o.Decision
	switch {
	case o.Err != nil && o.Failed != "block":
		return "failed"
	case o.Async:
		return "started"
	case d.End != nil:
		return "end"
	case d.Verdict != 0:
		return d.Verdict.String()
	case d.Continue:
		return "continue"
	case len(d.Feedback) > 0:
		return "feedback"
	case d.Input != nil:
		return "rewrite"
	case d.Output != nil:
		return "output"
	case len(d.Context) > 0:
		return "context"
	case len(d.Notice) > 0:
		return "notice"
	}
	return "none"
}

// Reason is why, in the handler's own words; "" where it gave none.
func Reason(o Outcome) string {
	d := o.Decision
	switch {
	case d.Reason != "":
		return d.Reason
	case d.End != nil:
		return *d.End
	case len(d.Feedback) > 0:
		return d.Feedback[0].Body
	}
	return ""
}
