package agent

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// Say is a decision in words that the row allows; encoders print it.
type Say struct {
	Event          hook.Name // the common name
	Native         string    // the event's own name
	Surface        string
	Verdict        hook.Verdict
	Reason         string   // of the verdict
	Input          []byte   // the whole native input, rewritten; nil = unchanged
	Changes        []Change // what of Input was changed
	Output         []byte   // JSON: the new result
	Context        string
	Plain          bool // all of Context was said as plain text
	Feedback       string
	Continue       bool
	ByExit         bool // Continue was said by exit code 2 alone
	ContinueReason string
	End            *string
	Notice         string

	Rest, RestSpecific []hook.Member
}

// Silent reports whether nothing is said.
func (s *Say) Silent() bool { return len(s.Words()) == 0 }

// Words lists what is said.
func (s *Say) Words() []Word {
	var w []Word
	add := func(said bool, word Word) {
		if said {
			w = append(w, word)
		}
	}
	add(s.Verdict == hook.Allow, Allow)
	add(s.Verdict == hook.Ask, Ask)
	add(s.Verdict == hook.Defer, Defer)
	add(s.Verdict == hook.Deny, Deny)
	add(s.Input != nil, Rewrite)
	add(s.Output != nil, Output)
	add(s.Context != "", Context)
	add(s.Feedback != "", Feedback)
	add(s.Continue, Continue)
	add(s.End != nil, End)
	add(s.Notice != "", Notice)
	add(len(s.Rest)+len(s.RestSpecific) > 0, Rest)
	return w
}

// Loss is a word that could not be said as it was meant. Every loss is journalled.
type Loss struct {
	Word Word
	To   Word // what was said instead; None = nothing, Later = kept for a later event
	Text string
}

// String says it for people.
func (l Loss) String() string {
	switch l.To {
	case None:
		return l.Word.String() + " cannot be said here"
	case Later:
		return l.Word.String() + " waits for a later event"
	}
	return l.Word.String() + " became " + l.To.String()
}

// Options of a lowering.
type Options struct {
	AskNone bool // `ask: none`: an ask that cannot be asked is dropped instead of denied
}

// Lower turns a decision into what the agent can say on this row's event. It is the only place
// where that is decided. A row of nil (an event in no table) can say nothing.
func Lower(a *Agent, r *Row, ev hook.Event, d hook.Decision, opt Options) (Say, []Loss) {
	if r == nil {
		r = &Row{Native: ev.From.Native}
	}
	l := lowering{a: a, r: r, ev: ev, opt: opt, d: d}
	l.say = Say{Event: ev.Name, Native: r.Native, Surface: ev.From.Surface}
	l.verdict()
	l.end()
	l.rewrite()
	l.result()
	l.finish()
	l.texts()
	l.rest()
	return l.say, l.losses
}

type lowering struct {
	a      *Agent
	r      *Row
	ev     hook.Event
	opt    Options
	d      hook.Decision
	say    Say
	losses []Loss
}

func (l *lowering) can(w Word) bool { return l.r.Can(w, l.ev.From.Surface) }

// instead returns what the table says in place of w.
func (l *lowering) instead(w Word) Word {
	if e := l.r.Cells[w].Else; e != Allow {
		return e
	}
	return None
}

func (l *lowering) lose(w, to Word, text string) {
	l.losses = append(l.losses, Loss{Word: w, To: to, Text: text})
}

func (l *lowering) verdict() {
	d := l.d
	if d.ByExit && d.Verdict == hook.Deny && l.r.NoExit {
		l.lose(Deny, None, d.Reason)
		return
	}
	switch d.Verdict {
	case hook.Deny:
		l.deny(Deny, d.Reason)
	case hook.Defer:
		if l.can(Defer) {
			l.say.Verdict, l.say.Reason = hook.Defer, Clean(d.Reason)
			return
		}
		l.lose(Defer, Ask, d.Reason)
		l.ask(d.Reason)
	case hook.Ask:
		l.ask(d.Reason)
	case hook.Allow:
		if l.can(Allow) {
			l.say.Verdict, l.say.Reason = hook.Allow, Clean(d.Reason)
			return
		}
		l.lose(Allow, None, d.Reason)
	}
}

