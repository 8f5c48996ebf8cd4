package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/state"
)

// words are what handlers print: answers, half answers, and none.
var words = []string{
	"", "text", "{}", "{oops", `{"decision":"block","reason":"R"}`, `{"continue":false,"stopReason":"S"}`, `{"systemMessage":"M"}`,
	`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`,
	`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"R"}}`,
	`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}`,
	`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"true"}}}`,
	`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
	`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"C"}}`,
	`log` + "\n" + `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`,
}

// FuzzEveryExit2HasADecision: whatever arrives and whatever a handler does, exit code 2 is said only
// where somebody said no, an allow only where somebody said it and did not fail, and the run itself never
// crashes.
func FuzzEveryExit2HasADecision(f *testing.F) {
	for i, r := range recordings(f) {
		f.Add(r.agent, r.native, r.text, words[i%len(words)], "R", i%4, i%5 == 0, i%3 == 0)
	}
	for _, a := range all.Names() {
		for _, text := range []string{"", "{", "null", "[]", `{"hook_event_name":`, `{"hook_event_name":"Stop","stop_hook_active":7}`} {
			f.Add(a, "PreToolUse", text, words[9], "", 2, false, true)
		}
	}
	strict, lax := newHome(f, everywhere("block")), newHome(f, everywhere("allow"))
	f.Fuzz(func(t *testing.T, agentName, native, payload, stdout, stderr string, exit int, killed, block bool) {
		h := lax
		if block {
			h = strict
		}
		p := &answers{out: handler.Output{Stdout: []byte(stdout), Stderr: []byte(stderr), Exit: exit & 0xff}}
		if killed {
			p.out.Exit, p.out.Signal = 137, "killed"
		}
		rep := h.call(agentName, native, payload, p)
		lawful(t, rep)
	})
}

// lawful holds a report to the laws of this package.
func lawful(t *testing.T, rep Report) {
	t.Helper()
	d := rep.Decision
	no := d.Verdict >= hook.Ask || d.Continue || d.End != nil || len(d.Feedback) > 0 || d.Input != nil
	if r := rep.Row; rep.Say.Notice != "" && r != nil && strings.HasPrefix(r.Cells[agent.Notice].As, "exit 2") {
		no = true // a table says that it stops nothing there, and the user sees the text (Copilot CLI)
	}
	switch {
	case rep.Took > 20*time.Second:
		t.Errorf("it took %s", rep.Took)
	case rep.Err != nil && strings.Contains(rep.Err.Error(), "crashed"):
		t.Errorf("it crashed: %v", rep.Err)
	case rep.Reply.Exit != 0 && rep.Reply.Exit != 2:
		t.Errorf("exit code %d is no word", rep.Reply.Exit)
	case rep.Reply.Exit == 2 && !no:
		t.Errorf("exit code 2 without a no: %+v", d)
	case rep.Say.Verdict == hook.Allow && rep.Err != nil:
		t.Errorf("an allow behind an error: %v", rep.Err)
	case rep.Say.Verdict == hook.Allow && !granted(rep):
		t.Errorf("an allow that no handler gave: %+v", rep.Result.Outcomes)
	case d.Silent() && len(rep.Problems) == 0 && !rep.Say.Silent():
		t.Errorf("no opinion became %v", rep.Say.Words())
	}
}

func granted(rep Report) bool {
	for _, o := range rep.Result.Outcomes {
		if o.Err == nil && o.Decision.Verdict == hook.Allow {
			return true
		}
	}
	return false
}

// TestUnreadableInputIsAnsweredInEveryAgent: with a strict handler on the event, what cannot be read is
// a no in the agent's own words where it has one; without, it is the agent's silence.
func TestUnreadableInputIsAnsweredInEveryAgent(t *testing.T) {
	strict, lax := newHome(t, everywhere("block")), newHome(t, everywhere("allow"))
	for _, a := range all.Agents() {
		for i := range a.Events {
			row := &a.Events[i]
			if row.Name.Class() != hook.Gate {
				continue
			}
			quiet, _ := agent.Print(a, row, agent.Say{Event: row.Name, Native: row.Native})
			rep := lax.call(a.Name, row.Native, "{", nil)
			lawful(t, rep)
			if fmt.Sprint(rep.Reply) != fmt.Sprint(quiet) {
				t.Errorf("%s %s: nobody is strict, and %q was said, exit code %d", a.Name, row.Native, rep.Reply.Stdout, rep.Reply.Exit)
			}
			rep = strict.call(a.Name, row.Native, "{", nil)
			lawful(t, rep)
			if row.Name != "" && row.Can(agent.Deny, "") && rep.Say.Verdict != hook.Deny {
				t.Errorf("%s %s: it should be refused, and %q was said", a.Name, row.Native, rep.Reply.Stdout)
			}
			if rep.Err == nil {
				t.Errorf("%s %s: the journal would not tell", a.Name, row.Native)
			}
		}
	}
}

// TestTheSameCallGetsTheSameAnswerTwice: a call that arrives through two registrations is answered twice
// with the same bytes, and its programs run once. Every recording that names its occurrence is held to
// it, both registrations at the same time. An agent whose recordings name none says so in its tables.
func TestTheSameCallGetsTheSameAnswerTwice(t *testing.T) {
	seen, recorded := map[string]int{}, map[string]bool{}
	for _, r := range recordings(t) {
		recorded[r.agent] = true
		if r.ev.Call == "" || r.row.Hot != "" || !common(r.ev.Name) {
			continue
		}
		h := newHome(t, everywhere("allow"))
		p := &answers{out: handler.Output{Exit: 2, Stderr: []byte("said once")}}
		var reps [2]Report
		var wg sync.WaitGroup
		for i := range reps {
			wg.Add(1)
			go func() {
				defer wg.Done()
				reps[i] = h.call(r.agent, r.native, r.text, p)
			}()
		}
		wg.Wait()
		if a, b := fmt.Sprint(reps[0].Reply), fmt.Sprint(reps[1].Reply); a != b {
			t.Errorf("%s: answered\n%s and\n%s", r.file, reps[0].Reply.Stdout, reps[1].Reply.Stdout)
		}
		if p.ran != 1 || reps[0].Result.Repeat == reps[1].Result.Repeat {
			t.Errorf("%s: its program ran %d times; repeats: %v, %v", r.file, p.ran, reps[0].Result.Repeat, reps[1].Result.Repeat)
		}
		seen[r.agent]++
	}
	for _, a := range all.Agents() {
		switch n := seen[a.Name]; {
		case n == 0 && recorded[a.Name] && !a.Keyless:
			t.Errorf("no recording of %s has a key of its call, and its tables do not say Keyless", a.Name)
		case n > 0 && a.Keyless:
			t.Errorf("the tables of %s say Keyless, and %d recordings have a key of their call", a.Name, n)
		}
	}
}

func common(name hook.Name) bool {
	for _, n := range hook.Names() {
		if n == name {
			return true
		}
	}
	return false
}

// TestACallThroughTwoAgentsRegistrations: Claude's and Codex' registrations may fire for one call of
// Codex (a shared settings file). Its shape tells the caller, so both get Codex' answer.
func TestACallThroughTwoAgentsRegistrations(t *testing.T) {
	h := newHome(t, everywhere("allow"))
	const payload = `{"session_id":"s","turn_id":"1","transcript_path":null,"cwd":"/","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"c1"}`
	p := &answers{out: handler.Output{Exit: 2, Stderr: []byte("no")}}
	first, second := h.call("codex", "", payload, p), h.call("claude", "", payload, p)
	if first.Who.Agent.Name != "codex" || second.Who.Agent.Name != "codex" {
		t.Errorf("the callers are %s and %s", first.Who.Agent.Name, second.Who.Agent.Name)
	}
	if p.ran != 1 || !second.Result.Repeat || string(first.Reply.Stdout) != string(second.Reply.Stdout) || len(first.Reply.Stdout) == 0 {
		t.Errorf("ran %d times, answered %q and %q", p.ran, first.Reply.Stdout, second.Reply.Stdout)
	}
}

// TestWhatCannotBeSaidNowWaits: a notice or a context that an event of an agent cannot carry is said once,
// at the first later event of the session that can, and at no other.
func TestWhatCannotBeSaidNowWaits(t *testing.T) {
	for _, c := range []struct {
		word agent.Word
		says func(hook.Name) string
	}{
		{agent.Notice, func(hook.Name) string { return `{"systemMessage":"it-waits"}` }},
		{agent.Context, func(n hook.Name) string {
			if n == hook.PreCompact {
				return "it-waits" // takes no JSON
			}
			return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,"additionalContext":"it-waits"}}`, n)
		}},
	} {
		held := 0
		for _, pair := range pairs(t, c.word) {
			now, later := pair[0], pair[1]
			h := newHome(t, everywhere("allow"))
			rep := h.call(now.agent, now.native, now.text, &answers{on: now.ev.Name, out: handler.Output{Stdout: []byte(c.says(now.ev.Name))}})
			if strings.Contains(string(rep.Reply.Stdout)+string(rep.Reply.Stderr), "it-waits") {
				t.Errorf("%s: said at once: %q", now.file, rep.Reply.Stdout)
				continue
			}
			rep = h.call(later.agent, later.native, later.text, &answers{on: "none"})
			if n := strings.Count(string(rep.Reply.Stdout)+string(rep.Reply.Stderr), "it-waits"); n != 1 {
				t.Errorf("%s, then %s: said %d times: %q", now.file, later.file, n, rep.Reply.Stdout)
			}
			rep = h.call(later.agent, later.native, later.text, &answers{on: "none"})
			if strings.Contains(string(rep.Reply.Stdout), "it-waits") {
				t.Errorf("%s: said again: %q", later.file, rep.Reply.Stdout)
			}
			held++
		}
		if held == 0 {
			t.Errorf("no agent has an event that cannot carry a %s, and a later one that can", c.word)
		}
	}
}

// pairs are two recordings of one session, the first of an event that keeps the word for later, the second
// of one that can say it; one pair for each event of the first kind.
func pairs(t *testing.T, w agent.Word) [][2]recording {
	t.Helper()
	list := recordings(t)
	var out [][2]recording
	done := map[string]bool{}
	for _, now := range list {
		can := now.row.Can(w, now.ev.From.Surface)
		if can || w != agent.Notice && now.row.Cells[w].Else != agent.Later || !common(now.ev.Name) || now.ev.Session == "" || done[now.agent+now.row.Native] {
			continue
		}
		for _, later := range list {
			if later.agent != now.agent || later.ev.Session != now.ev.Session || later.ev.Name == now.ev.Name ||
				later.ev.Name.Class() == hook.Finish || !common(later.ev.Name) || !later.row.Can(w, later.ev.From.Surface) {
				continue
			}
			out = append(out, [2]recording{now, later})
			done[now.agent+now.row.Native] = true
			break
		}
	}
	return out
}

// TestASubagentsEndIsNoGate: Stop handlers do not run when a subagent ends, neither where the agent says so
// nor where only an earlier event told whose child the session is.
func TestASubagentsEndIsNoGate(t *testing.T) {
	gate := "hooks: {Stop: [{hooks: [{name: tests, command: [tests], gate: true}]}]}\n"
	red := handler.Output{Exit: 1, Stdout: []byte("red")}

	h := newHome(t, gate)
	p := &answers{out: red}
	rep := h.call("claude", "", `{"session_id":"s","cwd":"/","hook_event_name":"SubagentStop","agent_id":"a1","agent_type":"x","stop_hook_active":false}`, p)
	if p.ran != 0 || rep.Decision.Continue {
		t.Errorf("the gate ran for a subagent: %+v", rep.Decision)
	}
	const stop = `{"session_id":"child","cwd":"/","hook_event_name":"Stop","stop_hook_active":false}`
	rep = h.call("claude", "", stop, p)
	if p.ran != 1 || !rep.Decision.Continue {
		t.Errorf("the gate should send the agent back: ran %d times, %+v", p.ran, rep.Decision)
	}
	if err := openStore(lookup(h.environ()), false).Session("claude", "child").Note(state.Facts{state.FactParent: "s"}); err != nil {
		t.Fatal(err)
	}
	rep = h.call("claude", "", stop, p)
	if p.ran != 1 || rep.Decision.Continue || rep.Event.Name != hook.SubagentStop {
		t.Errorf("the session of a known child ended, and the gate ran %d times: %+v", p.ran, rep.Decision)
	}
}

// TestAGateEnds: an agent that only ever stops again is let go, told why, with and without its own sign
// that it was sent back.
func TestAGateEnds(t *testing.T) {
	for _, active := range []string{"", `,"stop_hook_active":true`} {
		h := newHome(t, "hooks: {Stop: [{hooks: [{name: tests, command: [tests], gate: true, max_continues: 3}]}]}\n")
		p := &answers{out: handler.Output{Exit: 1, Stdout: []byte("red")}}
		sent, last := 0, Report{}
		for range 10 {
			// Between two stops the agent works, or the gate would end for that reason.
			h.call("claude", "", `{"session_id":"s","cwd":"`+h.dir+`","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"tool_response":{}}`, &answers{on: "none"})
			last = h.call("claude", "", `{"session_id":"s","cwd":"`+h.dir+`","hook_event_name":"Stop"`+active+`}`, p)
			if !last.Decision.Continue {
				break
			}
			sent++
		}
		if sent != 3 || len(last.Decision.Notice) != 1 || !strings.Contains(last.Decision.Notice[0], "red") {
			t.Errorf("with %q it was sent back %d times, and then told %q", active, sent, last.Decision.Notice)
		}
	}
}

// TestWrongArgumentsNeverLeaveWith2: exit code 2 is a word of the protocol, and package flag uses it for
// wrong usage. Here a wrong argument is an error in the journal, and the answer is that of the others.
func TestWrongArgumentsNeverLeaveWith2(t *testing.T) {
	h := newHome(t, "hooks: {}\n")
	t.Setenv("HOME", h.dir)
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(v, "")
	}
	for _, args := range [][]string{
		{}, {""}, {"-h"}, {"--help"}, {"--"}, {"claude", "--bogus"}, {"claude", "PreToolUse", "more"}, {"-claude"}, {"claude", "--manifest"},
		{"claude", "--project="}, {"claude", "--manifest", "/no/such/file"}, {"claude", "--project", "\x00"}, {"nosuchagent", "\n"},
	} {
		in, _ := os.Open(os.DevNull)
		out, _ := os.CreateTemp(h.dir, "out")
		errs, _ := os.CreateTemp(h.dir, "err")
		if code := Main(args, in, out, errs); code != 0 {
			t.Errorf("%q: exit code %d", args, code)
		}
		for _, f := range []*os.File{out, errs} {
			if b, _ := os.ReadFile(f.Name()); len(b) > 0 {
				t.Errorf("%q: printed %q", args, b)
			}
		}
		if b, err := os.ReadFile(filepath.Join(h.dir, ".local", "state", "hookspan", "last.json")); err != nil || !strings.Contains(string(b), `"error":`) {
			t.Errorf("%q: the journal says %s (%v)", args, b, err)
		}
	}
}
