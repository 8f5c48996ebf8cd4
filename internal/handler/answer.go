package handler

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// The exit codes with a meaning, as in Claude Code. All others say that the handler failed.
const (
	exitGoOn = 0
	exitNo   = 2
)

// What Claude Code says for a no without words.
const (
	noStderr = "No stderr output"
	noReason = "Blocked by hook"
	noGrant  = "Permission denied by hook" // on PermissionRequest
)

// Answer reads what a handler said about an event, by Claude Code's rules (versions 2.1.220 and
// 2.1.332, measured):
//
//   - One JSON object on stdout counts at every exit code. Values that Claude's schema refuses, and
//     a hookSpecificOutput without the event's own name, are an error.
//   - Exit code 2 is a no, stronger than an allow in JSON. The reason is that of a no in JSON, else
//     stderr. What a no means depends on the event's class; on events that only observe it is a
//     notice. Whatever stands on stdout, exit code 2 is never an error.
//   - Exit code 0 with plain text is context on SessionStart, UserPromptSubmit and PreCompact, and
//     nothing elsewhere.
//   - All other exit codes without JSON are an error.
//   - A first line {"async":true} says that nobody should wait: no opinion at any exit code. The
//     context and the notice of JSON on later lines stand.
//
// Claude takes JSON with noise around it, several documents, cut JSON and the handler's own input
// as plain text, so that a deny gets lost without a word: here they are errors.
//
// Keys without a field in [hook.Decision] are kept in order: those of the top in Rest, those of
// hookSpecificOutput in RestSpecific, where members of PermissionRequest's decision object have
// the key "decision.NAME". The texts come without their origin.
func Answer(ev hook.Event, stdout, stderr []byte, exit int) (hook.Decision, error) {
	out := clean(stdout)
	if rest, ok := background(out); ok {
		return aside(ev, rest), nil
	}
	d, isJSON, err := readOutput(ev, out)
	switch {
	case exit == exitNo:
		return refuse(ev, d, clean(stderr)), nil
	case isJSON:
		return d, err
	case exit != exitGoOn:
		return hook.Decision{}, exitError(exit, stderr)
	case err != nil || out == "" || !takesText(ev.Name):
		return hook.Decision{}, err
	}
	return hook.Decision{Context: []hook.Text{{Body: out, Plain: true}}}, nil
}

// takesText tells where Claude Code uses plain stdout: for the model, for the one who writes the
// summary (PreCompact), or as the answer itself (WorktreeCreate, the path).
func takesText(name hook.Name) bool {
	switch name {
	case hook.SessionStart, hook.UserPromptSubmit, hook.PreCompact,
		"UserPromptExpansion", "PostModelSwitch", "WorktreeCreate":
		return true
	}
	return false
}

// readOutput reads stdout as JSON. isJSON tells that it is one object: then d is what it says, or
// err what is wrong with it. Without isJSON, err says that it was meant as JSON.
func readOutput(ev hook.Event, out string) (d hook.Decision, isJSON bool, err error) {
	if !strings.HasPrefix(out, "{") && !looksLikeArray(out) {
		return d, false, noise(out)
	}
	v, err := wire.Parse([]byte(out))
	if err != nil {
		return d, false, fmt.Errorf("the answer is not one JSON object: %s", reason(err))
	}
	if v.Kind() != wire.Object {
		return d, false, fmt.Errorf("the answer is a JSON %s; it must be one object, or nothing", v.Kind())
	}
	if echoes(ev, v) {
		return d, false, errors.New("the answer is not an answer: it is the handler's own input, printed back")
	}
	d, err = readReply(ev, v)
	return d, true, err
}

// reason is a JSON error without its "failed to read JSON: ".
func reason(err error) string {
	var e *wire.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	return fmt.Sprintf("%s at byte %d: %s", e.Kind, e.Offset, e.Msg)
}

// echoes reports whether an answer is the event as the handler got it.
func echoes(ev hook.Event, v wire.Value) bool {
	for _, key := range answerKeys {
		if key != "reason" && v.Has(key) { // SessionEnd has a reason
			return false
		}
	}
	if v.Has("hook_event_name") || v.Has("hookspan") {
		return true
	}
	sent, err := wire.Parse(ev.Payload)
	return err == nil && sent.Len() > 0 && wire.Equal(sent, v)
}

// background reports whether the first line says that the handler goes on by itself, and returns
// what follows it.
func background(out string) (rest string, ok bool) {
	first, rest, _ := strings.Cut(out, "\n")
	if !strings.HasPrefix(first, "{") {
		return "", false
	}
	v, err := wire.Parse([]byte(first))
	if err != nil {
		return "", false
	}
	async, _ := v.Get("async").Bool()
	return clean([]byte(rest)), async
}

// aside is what a handler that nobody waits for may still say.
func aside(ev hook.Event, rest string) hook.Decision {
	d, _, err := readOutput(ev, rest)
	if err != nil {
		return hook.Decision{}
	}
	return hook.Decision{Context: d.Context, Notice: d.Notice}
}

// refuse turns exit code 2 into the event's no. d is what JSON said beside it.
func refuse(ev hook.Event, d hook.Decision, stderr string) hook.Decision {
	why := stderr
	if why == "" {
		why = noStderr
	}
	switch ev.Name.Class() {
	case hook.Gate:
		if d.Verdict != hook.Deny {
			d.Verdict, d.Reason, d.ByExit = hook.Deny, why, true
		}
		d.Input = nil
	case hook.After:
		if len(d.Feedback) == 0 {
			d.Feedback, d.ByExit = []hook.Text{{Body: why}}, true
		}
	case hook.Finish:
		if !d.Continue {
			d.Continue, d.Reason, d.ByExit = true, why, true
		}
	case hook.Observe:
		if stderr != "" {
			d.Notice = append(d.Notice, stderr)
		}
	}
	return d
}

// exitError says that a handler failed, with the end of what it wrote.
func exitError(exit int, stderr []byte) error {
	text := fmt.Sprintf("exit code %d", exit)
	switch exit {
	case 126:
		text += " (a program was found but cannot be executed)"
	case 127:
		text += " (a program was not found)"
	}
	if end := Tail(stderr, 8, 800); end != "" {
		text += ": " + end
	}
	return errors.New(text)
}