// ask asks where it can be asked, and refuses elsewhere: an action that somebody wanted to see
// first must not run unseen.
func (l *lowering) ask(reason string) {
	if l.can(Ask) {
		l.say.Verdict, l.say.Reason = hook.Ask, Clean(reason)
		return
	}
	if l.opt.AskNone {
		l.lose(Ask, None, reason)
		return
	}
	why := "this needs a person's approval, which cannot be asked for here"
	if reason != "" {
		why = reason + " (" + why + ")"
	}
	l.lose(Ask, Deny, reason)
	l.deny(Ask, why)
}

func (l *lowering) deny(meant Word, reason string) {
	if reason = strings.TrimSpace(Clean(reason)); reason == "" {
		reason = "refused by a hook, which gave no reason"
	}
	if l.can(Deny) {
		l.say.Verdict, l.say.Reason = hook.Deny, reason
		return
	}
	to := l.instead(Deny)
	l.lose(meant, to, reason)
	l.divert(to, reason)
}

// divert says a text with another word than the one it was meant for.
func (l *lowering) divert(to Word, text string) {
	switch to {
	case Context:
		l.d.Context = append(l.d.Context, hook.Text{Body: text})
	case Feedback:
		l.d.Feedback = append(l.d.Feedback, hook.Text{Body: text})
	case Notice:
		l.d.Notice = append(l.d.Notice, text)
	case Continue:
		l.d.Continue, l.d.Reason = true, text
	}
}

func (l *lowering) end() {
	if l.d.End == nil {
		return
	}
	text := strings.TrimSpace(Clean(*l.d.End))
	if l.can(End) {
		l.say.End = &text
		return
	}
	to := l.instead(End)
	l.lose(End, to, text)
	if text == "" {
		text = "a hook ended the turn"
	}
	if to == Deny {
		if l.say.Verdict != hook.Deny {
			l.deny(End, text)
		}
		return
	}
	l.divert(to, text)
}

// rewrite puts a changed input into the agent's own. A rewrite that cannot be said, or cannot be
// put back, is a deny that tells what to run instead: the original must not run.
func (l *lowering) rewrite() {
	if l.d.Input == nil || l.say.Verdict == hook.Deny || l.ev.Tool == nil {
		return
	}
	after, err := wire.Parse(l.d.Input)
	if err != nil {
		l.lose(Rewrite, Deny, "not JSON")
		l.deny(Rewrite, "a hook changed the input into something that is not JSON")
		return
	}
	native, changes, err := l.a.Rewritten(l.ev.Tool, after)
	switch {
	case err != nil:
		l.lose(Rewrite, Deny, err.Error())
		l.deny(Rewrite, "a hook changed the input, and "+err.Error())
	case len(changes) == 0 && bytes.Equal(native, l.ev.Tool.Native):
		return // no change: the native bytes stay
	case l.can(Rewrite):
		l.say.Input, l.say.Changes = native, changes
	default:
		to := l.instead(Rewrite)
		text := insteadText(l.ev.Tool, after)
		l.lose(Rewrite, to, text)
		if to == Deny || to == None && l.can(Deny) {
			l.deny(Rewrite, text)
			return
		}
		l.divert(to, text)
	}
}

func insteadText(t *hook.Tool, after wire.Value) string {
	if c, ok := after.Get("command").StrOK(); ok && t.Kind == hook.KindShell {
		return "run this instead: " + c
	}
	return fmt.Sprintf("call %s with this input instead: %s", t.NativeName, after.Raw())
}

