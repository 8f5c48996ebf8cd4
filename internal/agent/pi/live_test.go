//go:build live

package pi

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	lab "github.com/hookspan/hookspan/internal/live"
)

// play is a run of the real Pi with a generated bridge and a stand-in program that answers with
// shell commands by event; the payload is in the file $f.
type play struct {
	answers map[string]string
	opts    BridgeOptions
	script  lab.Script
	args    []string
	again   []string // arguments of a second run in the same home
	after   lab.Script
	folder  func(*lab.Sandbox) error // changes the project before the run
	place   string                   // where the bridge lies in the project; "" = with the user's extensions
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
	if p.folder != nil {
		do(p.folder(box))
	}
	if p.place != "" {
		do(box.WriteFile(filepath.Join(box.Project, p.place), string(Bridge(s.opts))))
		return
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
			"tool_call": when("m-block", op(`{"op":"block","reason":"REASON one\ntwo"}`)) + "\n" +
				when("m-rewrite", op(`{"op":"set","path":["input","command"],"value":"echo changed > rewritten.txt"}`)) + "\n" +
				when("m-type", op(`{"op":"set","path":["input","command"],"value":7}`)) + "\n" +
				when("m-ask", op(`{"op":"ask","reason":"SURE"}`)) + "\n" +
				when("m-before", op(`{"op":"context","text":"CTX-OF-THE-CALL"}`)),
			"tool_result": when("m-after", op(`{"op":"context","text":"FEEDBACK"}`)) + "\n" +
				when("m-output", op(`{"op":"output","text":"ANOTHER RESULT"},{"op":"context","text":"BESIDE IT"}`)) + "\n" +
				when(`"isError":true`, op(`{"op":"context","text":"CTX-OF-THE-FAILURE"}`)),
		},
		script: lab.Script{
			lab.Call(lab.Shell("echo x > m-block.txt")), lab.Call(lab.Shell("echo x > m-rewrite.txt")), lab.Call(lab.Shell("echo m-after")),
			lab.Call(lab.Shell("echo m-output")), lab.Call(lab.Edit("README.md", "no such text", "y")), lab.Call(lab.Shell("echo m-before")),
			lab.Call(lab.Shell("echo x > m-type.txt")), lab.Call(lab.Shell("echo x > m-ask.txt")), lab.Say("Done."),
		},
	}.run(t)
	for _, file := range []string{"m-block.txt", "m-rewrite.txt", "m-type.txt", "m-ask.txt"} {
		if _, ok := res.Files[file]; ok {
			t.Errorf("%s was written", file)
		}
	}
	if res.Files["rewritten.txt"] != "changed\n" {
		t.Errorf("a rewritten call: files %q", res.Files)
	}
	for i, want := range map[int][]string{1: {"REASON one\ntwo"}, 3: {"m-after\n", "FEEDBACK"}, 4: {"ANOTHER RESULT", "BESIDE IT"}, 5: {"CTX-OF-THE-FAILURE"},
		6: {"m-before\n", "CTX-OF-THE-CALL"}, 7: {"a hook made input.command number"}, 8: {"the user said no: SURE"}} {
		for _, w := range want {
			if !res.Contains(i, w) {
				t.Errorf("request %d does not tell %q: %q", i, w, res.News(i))
			}
		}
	}
	if strings.Contains(strings.Join(res.News(4), ""), "m-output") {
		t.Errorf("the replaced result is told: %q", res.News(4))
	}
	if !strings.HasSuffix(names(got), "agent_before_settle session_shutdown") || !strings.HasPrefix(names(got), "session_start input tool_call tool_call tool_result") {
		t.Errorf("told %s", names(got))
	}
}

