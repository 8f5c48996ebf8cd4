package claude

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/wire"
)

// form is one thing that a handler may answer.
type form struct {
	name, stdout, stderr string
	exit                 int
	// differs says why the effect through us is another one: stated exceptions. "" = it must be equal.
	differs string
}

const (
	noisy  = "JSON with noise around it is a failure, never text"
	merged = "told in our words: nobody can be asked, or the change cannot be made"
)

// said makes the forms that every event gets, with the event's name in them.
func said(event string) []form {
	hso := func(members string) string {
		return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,%s}}`, event, members)
	}
	return []form{
		{name: "empty"},
		{name: "text", stdout: "PLAINTEXT"},
		{name: "bad json", stdout: "{bad json", differs: noisy},
		{name: "array", stdout: "[1,2]", differs: noisy},
		{name: "unknown keys", stdout: `{"foo":1}`},
		{name: "exit 1", stderr: "ERR1", exit: 1},
		{name: "exit 3", stderr: "ERR3", stdout: "OUT3", exit: 3},
		{name: "exit 127", stderr: "E127", exit: 127},
		{name: "exit 2", stderr: "ERR2", stdout: "OUT2", exit: 2},
		{name: "exit 2 silent", exit: 2},
		{name: "exit 2, bad json", stdout: "{oops", stderr: "X2", exit: 2},
		{name: "exit 2, bad value", stdout: `{"continue":"no"}`, stderr: "X2", exit: 2},
		{name: "exit 2, empty json", stdout: "{}", stderr: "X2", exit: 2},
		{name: "exit 2, async", stdout: `{"async":true}`, stderr: "X2", exit: 2},
		{name: "exit 2, context", stdout: hso(`"additionalContext":"CTX2"`), stderr: "X2", exit: 2},
		{name: "context", stdout: hso(`"additionalContext":"CTX"`)},
		{name: "context, exit 1", stdout: hso(`"additionalContext":"CTX"`), exit: 1},
		{name: "context at the top", stdout: `{"additionalContext":"TOP"}`},
		{name: "system message", stdout: `{"systemMessage":"SYS"}`},
		{name: "suppress", stdout: `{"suppressOutput":true,"systemMessage":"SYS"}`},
		{name: "block", stdout: `{"decision":"block","reason":"R-BLOCK"}`},
		{name: "block without reason", stdout: `{"decision":"block"}`},
		{name: "block, exit 1", stdout: `{"decision":"block","reason":"R-BLOCK"}`, stderr: "E1", exit: 1},
		{name: "block, exit 2", stdout: `{"decision":"block","reason":"R-BLOCK"}`, stderr: "E2", exit: 2},
		{name: "block and context", stdout: fmt.Sprintf(`{"decision":"block","reason":"R","hookSpecificOutput":{"hookEventName":%q,"additionalContext":"CTX"}}`, event)},
		{name: "approve", stdout: `{"decision":"approve","reason":"R-APPROVE"}`},
		{name: "decision deny", stdout: `{"decision":"deny","reason":"R"}`},
		{name: "continue false", stdout: `{"continue":false,"stopReason":"STOP"}`},
		{name: "continue false and block", stdout: `{"continue":false,"stopReason":"STOP","decision":"block","reason":"R"}`},
		{name: "continue true", stdout: `{"continue":true}`},
		{name: "continue text", stdout: `{"continue":"false"}`},
		{name: "another event", stdout: `{"hookSpecificOutput":{"hookEventName":"Other","additionalContext":"C"}}`},
		{name: "no event", stdout: `{"hookSpecificOutput":{"additionalContext":"C"}}`},
		{name: "pretty", stdout: "{\n  \"systemMessage\": \"SYS\"\n}\n"},
		{name: "bom", stdout: "\ufeff" + `{"systemMessage":"SYS"}`},
		{name: "text before", stdout: "log\n" + `{"decision":"block","reason":"R"}`, differs: noisy},
		{name: "text after", stdout: `{"decision":"block","reason":"R"}` + "\nlog", differs: noisy},
		{name: "two documents", stdout: `{"systemMessage":"A"}` + "\n" + `{"decision":"block"}`, differs: noisy},
	}
}

// own forms of single events.
func saidOn(event string) []form {
	hso := func(members string) string {
		return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,%s}}`, event, members)
	}
	var list []form
	switch event {
	case "PreToolUse", "PreModelSwitch", "PreSkillShellCommand":
		for _, d := range []string{"allow", "deny", "ask", "maybe"} {
			differs := ""
			if event == "PreSkillShellCommand" && d == "ask" {
				differs = merged
			}
			list = append(list,
				form{name: d, stdout: hso(`"permissionDecision":"` + d + `","permissionDecisionReason":"R"`), differs: differs},
				form{name: d + ", exit 1", stdout: hso(`"permissionDecision":"` + d + `","permissionDecisionReason":"R"`), exit: 1, differs: differs},
				form{name: d + ", exit 2", stdout: hso(`"permissionDecision":"` + d + `","permissionDecisionReason":"R"`), stderr: "E2", exit: 2, differs: differs})
		}
		list = append(list,
			form{name: "deny without reason", stdout: hso(`"permissionDecision":"deny"`)},
			form{name: "deny and more", stdout: hso(`"permissionDecision":"deny","permissionDecisionReason":"R","zzz":1`)})
	case "PermissionRequest":
		for _, d := range []string{
			`{"behavior":"allow"}`, `{"behavior":"allow","updatedInput":{"command":"echo NEW"}}`,
			`{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`,
			`{"behavior":"deny","message":"PR"}`, `{"behavior":"deny","message":"PR","interrupt":true}`, `{"behavior":"maybe"}`, `7`,
		} {
			list = append(list, form{name: "decision " + d, stdout: hso(`"decision":` + d)})
		}
	}
	if event == "PreToolUse" {
		list = append(list,
			form{name: "defer", stdout: hso(`"permissionDecision":"defer"`)},
			form{name: "deny and context", stdout: hso(`"permissionDecision":"deny","permissionDecisionReason":"R","additionalContext":"CTX"`)},
			form{name: "deny and end", stdout: `{"continue":false,"stopReason":"S","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}`},
			form{name: "rewrite", stdout: hso(`"updatedInput":{"command":"echo NEW"}`)},
			form{name: "rewrite and allow", stdout: hso(`"permissionDecision":"allow","updatedInput":{"command":"echo NEW"}`)},
			form{name: "rewrite and ask", stdout: hso(`"permissionDecision":"ask","updatedInput":{"command":"echo NEW"}`)},
			form{name: "rewrite in part", stdout: hso(`"updatedInput":{"description":"only this"}`)},
			form{name: "rewrite and exit 2", stdout: hso(`"updatedInput":{"command":"echo NEW"}`), stderr: "X2", exit: 2})
	}
	for _, m := range map[string][]string{
		"PostToolUse":       {`"updatedToolOutput":{"stdout":"NEW","stderr":"","interrupted":false,"isImage":false}`, `"updatedToolOutput":"NEW"`},
		"UserPromptSubmit":  {`"sessionTitle":"T"`, `"suppressOriginalPrompt":true,"additionalContext":"C"`, `"sessionTitle":7`},
		"SessionStart":      {`"initialUserMessage":"I","sessionTitle":"T"`, `"watchPaths":["/home/dev/shop/a"],"reloadSkills":true`},
		"PermissionDenied":  {`"retry":true`},
		"MessageDisplay":    {`"displayContent":"shown"`},
		"Elicitation":       {`"action":"accept","content":{"colour":"blue"}`, `"action":"decline"`, `"action":"shrug"`},
		"ElicitationResult": {`"action":"cancel"`},
		"CwdChanged":        {`"watchPaths":["/home/dev/shop/b"]`},
		"FileChanged":       {`"watchPaths":[]`},
	}[event] {
		list = append(list, form{name: m, stdout: hso(m)})
	}
	return list
}

