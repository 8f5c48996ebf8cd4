//go:build live

package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// form is one answer that a handler may give, and what Claude Code 2.1.332 makes of it.
type form struct {
	name, stdout, stderr string
	exit                 int
	stops                bool   // a call does not happen
	tells                string // what the model is told of it; "" = nothing
	// framed: Claude puts the handler's command line before what the handler said (claude/FACTS.md, 8).
	framed bool
	// instead is a stated difference: what the model is told through us, where tells is what it is told
	// without us. The stated differences are those of docs/protocol.md and claude/FACTS.md.
	instead *string
}

// scene brings forms about, one after the other in one session, or each in a session of its own.
type scene struct {
	event, name string
	forms       []form
	// turn makes the model bring the form about: mark must reach the handler. nil = the prompt does.
	turn func(mark string) Turn
	args []string // of the agent's command line
	solo bool     // each form ends the session
	// calls: a form decides whether a tool call happens.
	calls bool
}

// TestAHandlerHasTheSameEffectInClaude is the law of transparency on the real program: for every form
// of answer that was measured, the model is told the same and the same happens, whether Claude Code
// starts the handler or hookspan does.
func TestAHandlerHasTheSameEffectInClaude(t *testing.T) {
	d, err := Lookup("claude")
	if err != nil {
		t.Fatal(err)
	}
	prog := program(t, d)
	hookspan := hookspanProgram(t)
	gate := make(chan struct{}, 2) // sessions at a time
	for _, s := range scenes() {
		for _, part := range s.parts() {
			t.Run(part.title(), func(t *testing.T) {
				t.Parallel()
				gate <- struct{}{}
				defer func() { <-gate }()
				part.check(t, hookspan, Options{Program: prog, Timeout: time.Minute})
			})
		}
	}
}

// parts are the sessions in which a scene is played.
func (s scene) parts() []scene {
	if !s.solo {
		return []scene{s}
	}
	var list []scene
	for _, f := range s.forms {
		one := s
		one.forms = []form{f}
		list = append(list, one)
	}
	return list
}

func (s scene) title() string {
	if s.solo {
		return s.event + "/" + s.forms[0].name
	}
	return s.event + "/" + s.name
}

func mark(i int) string { return fmt.Sprintf("form-%02d.", i) }

// handler answers each mark with its form, and the rest with silence.
func (s scene) handler() string {
	var b strings.Builder
	b.WriteString("in=$(cat)\ncase $in in\n")
	for i, f := range s.forms {
		at := mark(i)
		if s.turn == nil {
			at = ""
		}
		fmt.Fprintf(&b, "*%s*) printf %%s %s; printf %%s %s >&2; exit %d;;\n", at, Quote(f.stdout), Quote(f.stderr), f.exit)
	}
	b.WriteString("esac\n")
	return b.String()
}

func (s scene) script() Script {
	var script Script
	if s.turn != nil {
		for i := range s.forms {
			turn := s.turn(mark(i))
			if s.solo && s.calls {
				turn.Calls[0].Command += "; echo ran > ran.txt"
			}
			script = append(script, turn)
		}
	}
	return append(script, Say("The end."))
}

func (s scene) check(t *testing.T, hookspan string, opts Options) {
	opts.Args = s.args
	direct, through, err := Transparency(t.Context(), Case{Event: s.event, Handler: s.handler(), Script: s.script()}, hookspan, opts)
	if err != nil {
		t.Fatal(err)
	}
	if direct.Requests != through.Requests || direct.Exit != through.Exit {
		t.Errorf("%d requests and exit code %d without us, %d and %d through us", direct.Requests, direct.Exit, through.Requests, through.Exit)
	}
	if s.solo && s.calls && (direct.Ran == s.forms[0].stops || through.Ran != direct.Ran) {
		t.Errorf("the call ran without us: %v, through us: %v; it should run: %v", direct.Ran, through.Ran, !s.forms[0].stops)
	}
	for i, f := range s.forms {
		t.Run(f.name, func(t *testing.T) { s.same(t, i, f, direct, through) })
	}
}

// same compares what came of form i.
func (s scene) same(t *testing.T, i int, f form, direct, through Effect) {
	a, b := s.told(direct, i), s.told(through, i)
	f.known(t, s, "without us", a, f.tells)
	if f.instead != nil {
		f.known(t, s, "through us", b, *f.instead)
		if a == b {
			t.Errorf("the stated difference is none: %q", a)
		}
		return
	}
	if f.framed {
		a, b = unframed(a), unframed(b)
	}
	if a != b {
		t.Errorf("the model was told\n%q without us and\n%q through us", a, b)
	}
}

// told is what the model was told about form i, with the final text where the session ended there.
func (s scene) told(e Effect, i int) string {
	if s.turn == nil {
		i--
	}
	if i+1 < len(e.Told) {
		return strings.Join(e.Told[i+1], "\n")
	}
	return "no request; the result is: " + e.Result
}

// unframed leaves out who said it: Claude names the command line, and we the handler where Claude itself
// would have named us (after a tool).
func unframed(text string) string {
	return (Effect{Result: strings.ReplaceAll(text, "[handler.sh]: ", "[<hook>]: ")}).Unframed().Result
}

// known holds the fact sheet to the run: a law that two silent programs keep is none.
func (f form) known(t *testing.T, s scene, who, told, want string) {
	t.Helper()
	if want != "" && !strings.Contains(told, want) {
		t.Errorf("%s the model should be told %q, and was told %q", who, want, told)
	}
	if want == "" && strings.Contains(told, "SAID") {
		t.Errorf("%s the model should be told nothing of the hook, and was told %q", who, told)
	}
	if s.calls && !s.solo && strings.Contains(told, "it-ran") == f.stops {
		t.Errorf("%s the call should have run: %v; the model was told %q", who, !f.stops, told)
	}
}

// TestADeletedHandlerRefusesNothing is the second stated difference: a shell or an interpreter that does
// not find its script leaves with 2, which Claude takes for a no to every call.
func TestADeletedHandlerRefusesNothing(t *testing.T) {
	d, err := Lookup("claude")
	if err != nil {
		t.Fatal(err)
	}
	c := Case{Event: "PreToolUse", Handler: "exit 0",
		Script: Script{Call(Shell(`rm "$HOME/../handler.sh"`)), Call(Shell("echo ran > ran.txt")), Say("The end.")}}
	direct, through, err := Transparency(t.Context(), c, hookspanProgram(t), Options{Program: program(t, d)})
	if err != nil {
		t.Fatal(err)
	}
	if direct.Ran || !through.Ran {
		t.Errorf("with its script gone, the call ran without us: %v, and through us: %v; the model was told %q and %q",
			direct.Ran, through.Ran, direct.Told, through.Told)
	}
}

// hso is an answer whose words stand in hookSpecificOutput.
func hso(event, members string) string {
	return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,%s}}`, event, members)
}

func nothing() *string { s := ""; return &s }

// echoes makes the model run a command that tells whether it ran.
func echoes(mark string) Turn {
	return Call(Shell("echo it-ran-" + mark))
}

func scenes() []scene {
	return slices.Concat(before(), after(), around())
}