// TestLiveProgramFails: missing, hanging and talking nonsense, under both policies.
func TestLiveProgramFails(t *testing.T) {
	for _, block := range []bool{false, true} {
		for name, answer := range map[string]string{"missing": "", "hanging": "sleep 30", "junk": "echo Segmentation fault", "crashing": "exit 3"} {
			t.Run(name+"/"+policy(block), func(t *testing.T) {
				opts := BridgeOptions{Block: block, Timeouts: map[string]time.Duration{"tool_call": 2 * time.Second}}
				if name == "missing" {
					// The prompt would be refused as well.
					opts.Program, opts.Events = "/nowhere/hookspan", []string{"tool_call"}
				}
				res, _ := play{opts: opts, answers: map[string]string{"tool_call": answer},
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

// TestLiveStop: a turn is sent back before it ends, once, as long as the program takes.
func TestLiveStop(t *testing.T) {
	back := when(`"stop_hook_active":false`, `sleep 2; `+op(`{"op":"prompt","text":"KEEP-WORKING"}`))
	res, got := play{answers: map[string]string{"agent_before_settle": back},
		script: lab.Script{{Text: "I look.", Calls: []lab.Action{lab.Shell("true")}}, lab.Say("First end."), lab.Say("Second end.")}}.run(t)
	if len(res.Requests) != 3 || !slices.Equal(res.News(2), []string{"KEEP-WORKING"}) || !strings.Contains(res.Answer, "Second end.") || res.Exit != 0 {
		t.Errorf("%d requests, the last tells %q; answer %q, exit %d", len(res.Requests), res.News(2), res.Answer, res.Exit)
	}
	if n := strings.Count(names(got), "agent_before_settle"); n != 2 {
		t.Fatalf("told %s", names(got))
	}
	for _, x := range got {
		if x.Event == "agent_before_settle" && !strings.Contains(x.Text, ` end."`) {
			t.Errorf("no last answer in %s", x.Text)
		}
	}
}

// TestLivePrompts: context of the session's start and of the prompt, and a refusal.
func TestLivePrompts(t *testing.T) {
	res, _ := play{answers: map[string]string{
		"session_start": "sleep 1; " + op(`{"op":"context","text":"AT-THE-START"}`), "input": op(`{"op":"context","text":"WITH-THE-PROMPT"}`)},
		script: lab.Script{lab.Say("Done.")}}.run(t)
	news := res.News(0) // the system prompt comes first
	if want := []string{lab.DefaultPrompt, "AT-THE-START\n\nWITH-THE-PROMPT"}; len(news) != 3 || !slices.Equal(news[1:], want) {
		t.Errorf("the model is told %q, want %q at the end", news, want)
	}
	res, _ = play{answers: map[string]string{"input": op(`{"op":"block","reason":"NOT THIS"}`)}, script: lab.Script{lab.Say("Done.")}}.run(t)
	if len(res.All) != 0 || res.Exit != 0 || !strings.Contains(res.Stderr, "hookspan: NOT THIS") {
		t.Errorf("%d requests, exit %d, the user reads %q", len(res.All), res.Exit, res.Stderr)
	}
}

// TestLiveResume: Pi calls it startup, the bridge does not.
func TestLiveResume(t *testing.T) {
	_, got := play{script: lab.Script{lab.Say("Done.")}, again: []string{"-c"}, after: lab.Script{lab.Say("Again.")}}.run(t)
	var starts []string
	for _, x := range got {
		if x.Event == "session_start" {
			starts = append(starts, x.Text)
		}
	}
	if len(starts) != 2 || strings.Contains(starts[0], `"source"`) || !strings.Contains(starts[1], `"reason":"startup"`) || !strings.Contains(starts[1], `"source":"resume"`) {
		t.Errorf("told %q", starts)
	}
}

// TestLiveEnd: the turn is over, before the call or after it, and no Stop is told.
func TestLiveEnd(t *testing.T) {
	for event, ran := range map[string]bool{"tool_call": false, "tool_result": true} {
		t.Run(event, func(t *testing.T) {
			res, got := play{answers: map[string]string{event: op(`{"op":"end","text":"ENOUGH"}`)},
				script: lab.Script{lab.Call(lab.Shell("echo x > ran.txt")), lab.Say("Not reached.")}}.run(t)
			if _, did := res.Files["ran.txt"]; did != ran || len(res.Requests) != 1 || !strings.Contains(res.Stderr, "hookspan: ENOUGH") || res.Exit != 1 {
				t.Errorf("ran %v, %d requests, exit %d, stderr %q", did, len(res.Requests), res.Exit, res.Stderr)
			}
			if strings.Contains(names(got), "agent_before_settle") {
				t.Errorf("told %s", names(got))
			}
		})
	}
}

// TestLiveScripts: the calls of a codemode script are calls; what is said of them comes with its result.
func TestLiveScripts(t *testing.T) {
	code := "const ok = await tools.bash({command: 'echo m-old'}); let no = ''; " +
		"try { await tools.bash({command: 'echo x > m-block.txt'}) } catch (e) { no = e.message } return {ok, no}"
	res, got := play{args: []string{"--tools", "+codemode"}, answers: map[string]string{
		"tool_call": when(`"command":"echo x > m-block`, op(`{"op":"block","reason":"NOT-THIS"}`)) + "\n" +
			when(`"command":"echo m-old"`, op(`{"op":"set","path":["input","command"],"value":"echo m-new"},{"op":"context","text":"CTX-OF-THE-CALL"}`)),
		"tool_result": when("parentToolCallId", op(`{"op":"context","text":"FEEDBACK"}`))},
		script: lab.Script{lab.Call(lab.Raw("codemode", map[string]any{"code": code})), lab.Say("Done.")}}.run(t)
	for _, want := range []string{"m-new", `"no":"NOT-THIS"`, "CTX-OF-THE-CALL", "FEEDBACK"} {
		if !res.Contains(1, want) {
			t.Errorf("the model is not told %q: %q", want, res.News(1))
		}
	}
	if _, ran := res.Files["m-block.txt"]; ran || strings.Contains(strings.Join(res.News(1), ""), "m-old") {
		t.Errorf("files %q, the model is told %q", res.Files, res.News(1))
	}
	if want := "session_start input tool_call tool_call tool_result tool_call tool_result agent_before_settle session_shutdown"; names(got) != want {
		t.Errorf("told %s\nwant %s", names(got), want)
	}
}

// TestLiveTwoScopes: of two registrations that answer alike the model reads each text once.
func TestLiveTwoScopes(t *testing.T) {
	second := func(s *lab.Sandbox) error {
		opts := BridgeOptions{Program: filepath.Join(s.Root, "standin.sh"), Project: "."}
		return s.WriteFile(filepath.Join(s.Project, ".pi", "extensions", "hookspan.ts"), string(Bridge(opts)))
	}
	context := op(`{"op":"context","text":"ONCE"}`)
	res, got := play{args: []string{"--approve"}, folder: second, answers: map[string]string{"session_start": context, "tool_result": context},
		script: lab.Script{lab.Call(lab.Shell("true")), lab.Say("Done.")}}.run(t)
	for i := range 2 {
		if n := strings.Count(strings.Join(res.News(i), "\n"), "ONCE"); n != 1 {
			t.Errorf("request %d tells it %d times: %q", i, n, res.News(i))
		}
	}
	if n := strings.Count(names(got), "tool_result"); n != 2 {
		t.Errorf("told %s", names(got))
	}
	moment := regexp.MustCompile(`"at":"[^"]*"`)
	if a, b := moment.FindString(got[0].Text), moment.FindString(got[1].Text); a == "" || a != b {
		t.Errorf("one moment is named %s and %s", a, b)
	}
}

// TestLiveProject: a project's file, TypeScript by its name, finds its checkout; without trust it is not loaded.
func TestLiveProject(t *testing.T) {
	for _, args := range [][]string{{"--approve"}, nil} {
		_, got := play{opts: BridgeOptions{Project: "."}, place: ".pi/extensions/hookspan.ts", args: args, script: lab.Script{lab.Say("Done.")}}.run(t)
		if args == nil {
			if len(got) > 0 {
				t.Errorf("untrusted, and told %s", names(got))
			}
			continue
		}
		if len(got) == 0 || !regexp.MustCompile(`^run pi session_start --project /.*[^/]$`).MatchString(got[0].Args) || strings.Contains(got[0].Args, ".pi") {
			t.Errorf("told %+v", got)
		}
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