// TestAHandlerHasTheSameEffectThroughUs is the law of transparency over every event and every form
// of answer that was measured: what Claude makes of our answer is what it makes of the handler's.
func TestAHandlerHasTheSameEffectThroughUs(t *testing.T) {
	a := agent.Full(New())
	asked := map[string]bool{}
	for _, r := range own(t) {
		if asked[r.native] || r.native == "StatusLine" {
			continue
		}
		asked[r.native] = true
		ev, row := r.decode(t, a)
		for _, f := range append(said(r.native), saidOn(r.native)...) {
			sameEffect(t, a, row, ev, f)
		}
	}
	for _, row := range a.Events {
		if !asked[row.Native] { // never recorded: ElicitationResult, TeammateIdle
			ev := hook.Event{Name: hook.Name(row.Native), From: hook.Agent{Name: Name, Native: row.Native}}
			for _, f := range append(said(row.Native), saidOn(row.Native)...) {
				sameEffect(t, a, &row, ev, f)
			}
		}
	}
}

func sameEffect(t *testing.T, a *agent.Agent, row *agent.Row, ev hook.Event, f form) {
	t.Helper()
	alone, fault := reads(row.Native, agent.Reply{Stdout: []byte(f.stdout), Stderr: []byte(f.stderr), Exit: f.exit})
	if fault != nil {
		alone = effect{}
	}
	d, err := handler.Answer(ev, []byte(f.stdout), []byte(f.stderr), f.exit)
	if err != nil {
		d = hook.Decision{}
	}
	say, _ := agent.Lower(a, row, ev, d, agent.Options{})
	reply, err := agent.Print(a, row, say)
	if err != nil {
		t.Errorf("%s, %s: %v", row.Native, f.name, err)
	}
	through, fault := reads(row.Native, reply)
	if fault != nil {
		t.Errorf("%s, %s: Claude refuses our answer %s: %v", row.Native, f.name, reply.Stdout, fault)
	}
	if through == alone || f.differs == merged && through.Verdict == alone.Verdict {
		return
	}
	if f.differs == noisy && through == (effect{}) {
		return
	}
	if why := stated(row.Native, f, alone, through); why == "" {
		t.Errorf("%s, %s:\nalone      %+v\nthrough us %+v\nfrom %+v\nprinted %q exit %d", row.Native, f.name, alone, through, d, reply.Stdout, reply.Exit)
	}
}

