//go:build live

package opencode

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	lab "github.com/hookspan/hookspan/internal/live"
)

// play is a run of the real OpenCode with a generated bridge and a stand-in program that answers with
// shell commands by event; the payload is in the file $f.
type play struct {
	answers map[string]string
	opts    BridgeOptions
	config  string // opencode.json of the project
	script  lab.Script
	args    []string
	again   []string // arguments of a second run in the same home
	after   lab.Script
	folder  func(*lab.Sandbox) error // changes the project before the run
	real    string                   // a manifest: the real program in place of the stand-in
}

// run plays it and returns what happened and what the program was told.
func (p play) run(t *testing.T) (*lab.Result, []payload) {
	t.Helper()
	d, err := lab.Lookup(Name)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := lab.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	prog, err := cache.Program(t.Context(), d)
	if err != nil {
		t.Skip(err)
	}
	o := lab.Options{Program: prog, Args: p.args}
	s, err := lab.NewSandbox(d, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	st := &stage{t: t, dir: filepath.Join(s.Root, "got"), answers: p.answers, opts: p.opts}
	st.prepare(s, p)
	res, err := s.Run(t.Context(), p.script, o)
	if err == nil && p.again != nil {
		o.Args = p.again
		res, err = s.Run(t.Context(), p.after, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if t.Failed() || testing.Verbose() {
		t.Logf("exit %d, %s\nstdout %s\nstderr %s", res.Exit, res.Took.Round(time.Millisecond), res.Stdout, res.Stderr)
	}
	return res, st.got()
}

func (s *stage) prepare(box *lab.Sandbox, p play) {
	s.t.Helper()
	do := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	do(os.Mkdir(s.dir, 0o700))
	switch {
	case p.real != "":
		s.opts.Program = filepath.Join(box.Root, "hookspan")
		out, err := exec.Command("go", "build", "-o", s.opts.Program, "github.com/hookspan/hookspan/cmd/hookspan").CombinedOutput()
		if err != nil {
			s.t.Fatalf("%v\n%s", err, out)
		}
		do(box.WriteFile(filepath.Join(box.ConfigHome(), "hookspan", "hookspan.yaml"), p.real))
	case s.opts.Program == "":
		s.opts.Program = filepath.Join(box.Root, "standin.sh")
		do(box.WriteFile(s.opts.Program, s.standIn()))
	}
	if p.config != "" {
		do(box.WriteFile(filepath.Join(box.Project, "opencode.json"), p.config))
	}
	if p.folder != nil {
		do(p.folder(box))
	}
	do(box.Register(lab.Registration{Plugin: Bridge(s.opts)}))
}

func names(list []payload) string { return played{Payloads: list}.events() }

// last is the newest text of a main request.
func last(res *lab.Result, request int) string {
	news := res.News(request)
	if len(news) == 0 {
		return ""
	}
	return news[len(news)-1]
}

func when(text, then string) string { return `if grep -q '` + text + `' "$f"; then ` + then + `; fi` }

// TestLiveToolCalls: block, rewrite, context, another result, a failure.
func TestLiveToolCalls(t *testing.T) {
	res, got := play{
		answers: map[string]string{
			"tool.execute.before": when("m-block", say(`{"op":"block","reason":"REASON one\ntwo"}`)) + "\n" +
				when("m-rewrite", say(`{"op":"set","path":["args","command"],"value":"echo changed > rewritten.txt"}`)) + "\n" +
				when("m-before", say(`{"op":"context","text":"CTX-OF-THE-CALL"}`)),
			"tool.execute.after": when("m-after", say(`{"op":"context","text":"FEEDBACK"}`)) + "\n" +
				when("m-output", say(`{"op":"output","text":"ANOTHER RESULT"},{"op":"context","text":"BESIDE IT"}`)),
			"event.message.part.updated": when(`"status":"error"`, say(`{"op":"context","text":"CTX-OF-THE-FAILURE"}`)),
		},
		script: lab.Script{
			lab.Call(lab.Shell("echo x > m-block.txt")), lab.Call(lab.Shell("echo x > m-rewrite.txt")), lab.Call(lab.Shell("echo m-after")),
			lab.Call(lab.Shell("echo m-output")), lab.Call(lab.Edit("README.md", "no such text", "y")), lab.Call(lab.Shell("echo m-before")), lab.Say("Done."),
		},
	}.run(t)
	if _, ok := res.Files["m-block.txt"]; ok || !res.Contains(1, "REASON one\ntwo") {
		t.Errorf("a blocked call: files %q, the model reads %q", res.Files, res.News(1))
	}
	if res.Files["rewritten.txt"] != "changed\n" || res.Files["m-rewrite.txt"] != "" {
		t.Errorf("a rewritten call: files %q", res.Files)
	}
	for i, want := range map[int][]string{3: {"m-after\n", "FEEDBACK"}, 4: {"ANOTHER RESULT", "BESIDE IT"}, 6: {"m-before\n", "CTX-OF-THE-FAILURE", "CTX-OF-THE-CALL"}} {
		for _, w := range want {
			if !res.Contains(i, w) {
				t.Errorf("request %d does not tell %q: %q", i, w, res.News(i))
			}
		}
	}
	if strings.Contains(strings.Join(res.News(4), ""), "m-output") {
		t.Errorf("the replaced result is told: %q", res.News(4))
	}
	if n := strings.Count(names(got), "event.message.part.updated"); n != 2 { // the failure, and the end
		t.Errorf("told %s", names(got))
	}
	if !strings.HasSuffix(names(got), "event.message.part.updated dispose") || !strings.HasPrefix(names(got), "event.session.created chat.message tool.execute.before") {
		t.Errorf("told %s", names(got))
	}
}

// TestLiveProgramFails: missing, hanging and talking nonsense, under both policies.
func TestLiveProgramFails(t *testing.T) {
	for _, block := range []bool{false, true} {
		for name, answer := range map[string]string{"missing": "", "hanging": "sleep 30", "junk": "echo Segmentation fault", "crashing": "exit 3"} {
			t.Run(name+"/"+policy(block), func(t *testing.T) {
				opts := BridgeOptions{Block: block, Timeouts: map[string]time.Duration{"tool.execute.before": 2 * time.Second}}
				if name == "missing" {
					// The prompt would be refused as well.
					opts.Program, opts.Events = "/nowhere/hookspan", []string{"tool.execute.before"}
				}
				res, _ := play{opts: opts, answers: map[string]string{"tool.execute.before": answer},
					script: lab.Script{lab.Call(lab.Shell("echo x > ran.txt")), lab.Say("Done.")}}.run(t)
				if _, ran := res.Files["ran.txt"]; ran == block || res.Exit != 0 || len(res.Requests) != 2 {
					t.Errorf("ran %v, exit %d, %d requests", ran, res.Exit, len(res.Requests))
				}
				if block && !res.Contains(1, "hookspan could not run") {
					t.Errorf("the model reads %q", res.News(1))
				}
				if strings.Count(res.Stderr, "a hook could not run") != 1 {
					t.Errorf("the user reads %q", res.Stderr)
				}
			})
		}
	}
}

// TestLiveStop: a turn of `run` is sent back before it ends, once, as long as the program takes; also
// where there is no repository, whose snapshots give the loop less time.
func TestLiveStop(t *testing.T) {
	back := when(`"stop_hook_active":false`, `sleep 3; `+say(`{"op":"prompt","text":"KEEP-WORKING"}`))
	noGit := func(s *lab.Sandbox) error { return os.RemoveAll(filepath.Join(s.Project, ".git")) }
	for name, folder := range map[string]func(*lab.Sandbox) error{"repository": nil, "no repository": noGit} {
		t.Run(name, func(t *testing.T) {
			res, got := play{folder: folder, answers: map[string]string{"event.message.part.updated": back},
				script: lab.Script{{Text: "I look.", Calls: []lab.Action{lab.Shell("true")}}, lab.Say("First end."), lab.Say("Second end.")}}.run(t)
			if len(res.Requests) != 3 || !slices.Equal(res.News(2), []string{"KEEP-WORKING"}) || !strings.Contains(res.Answer, "Second end.") || res.Exit != 0 {
				t.Errorf("%d requests, the last tells %q; answer %q, exit %d", len(res.Requests), res.News(2), res.Answer, res.Exit)
			}
			if n := strings.Count(names(got), "event.message.part.updated"); n != 2 {
				t.Errorf("told %s", names(got))
			}
		})
	}
}

// TestLiveStopKeepsTheAgent: a continued plan is still a plan.
func TestLiveStopKeepsTheAgent(t *testing.T) {
	res, _ := play{args: []string{"--agent", "plan"}, answers: map[string]string{
		"event.message.part.updated": when(`"stop_hook_active":false`, say(`{"op":"prompt","text":"KEEP-PLANNING"}`))},
		script: lab.Script{lab.Say("A plan."), lab.Say("A better plan.")}}.run(t)
	if len(res.Requests) != 2 || !strings.Contains(strings.Join(res.News(1), "\n"), "KEEP-PLANNING") || !strings.Contains(strings.ToLower(strings.Join(res.News(1), "\n")), "plan mode") {
		t.Errorf("%d requests, the last tells %q", len(res.Requests), res.News(1))
	}
}

// TestLiveSubagent: its start carries context, its end is no Stop.
func TestLiveSubagent(t *testing.T) {
	task := lab.Raw("task", map[string]any{"description": "sub work", "prompt": "SUB-TASK", "subagent_type": "general"})
	res, got := play{answers: map[string]string{
		"event.session.created":      when("parentID", say(`{"op":"context","text":"FOR-THE-SUBAGENT"}`)),
		"event.session.idle":         say(`{"op":"prompt","text":"NEVER"}`),
		"event.message.part.updated": "true"},
		script: lab.Script{lab.Call(task), lab.Call(lab.Shell("echo from-sub")), lab.Say("Sub end."), lab.Say("Main end.")}}.run(t)
	if got := last(res, 1); got != "SUB-TASK\nFOR-THE-SUBAGENT" {
		t.Errorf("the subagent is told %q", got)
	}
	// The end of the subagent is told without waiting: it may come behind the result of the parent's call.
	want := []string{"event.session.created", "chat.message", "tool.execute.before", "event.session.created", "tool.execute.before", "tool.execute.after",
		"event.session.idle", "tool.execute.after", "event.message.part.updated", "dispose"}
	told := strings.Fields(names(got))
	if len(told) > 7 && told[6] == "tool.execute.after" {
		told[6], told[7] = told[7], told[6]
	}
	if !slices.Equal(told, want) || len(res.Requests) != 4 {
		t.Fatalf("%d requests, told\n %s\nwant %s", len(res.Requests), told, want)
	}
	if stop := got[8].Text; strings.Contains(stop, `"parent"`) || !strings.Contains(stop, `"last_assistant_message":"Main end."`) {
		t.Errorf("the Stop is %s", stop)
	}
}

// TestLivePrompts: context of the session's start and of the prompt, and a refusal.
func TestLivePrompts(t *testing.T) {
	res, _ := play{answers: map[string]string{
		"event.session.created": say(`{"op":"context","text":"AT-THE-START"}`), "chat.message": say(`{"op":"context","text":"WITH-THE-PROMPT"}`)},
		script: lab.Script{lab.Say("Done.")}}.run(t)
	if want := "\"" + lab.DefaultPrompt + "\"\nAT-THE-START\nWITH-THE-PROMPT"; last(res, 0) != want {
		t.Errorf("the model is told %q, want %q", last(res, 0), want)
	}
	res, _ = play{answers: map[string]string{"chat.message": say(`{"op":"block","reason":"NOT THIS"}`)}, script: lab.Script{lab.Say("Done.")}}.run(t)
	if len(res.All) != 0 || res.Exit != 1 || !strings.Contains(res.Stderr, "hookspan: NOT THIS") {
		t.Errorf("%d requests, exit %d, the user reads %q", len(res.All), res.Exit, res.Stderr)
	}
}

// TestLiveResume: a session that was made earlier begins again with its first prompt.
func TestLiveResume(t *testing.T) {
	res, got := play{answers: map[string]string{"event.session.resumed": say(`{"op":"context","text":"WELCOME-BACK"}`)},
		script: lab.Script{lab.Say("Done.")}, again: []string{"-c"}, after: lab.Script{lab.Say("Again.")}}.run(t)
	if want := "event.session.created chat.message event.message.part.updated dispose event.session.resumed chat.message event.message.part.updated dispose"; names(got) != want {
		t.Errorf("told %s\nwant %s", names(got), want)
	}
	if !strings.Contains(last(res, 0), "WELCOME-BACK") {
		t.Errorf("the model is told %q", last(res, 0))
	}
}

// TestLivePermissions: `run` rejects every question by itself, later than the bridge answers it.
func TestLivePermissions(t *testing.T) {
	res, _ := play{config: `{"permission":{"bash":"ask"}}`, answers: map[string]string{
		"event.permission.asked": when("m-yes", "sleep 2; "+say(`{"op":"allow"}`)) + "\n" + when("m-no", "sleep 2; "+say(`{"op":"block","reason":"NOT THIS"}`)),
		"tool.execute.before":    when("m-early", say(`{"op":"allow"}`))},
		script: lab.Script{lab.Call(lab.Shell("echo x > m-yes.txt")), lab.Call(lab.Shell("echo x > m-early.txt")), lab.Call(lab.Shell("echo x > m-no.txt")),
			lab.Call(lab.Shell("echo x > unasked.txt")), lab.Say("Not reached.")}}.run(t)
	var files []string
	for f := range res.Files {
		if strings.HasSuffix(f, ".txt") {
			files = append(files, f)
		}
	}
	slices.Sort(files)
	if !slices.Equal(files, []string{"m-early.txt", "m-yes.txt"}) || !res.Contains(3, "NOT THIS") || len(res.Requests) != 4 {
		t.Errorf("files %q, %d requests, the model reads %q", files, len(res.Requests), res.News(3))
	}
}

// TestLiveEnd: the turn is over, before the call or after it, and at a permission question.
func TestLiveEnd(t *testing.T) {
	for event, ran := range map[string]bool{"tool.execute.before": false, "tool.execute.after": true, "event.message.part.updated": false} {
		t.Run(event, func(t *testing.T) {
			first := lab.Call(lab.Shell("echo x > ran.txt"))
			if event == "event.message.part.updated" {
				first = lab.Call(lab.Edit("README.md", "no such text", "y"), lab.Shell("sleep 5"))
			}
			res, got := play{answers: map[string]string{event: say(`{"op":"end","text":"ENOUGH"}`)}, script: lab.Script{first, lab.Say("Not reached.")}}.run(t)
			if _, did := res.Files["ran.txt"]; did != ran || len(res.Requests) != 1 || !strings.Contains(res.Stderr, "hookspan: ENOUGH") || res.Exit != 1 {
				t.Errorf("ran %v, %d requests, exit %d, stderr %q", did, len(res.Requests), res.Exit, res.Stderr)
			}
			if strings.Contains(names(got), "event.session.idle") || event != "event.message.part.updated" && strings.Contains(names(got), "event.message") {
				t.Errorf("told %s", names(got))
			}
		})
	}
}

// TestLiveCommands: a slash command takes context and can be refused.
func TestLiveCommands(t *testing.T) {
	command := func(s *lab.Sandbox) error {
		return s.WriteFile(filepath.Join(s.Project, ".opencode", "command", "mine.md"), "---\ndescription: x\n---\nDo it with $ARGUMENTS\n")
	}
	opts := BridgeOptions{Events: append(BridgeEvents(), "command.execute.before")}
	res, _ := play{opts: opts, folder: command, args: []string{"--command", "mine"},
		answers: map[string]string{"command.execute.before": say(`{"op":"context","text":"WITH-THE-COMMAND"}`)}, script: lab.Script{lab.Say("Done.")}}.run(t)
	if !res.Contains(0, "WITH-THE-COMMAND") {
		t.Errorf("the model is told %q", res.News(0))
	}
	res, _ = play{opts: opts, folder: command, args: []string{"--command", "mine"},
		answers: map[string]string{"command.execute.before": say(`{"op":"block","reason":"NOT THIS"}`)}, script: lab.Script{lab.Say("Done.")}}.run(t)
	if len(res.Requests) != 0 || res.Exit != 1 || !strings.Contains(res.Stderr, "hookspan: NOT THIS") {
		t.Errorf("%d requests, exit %d, %q", len(res.Requests), res.Exit, res.Stderr)
	}
}

// TestLiveWholeChain: the real program, with a manifest of the user's.
func TestLiveWholeChain(t *testing.T) {
	manifest := `hooks:
  SessionStart:
    - hooks: [{command: "echo AT-THE-START"}]
  PreToolUse:
    - hooks: [{guard: protect-paths, paths: [secret.txt]}]
    - matcher: Write
      hooks: [{command: "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"updatedInput\":{\"content\":\"changed\"}}}'"}]
  PostToolUse:
    - matcher: "@write"
      hooks: [{command: "cat > /dev/null; echo SEEN-$(basename $HOOKSPAN_FILE) >&2; exit 2"}]
  Stop:
    - hooks: [{command: "test -f done.txt || { echo no done.txt; exit 1; }", gate: true}]
`
	res, _ := play{real: manifest, script: lab.Script{
		lab.Call(lab.Write("secret.txt", "x")), lab.Call(lab.Write("a.txt", "original")), lab.Say("First end."), lab.Call(lab.Shell("touch done.txt")), lab.Say("Second end."),
	}}.run(t)
	for i, want := range []string{"AT-THE-START", "secret.txt", "SEEN-a.txt", "no done.txt"} {
		if got := last(res, i); !strings.Contains(got, want) {
			t.Errorf("request %d does not tell %q: %q", i, want, got)
		}
	}
	if _, made := res.Files["secret.txt"]; made || res.Files["a.txt"] != "changed" || len(res.Requests) != 5 || !strings.Contains(res.Answer, "Second end.") {
		t.Errorf("a.txt is %q, %d requests, answer %q", res.Files["a.txt"], len(res.Requests), res.Answer)
	}
}