// Rewritten puts a changed input (Claude's keys) back into the native one.
func (a *Agent) Rewritten(t *hook.Tool, after wire.Value) ([]byte, []Change, error) {
	if a.Rewrite != nil {
		return a.Rewrite(t, after)
	}
	native, err := wire.Parse(t.Native)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the input is no object", ErrRewrite)
	}
	before, err := wire.Parse(t.Input)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the input is no object", ErrRewrite)
	}
	row := a.Tool(t.NativeName)
	if row == nil {
		row = &Tool{}
	}
	return Lens(*row, native, before, after)
}

func (l *lowering) result() {
	if l.d.Output == nil {
		return
	}
	if l.can(Output) {
		l.say.Output = l.d.Output
		return
	}
	to := l.instead(Output)
	l.lose(Output, to, "")
	l.divert(to, outputText(l.d.Output))
}

func outputText(raw []byte) string {
	v, err := wire.Parse(raw)
	if err != nil {
		return string(raw)
	}
	if s, ok := v.StrOK(); ok {
		return s
	}
	return string(raw)
}

func (l *lowering) finish() {
	if !l.d.Continue || l.say.End != nil && !l.can(Rest) {
		return // an end beats it; only the protocol's own agent is told both, as the handler said them
	}
	reason := strings.TrimSpace(Clean(l.d.Reason))
	if reason == "" {
		reason = "a hook wants more work, and gave no reason"
	}
	if l.can(Continue) {
		l.say.ByExit = l.d.ByExit
		l.say.Continue, l.say.ContinueReason = true, Shorten(reason, l.r.Cut.Chars)
		return
	}
	to := l.instead(Continue)
	l.lose(Continue, to, reason)
	l.divert(to, reason)
}

func (l *lowering) texts() {
	l.feedback()
	l.context()
	if n := joinNotices(l.d.Notice); n != "" {
		if l.can(Notice) {
			l.say.Notice = n
		} else {
			l.lose(Notice, Later, n)
		}
	}
}

func (l *lowering) feedback() {
	text := Shorten(Join(l.d.Feedback), l.r.Cut.Chars)
	if text == "" {
		return
	}
	if l.can(Feedback) {
		l.say.Feedback = text
		return
	}
	to := l.instead(Feedback)
	l.lose(Feedback, to, text)
	if to == Context {
		l.d.Context = append(append([]hook.Text(nil), l.d.Feedback...), l.d.Context...)
		return
	}
	l.divert(to, text)
}

func (l *lowering) context() {
	text := Join(l.d.Context)
	if text == "" {
		return
	}
	if l.can(Context) {
		l.say.Context, l.say.Plain = Shorten(text, l.r.Cut.Chars), allPlain(l.d.Context)
		return
	}
	to := l.instead(Context)
	l.lose(Context, to, text)
	l.divert(to, text)
}

func allPlain(texts []hook.Text) bool {
	for _, t := range texts {
		if !t.Plain || t.Untrusted {
			return false
		}
	}
	return true
}

func joinNotices(texts []string) string {
	var parts []string
	for _, t := range texts {
		if t = strings.TrimSpace(Clean(t)); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "\n")
}

func (l *lowering) rest() {
	if len(l.d.Rest)+len(l.d.RestSpecific) == 0 {
		return
	}
	if l.can(Rest) {
		l.say.Rest, l.say.RestSpecific = l.d.Rest, l.d.RestSpecific
		return
	}
	for _, m := range append(append([]hook.Member(nil), l.d.Rest...), l.d.RestSpecific...) {
		l.lose(Rest, None, m.Key)
	}
}

// Print encodes what was lowered. A word that the row denies is an error and nothing is printed:
// an encoder must never be the place where an answer is decided.
func Print(a *Agent, r *Row, s Say) (Reply, error) {
	if r == nil {
		r = &Row{Native: s.Native}
	}
	for _, w := range s.Words() {
		if !r.Can(w, s.Surface) {
			return a.Encode(r, Say{Event: s.Event, Native: s.Native, Surface: s.Surface}),
				fmt.Errorf("failed to answer %s on %s: the table of %s denies the word %s", a.Name, r.Native, a.Name, w)
		}
	}
	return a.Encode(r, s), nil
}