// stated returns why an effect may differ: the exceptions that FACTS.md names.
func stated(native string, f form, alone, through effect) string {
	isJSON := strings.HasPrefix(strings.TrimPrefix(f.stdout, "\ufeff"), "{")
	told := alone
	told.Notice = through.Notice
	switch {
	case shows[native] && f.exit == 2 && told == through:
		return "who is told of a no that stops nothing: the user, in Claude's or in our words"
	case native == "PreCompact" && isJSON && through.Text == "" && through.Verdict == alone.Verdict:
		return "JSON is no text for the summary's instructions: it is read as an answer"
	case native == "PostCompact":
		return "what a handler says there is shown to the user in other words"
	case native == "WorktreeCreate" && (isJSON || f.name == "text"):
		return "the path is read as text, and JSON is no path"
	case strings.HasPrefix(native, "Worktree") && strings.Contains(f.stdout, "block") && through.Verdict == "deny":
		return "a block is a no also where only the exit code counts"
	case !isJSON || forms[native] != "" || !strings.Contains(f.stdout, "hookSpecificOutput"):
		return ""
	}
	return "hookSpecificOutput on an event that has none takes nothing else of the answer with it"
}

// TestEveryWordIsTakenByClaude: a word that a row allows is printed so that both versions take it and
// do it; Print refuses the rest, and prints nothing then.
func TestEveryWordIsTakenByClaude(t *testing.T) {
	a := agent.Full(New())
	for i := range a.Events {
		r := &a.Events[i]
		for w := range agent.NumWords {
			say := agent.Say{Event: r.Name, Native: r.Native}
			add(&say, w)
			reply, err := agent.Print(a, r, say)
			if r.Can(w, "") != (err == nil) {
				t.Errorf("%s %s: the table says %v, Print %v", r.Native, w, r.Can(w, ""), err)
			}
			if err != nil {
				if len(reply.Stdout)+len(reply.Stderr) > 0 || reply.Exit != 0 {
					t.Errorf("%s %s: refused, and printed %+v", r.Native, w, reply)
				}
				continue
			}
			e, fault := reads(r.Native, reply)
			if fault != nil || !heard(e, w, r) {
				t.Errorf("%s %s: printed %q exit %d, Claude does %+v (%v)", r.Native, w, reply.Stdout, reply.Exit, e, fault)
			}
		}
	}
}

// add says a word.
func add(say *agent.Say, w agent.Word) {
	end := "STOP"
	switch w {
	case agent.Allow:
		say.Verdict = hook.Allow
	case agent.Ask:
		say.Verdict, say.Reason = hook.Ask, "REASON"
	case agent.Defer:
		say.Verdict = hook.Defer
	case agent.Deny:
		say.Verdict, say.Reason = hook.Deny, "REASON"
	case agent.Rewrite:
		say.Input = []byte(`{"command":"true"}`)
	case agent.Context:
		say.Context = "CTX"
	case agent.Feedback:
		say.Feedback = "FEEDBACK"
	case agent.Output:
		say.Output = []byte(`"NEW"`)
	case agent.Continue:
		say.Continue, say.ContinueReason = true, "REASON"
	case agent.End:
		say.End = &end
	case agent.Notice:
		say.Notice = "NOTICE"
	case agent.Rest:
		say.Rest = []hook.Member{{Key: "suppressOutput", Value: []byte("true")}}
		say.RestSpecific = []hook.Member{{Key: "decision.interrupt", Value: []byte("true")}, {Key: "zzz", Value: []byte("1")}}
	}
}

// TestEveryCombinationOfWordsIsTaken: no word voids another one, and nothing grants by itself.
func TestEveryCombinationOfWordsIsTaken(t *testing.T) {
	a := agent.Full(New())
	for i := range a.Events {
		r := &a.Events[i]
		for mask := range 1 << agent.NumWords {
			say := agent.Say{Event: r.Name, Native: r.Native}
			for w := range agent.NumWords {
				if mask&(1<<w) != 0 && r.Can(w, "") {
					add(&say, w)
				}
			}
			if say.Verdict == hook.Deny {
				say.Input = nil // Lower never sends a denied call's rewrite
			}
			reply, err := agent.Print(a, r, say)
			if err != nil {
				t.Fatal(err)
			}
			e, fault := reads(r.Native, reply)
			switch {
			case fault != nil:
				t.Fatalf("%s %v: printed %s: %v", r.Native, say.Words(), reply.Stdout, fault)
			case say.Verdict == hook.Deny && e.Verdict != "deny":
				t.Fatalf("%s %v: printed %s, Claude does %+v", r.Native, say.Words(), reply.Stdout, e)
			case e.Verdict == "allow" && say.Verdict != hook.Allow:
				t.Fatalf("%s %v: printed %s, which grants", r.Native, say.Words(), reply.Stdout)
			}
		}
	}
}

// heard reports whether Claude does what a word means.
func heard(e effect, w agent.Word, r *agent.Row) bool {
	switch w {
	case agent.Allow:
		return e.Verdict == "allow"
	case agent.Ask:
		return e.Verdict == "ask" || r.Cells[w].As == asNothing && e == (effect{})
	case agent.Defer:
		return e.Verdict == "defer"
	case agent.Deny:
		return e.Verdict == "deny" && e.Reason == "REASON"
	case agent.Rewrite: // alone it must not be granted where the person would see the old input
		return e.Input == `{"command":"true"}` && e.Verdict == "" || e.Verdict == "deny" && strings.Contains(e.Reason, `"true"`)
	case agent.Context:
		return e.Context == "CTX" || e.Text == "CTX"
	case agent.Feedback:
		return e.Told && e.Reason == "FEEDBACK"
	case agent.Output:
		return e.Output == `"NEW"`
	case agent.Continue:
		return e.Sent && e.Reason == "REASON"
	case agent.End:
		return e.Ends && e.EndText == "STOP"
	case agent.Notice:
		return e.Notice == "NOTICE" || e.Text == "NOTICE"
	}
	return e == effect{}
}

// TestWordsOfOthersSurvive: keys of a handler that the schema refuses, or that take the whole answer
// off, do not take another handler's deny with them.
func TestWordsOfOthersSurvive(t *testing.T) {
	a := agent.Full(New())
	for _, m := range []struct{ key, value string }{
		{"async", "true"}, {"asyncTimeout", "1"}, {"terminalSequence", "7"}, {"suppressOutput", `"yes"`}, {"decision", `"maybe"`},
		{"continue", "true"}, {"hookSpecificOutput", "7"}, {"systemMessage", "[]"}, {"reason", "1"},
	} {
		r := a.Row("PreToolUse")
		say := agent.Say{Native: r.Native, Verdict: hook.Deny, Reason: "R",
			Rest: []hook.Member{{Key: m.key, Value: []byte(m.value)}}, RestSpecific: []hook.Member{{Key: m.key, Value: []byte(m.value)},
				{Key: "hookEventName", Value: []byte(`"Stop"`)}, {Key: "sessionTitle", Value: []byte("7")}}}
		reply, err := agent.Print(a, r, say)
		if err != nil {
			t.Fatal(err)
		}
		e, fault := reads(r.Native, reply)
		if fault != nil || e.Verdict != "deny" || e.Reason != "R" {
			t.Errorf("%s: printed %s, Claude does %+v (%v)", m.key, reply.Stdout, e, fault)
		}
		if _, err := wire.Parse(reply.Stdout); err != nil {
			t.Errorf("%s: %v", m.key, err)
		}
	}
	r := a.Row("TaskCreated") // has no hookSpecificOutput: it would void the answer
	reply, _ := agent.Print(a, r, agent.Say{Native: r.Native, Verdict: hook.Deny, Reason: "R",
		RestSpecific: []hook.Member{{Key: "x", Value: []byte("1")}}})
	if e, fault := reads(r.Native, reply); fault != nil || e.Verdict != "deny" {
		t.Errorf("printed %s: %+v, %v", reply.Stdout, e, fault)
	}
}
