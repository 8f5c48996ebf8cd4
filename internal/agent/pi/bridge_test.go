package pi

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// stage is a bridge with a stand-in program, and a stand-in for Pi that plays steps to it.
type stage struct {
	t    *testing.T
	dir  string
	opts BridgeOptions
	mode string // "print" or "tui"
	// answers are shell commands by event; the payload is in the file $f.
	answers map[string]string
	entries string // of the session, JSON
	no      bool   // the person's answer to a question
	spoiled bool   // the bridge cannot be set up
	twice   bool   // two registrations
}

func newStage(t *testing.T) *stage {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in program is a shell script")
	}
	if testing.Short() {
		t.Skip("each play starts node and a shell")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not on PATH")
	}
	s := &stage{t: t, dir: t.TempDir(), mode: "tui", answers: map[string]string{}, entries: "[]"}
	s.opts.Program = filepath.Join(s.dir, "standin.sh")
	return s
}

// played is what became of the steps.
type played struct {
	Exports  []string
	Handlers []string
	Results  []struct {
		Error         string
		Output, Input json.RawMessage
	}
	Asked []struct {
		Name string
		Args json.RawMessage
	}
	Payloads []payload // what the program got, in order
	Stderr   string
}

type payload struct {
	Event string
	Args  string
	Text  string
}

func (p played) events() string {
	var names []string
	for _, x := range p.Payloads {
		names = append(names, x.Event)
	}
	return strings.Join(names, " ")
}

func (p played) asked(name string) string {
	var out []string
	for _, a := range p.Asked {
		if a.Name == name {
			out = append(out, string(a.Args))
		}
	}
	return strings.Join(out, "\n")
}

// standIn is the program: it keeps what it gets, one file a start, and answers.
func (s *stage) standIn() string {
	script := "#!/bin/sh\nn=$(date +%s%N)\nf='" + s.dir + "'/\"got-$n-$$\"\nprintf '%s\\n' \"$3\" \"$*\" > \"$f.tmp\"\ncat >> \"$f.tmp\"\nmv \"$f.tmp\" \"$f\"\ncase $3 in\n"
	for event, answer := range s.answers {
		if answer == "" {
			answer = ":"
		}
		script += event + ") " + answer + "\n;;\n"
	}
	return script + "esac\nexit 0\n"
}

// play writes the bridge and the program, and plays the steps.
func (s *stage) play(steps ...string) played {
	s.t.Helper()
	file := filepath.Join(s.dir, "bridge.mjs")
	for path, text := range map[string]string{filepath.Join(s.dir, "standin.sh"): s.standIn(), file: string(Bridge(s.opts))} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	in, err := json.Marshal(map[string]any{"steps": json.RawMessage("[" + strings.Join(steps, ",") + "]"), "cwd": s.dir,
		"entries": json.RawMessage(s.entries), "confirm": !s.no, "twice": s.twice, "spoiled": s.spoiled})
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command("node", "testdata/host.mjs", file, s.mode)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	out, err := cmd.Output()
	var p played
	if err == nil {
		err = json.Unmarshal(out, &p)
	}
	if err != nil {
		s.t.Fatalf("%v\n%s\n%s", err, out, stderr.String())
	}
	p.Stderr = stderr.String()
	p.Payloads = s.got()
	return p
}

func (s *stage) got() []payload {
	files, _ := filepath.Glob(filepath.Join(s.dir, "got-*"))
	slices.Sort(files)
	var list []payload
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			s.t.Fatal(err)
		}
		parts := strings.SplitN(string(b), "\n", 3)
		list = append(list, payload{parts[0], parts[1], parts[2]})
	}
	return list
}

// The steps of a session.
const (
	begin  = `{"event":{"type":"session_start","reason":"startup"}}`
	prompt = `{"event":{"type":"input","text":"do it","source":"interactive"}}`
	steer  = `{"event":{"type":"input","text":"more","source":"interactive","streamingBehavior":"steer"}}`
	run    = `{"event":{"type":"before_agent_start","messageType":"user","prompt":"do it","systemPrompt":"LONG"}}`
	call   = `{"event":{"type":"tool_call","toolName":"bash","toolCallId":"call_1","input":{"command":"true","timeout":5}}}`
	result = `{"event":{"type":"tool_result","toolName":"bash","toolCallId":"call_1","input":{},"content":[{"type":"text","text":"out"}],"structuredContent":{"output":"out"},"isError":false}}`
	over   = `{"event":{"type":"tool_execution_end","toolName":"bash","toolCallId":"call_1","isError":true}}`
	settle = `{"event":{"type":"agent_before_settle","outcome":"completed","entries":[{"type":"custom","customType":"x"}],"continue":false,
		"context":{"pendingMessages":[],"contextMessages":[{"role":"assistant","content":[{"type":"text","text":"last"}],"usage":{"input":7}},{"role":"user","content":"x"}]}}}`
)

func op(ops string) string { return `printf '%s' '{"ops":[` + ops + `]}'` }

// TestBridgeIsOneFunction: anything else, or a throw, ends Pi.
func TestBridgeIsOneFunction(t *testing.T) {
	s := newStage(t)
	s.opts.Events = append(BridgeEvents(), "no_such_event")
	p := s.play(`{"broken":{}}`, `{"broken":null}`)
	if !slices.Equal(p.Exports, []string{"default"}) || !slices.Contains(p.Handlers, "tool_call") {
		t.Errorf("exports %q, handlers %q", p.Exports, p.Handlers)
	}
	if !strings.Contains(p.Stderr, "Pi does not take hooks of") {
		t.Errorf("a host that takes no hooks, and people are told %q", p.Stderr)
	}
	for i, r := range p.Results {
		if r.Error != "" {
			t.Errorf("host %d: the bridge throws at load: %s", i, r.Error)
		}
	}
	imports := regexp.MustCompile(`(?m)^import .*|\bimport\(.*|\brequire\(.*`).FindAllString(bridgeSource, -1)
	if !slices.Equal(imports, []string{`import { spawn } from "node:child_process"`}) {
		t.Errorf("imports %q", imports)
	}
}

// TestBridgeAppliesOperations: each operation on the event that it belongs to.
func TestBridgeAppliesOperations(t *testing.T) {
	const same = `{"command":"true","timeout":5}`
	for _, c := range []struct{ name, ops, step, error, output, input string }{
		{"silence", ``, call, "", ``, same},
		{"no operation", `{"ops":[]}`, call, "", ``, same},
		{"block", `{"ops":[{"op":"block","reason":"no\ntwo"}]}`, call, "", `{"block":true,"reason":"no\ntwo"}`, same},
		{"block with context", `{"ops":[{"op":"block","reason":"no"},{"op":"context","text":"c"}]}`, call, "", `{"block":true,"reason":"no\n\nc"}`, same},
		{"set", `{"ops":[{"op":"set","path":["input","command"],"value":"false"}]}`, call, "", ``, `{"command":"false","timeout":5}`},
		{"set another type", `{"ops":[{"op":"set","path":["input","command"],"value":["false"]}]}`, call, "hookspan: a hook made input.command array, it was string", ``, same},
		{"set a new key", `{"ops":[{"op":"set","path":["input","__proto__"],"value":1}]}`, call, "", ``, `{"command":"true","timeout":5,"__proto__":1}`},
		{"set what is not there", `{"ops":[{"op":"set","path":["constructor","command"],"value":"x"}]}`, call, "hookspan: nothing to change at constructor.command", ``, same},
		{"end", `{"ops":[{"op":"end","text":"enough"}]}`, call, "", `{"block":true,"reason":"enough"}`, same},
		{"ask", `{"ops":[{"op":"ask","reason":"sure?"}]}`, call, "", ``, same},
		{"context behind a result", `{"ops":[{"op":"context","text":"c"}]}`, result, "",
			`{"content":[{"type":"text","text":"out"},{"type":"text","text":"c"}],"structuredContent":{"output":"out"}}`, `{}`},
		{"another result", `{"ops":[{"op":"output","text":"new"},{"op":"context","text":"c"}]}`, result, "",
			`{"content":[{"type":"text","text":"new"},{"type":"text","text":"c"}]}`, `{}`},
		{"no compaction", `{"ops":[{"op":"block","reason":"no"}]}`, `{"event":{"type":"session_before_compact","reason":"manual"}}`, "", `{"cancel":true}`, ``},
		{"no prompt", `{"ops":[{"op":"block","reason":"no"}]}`, prompt, "", `{"action":"handled"}`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			for _, event := range BridgeEvents() {
				s.answers[event] = "printf '%s' '" + c.ops + "'"
			}
			delete(s.answers, "session_shutdown")
			p := s.play(c.step)
			r := p.Results[0]
			if r.Error != c.error || string(r.Output) != c.output || string(r.Input) != c.input {
				t.Errorf("error %q, want %q\noutput %s\n  want %s\ninput %s\n want %s", r.Error, c.error, r.Output, c.output, r.Input, c.input)
			}
			if aborted := p.asked("abort") != ""; aborted != (c.name == "end") {
				t.Errorf("aborted: %v", aborted)
			}
			if told := p.asked("notify"); strings.HasPrefix(c.name, "no ") && c.name != "no operation" && !strings.Contains(told, "hookspan: no") {
				t.Errorf("the user is told %q", told)
			}
		})
	}
}

// TestBridgeAsks: a no blocks, nobody to ask is a no, and what is shown cannot play with the terminal.
func TestBridgeAsks(t *testing.T) {
	ask := op(`{"op":"set","path":["input","command"],"value":"rm \u001b[2Ax"},{"op":"ask","reason":"sure?"}`)
	for _, c := range []struct {
		mode    string
		no      bool
		blocked bool
	}{{"tui", false, false}, {"tui", true, true}, {"print", false, true}} {
		s := newStage(t)
		s.mode, s.no = c.mode, c.no
		s.answers["tool_call"] = ask
		p := s.play(call)
		if blocked := string(p.Results[0].Output) == `{"block":true,"reason":"the user said no: sure?"}`; blocked != c.blocked {
			t.Errorf("%+v: %s", c, p.Results[0].Output)
		}
		if want := `["hookspan: allow bash?","sure?\n\nrm  [2Ax"]`; c.mode == "tui" && p.asked("confirm") != want {
			t.Errorf("asked %s, want %s", p.asked("confirm"), want)
		}
	}
}

// TestBridgeDeliversContext: of the session's start and of the prompt behind the prompt, of a call with its
// result, of a call in a script with the script's, and of a call without a result with the next one.
func TestBridgeDeliversContext(t *testing.T) {
	s := newStage(t)
	for event, text := range map[string]string{"session_start": "start", "input": "prompt", "tool_call": "before", "tool_result": "after"} {
		s.answers[event] = op(`{"op":"context","text":"` + text + `"}`)
	}
	s.answers["session_start"] = "sleep 1; " + s.answers["session_start"]
	nested := func(step string) string {
		return strings.Replace(step, `"call_1"`, `"call_1/1","parentToolCallId":"call_1"`, 1)
	}
	p := s.play(begin, prompt, run, run, call, nested(call), nested(result), result, call, over, result, steer, run)
	want := map[int]string{
		1: ``, 2: `{"message":{"customType":"hookspan","content":"start\n\nprompt","display":false}}`, 3: ``, 4: ``, 5: ``, 6: ``,
		7:  `{"content":[{"type":"text","text":"out"},{"type":"text","text":"before"},{"type":"text","text":"before"},{"type":"text","text":"after"},{"type":"text","text":"after"}],"structuredContent":{"output":"out"}}`,
		10: `{"content":[{"type":"text","text":"out"},{"type":"text","text":"after"},{"type":"text","text":"before"}],"structuredContent":{"output":"out"}}`,
		12: ``,
	}
	for i, w := range want {
		if got := string(p.Results[i].Output); got != w || p.Results[i].Error != "" {
			t.Errorf("step %d: %s %s\n want %s", i, p.Results[i].Error, got, w)
		}
	}
	if got, want := p.asked("sendMessage"), `[{"customType":"hookspan","content":"prompt","display":false},{"deliverAs":"steer"}]`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// TestBridgeFailsAsInstalled: whatever is wrong with the program, a tool call goes on or is blocked, as
// on_failure says, and everything else goes on.
func TestBridgeFailsAsInstalled(t *testing.T) {
	for _, c := range []struct{ name, answer, why string }{
		{"missing", "", "there is no program"},
		{"hanging", "sleep 20", "did not answer in time"},
		{"crashing", "echo broken >&2; exit 3", "exit code 3: broken"},
		{"killed", "kill -9 $$", "ended by SIGKILL"},
		{"printing junk", "echo Segmentation fault", "Unexpected token"},
		{"printing other JSON", `printf '{"ops":{}}'`, "no list of operations"},
		{"printing too much", "head -c 11000000 /dev/zero", "more than 10485760 bytes"},
		{"not reading", "exec 0<&-; exit 0", ""},
		{"leaving a child that holds its output", "sleep 3 &", ""},
	} {
		for _, block := range []bool{false, true} {
			t.Run(c.name+"/"+policy(block), func(t *testing.T) {
				t.Parallel()
				s := newStage(t)
				s.opts.Block = block
				limit := 10 * time.Second
				if c.name == "hanging" {
					limit = time.Second
				}
				s.opts.Timeouts = map[string]time.Duration{}
				for _, event := range BridgeEvents() {
					s.opts.Timeouts[event], s.answers[event] = limit, c.answer
				}
				if c.name == "missing" {
					s.opts.Program = filepath.Join(s.dir, "gone")
				}
				p := s.play(begin, prompt, run, call, result, settle)
				for i, r := range p.Results {
					if i != 1 && i != 3 && (r.Error != "" || len(r.Output) > 0) {
						t.Errorf("step %d: %s %s", i, r.Error, r.Output)
					}
				}
				refused := block && c.why != ""
				if got := string(p.Results[1].Output); (got == `{"action":"handled"}`) != refused {
					t.Errorf("the prompt: %q", got)
				}
				got := string(p.Results[3].Output)
				if blocked := strings.Contains(got, `"block":true`); blocked != refused || !strings.Contains(got, c.why) && blocked {
					t.Errorf("the call: %q", got)
				}
				if told := p.asked("notify"); !strings.Contains(told, c.why) || strings.Count(told, "a hook could not run") > 1 {
					t.Errorf("the user is told %s", told)
				}
			})
		}
	}
}

// TestBridgeThatCannotBeSetUp: people are told, and a strict install refuses what it was to watch, and nothing else.
func TestBridgeThatCannotBeSetUp(t *testing.T) {
	for _, mode := range []string{"tui", "print"} {
		for _, block := range []bool{false, true} {
			s := newStage(t)
			s.mode, s.spoiled, s.opts.Block, s.opts.Tools = mode, true, block, []string{"bash"}
			p := s.play(begin, prompt, call, strings.Replace(call, "bash", "read", 1))
			told := p.asked("notify")
			if mode == "print" {
				told = p.Stderr
			}
			if !strings.Contains(told, "no hook runs") || strings.Contains(told, "installed to block") != block {
				t.Errorf("%s, block %v: told %s", mode, block, told)
			}
			for i, want := range []string{"", `{"action":"handled"}`, `{"block":true,"reason":"hookspan could not be set up`, ""} {
				if !block {
					want = ""
				}
				if got := string(p.Results[i].Output); p.Results[i].Error != "" || !strings.HasPrefix(got, want) || want == "" && got != "" {
					t.Errorf("%s, block %v: step %d: %s %s", mode, block, i, got, p.Results[i].Error)
				}
			}
		}
	}
}

// TestBridgeIsInterrupted: where the user stops the turn, the call does not wait and does not run.
func TestBridgeIsInterrupted(t *testing.T) {
	s := newStage(t)
	s.answers["tool_call"] = "sleep 20"
	began := time.Now()
	p := s.play(`{"abort":300}`, call)
	if string(p.Results[1].Output) != `{"block":true,"reason":"the user interrupted"}` || time.Since(began) > 10*time.Second || p.asked("notify") != "" {
		t.Errorf("after %s: %s, told %s", time.Since(began), p.Results[1].Output, p.asked("notify"))
	}
}

// TestBridgeTellsPeople: in the terminal by a notice, elsewhere on stderr.
func TestBridgeTellsPeople(t *testing.T) {
	for _, mode := range []string{"tui", "print"} {
		s := newStage(t)
		s.mode = mode
		s.answers["input"] = op(`{"op":"block","reason":"not that"},{"op":"notice","text":"by the way"}`)
		p := s.play(prompt)
		told := p.asked("notify")
		if mode == "print" {
			told = p.Stderr
		}
		for _, want := range []string{"hookspan: not that", "hookspan: by the way"} {
			if !strings.Contains(told, want) {
				t.Errorf("%s: told %q, no %q", mode, told, want)
			}
		}
	}
}

// TestBridgeSendsBack: once the model has finished, and at no other moment.
func TestBridgeSendsBack(t *testing.T) {
	s := newStage(t)
	s.answers["agent_before_settle"] = op(`{"op":"prompt","text":"go on"}`)
	aborted := strings.Replace(settle, "completed", "aborted", 1)
	queued := strings.Replace(settle, `"pendingMessages":[]`, `"pendingMessages":[{}]`, 1)
	others := strings.Replace(settle, `"continue":false`, `"continue":true`, 1)
	p := s.play(prompt, aborted, queued, others, settle, steer, settle, prompt, settle)
	want := `{"entries":[{"type":"custom","customType":"x"},{"type":"custom_message","customType":"hookspan","content":"go on","display":true}],"continue":true}`
	for i, r := range p.Results {
		if sent := i == 4 || i == 6 || i == 8; sent != (string(r.Output) == want) || i < 4 && len(r.Output) > 0 {
			t.Errorf("step %d: %s", i, r.Output)
		}
	}
	var active []string
	for _, x := range p.Payloads {
		if x.Event == "agent_before_settle" {
			active = append(active, regexp.MustCompile(`"stop_hook_active":\w+`).FindString(x.Text))
			if !strings.Contains(x.Text, `"last_assistant_message":"last"`) || !strings.Contains(x.Text, `"usage":{"input":7}`) || strings.Contains(x.Text, "contextMessages") {
				t.Errorf("told %s", x.Text)
			}
		}
	}
	if want := []string{`"stop_hook_active":false`, `"stop_hook_active":true`, `"stop_hook_active":false`}; !slices.Equal(active, want) {
		t.Errorf("told %q", active)
	}
}

// TestBridgesOfTwoScopesSayItOnce: both get the same answer; texts come once, questions too, and a no is a no.
func TestBridgesOfTwoScopesSayItOnce(t *testing.T) {
	s := newStage(t)
	s.twice = true
	context := `{"op":"context","text":"c"}`
	s.answers["input"], s.answers["tool_result"] = op(context+`,{"op":"notice","text":"n"}`), op(context)
	s.answers["tool_call"] = op(`{"op":"ask","reason":"r"},{"op":"set","path":["input","command"],"value":"false"},` + context)
	s.answers["agent_before_settle"] = op(`{"op":"prompt","text":"go on"}`)
	p := s.play(prompt, run, call, result, settle, settle)
	for i, want := range map[int]string{1: `{"message":{"customType":"hookspan","content":"c","display":false}}`,
		3: `{"content":[{"type":"text","text":"out"},{"type":"text","text":"c"},{"type":"text","text":"c"}],"structuredContent":{"output":"out"}}`,
		4: `{"entries":[{"type":"custom","customType":"x"},{"type":"custom_message","customType":"hookspan","content":"go on","display":true}],"continue":true}`} {
		if got := string(p.Results[i].Output); got != want {
			t.Errorf("step %d: %s\n want %s", i, got, want)
		}
	}
	if got := string(p.Results[2].Input); got != `{"command":"false","timeout":5}` || strings.Count(p.asked("confirm"), "allow") != 1 || strings.Count(p.asked("notify"), "hookspan: n") != 1 {
		t.Errorf("input %s, asked %s, told %s", got, p.asked("confirm"), p.asked("notify"))
	}
	if got := p.events(); got != "input input tool_call tool_call tool_result tool_result agent_before_settle agent_before_settle session_shutdown session_shutdown" {
		t.Errorf("told %s", got)
	}
	if second := p.Payloads[7].Text; !strings.Contains(second, `"stop_hook_active":true`) {
		t.Errorf("the second stop is told as %s", second)
	}
	s.answers["tool_call"] = op(`{"op":"block","reason":"no"}`)
	for _, f := range s.files() {
		_ = os.Remove(f)
	}
	if p = s.play(call); string(p.Results[0].Output) != `{"block":true,"reason":"no"}` {
		t.Errorf("a no: %s", p.Results[0].Output)
	}
}

// TestBridgePassesWhatWasAskedFor: events and tools are filtered before anything is started.
func TestBridgePassesWhatWasAskedFor(t *testing.T) {
	s := newStage(t)
	s.opts.Events, s.opts.Tools, s.opts.Project = []string{"tool_call", "user_bash"}, []string{"edit"}, "/checkout"
	p := s.play(begin, prompt, run, call, strings.Replace(call, "bash", "edit", 1), result, over, settle, `{"event":{"type":"user_bash","command":"ls"}}`)
	if got := p.events(); got != "tool_call user_bash" {
		t.Fatalf("told %s", got)
	}
	if p.Payloads[0].Args != "run pi tool_call --project /checkout" {
		t.Errorf("arguments %q", p.Payloads[0].Args)
	}
}

// TestBridgeTellsItsContext: session, mode, moment, and a session that is continued.
func TestBridgeTellsItsContext(t *testing.T) {
	s := newStage(t)
	s.opts.Project = "."
	p := s.play(begin, prompt, call)
	want := "--project " + filepath.Dir(filepath.Dir(s.dir))
	for i, keys := range [][]string{{`"sessionId":"ses_1"`, `"mode":"tui"`, `"cwd":"` + s.dir + `"`, `"model":"m1"`}, {`"turn":"`, `"at":"`}, {`"turn":"`}} {
		for _, key := range keys {
			if !strings.Contains(p.Payloads[i].Text, key) || !strings.HasSuffix(p.Payloads[i].Args, want) {
				t.Errorf("%s has no %s: %s %s", p.Payloads[i].Event, key, p.Payloads[i].Args, p.Payloads[i].Text)
			}
		}
	}
	if strings.Contains(p.Payloads[0].Text, `"source"`) {
		t.Errorf("a new session: %s", p.Payloads[0].Text)
	}
	s.entries = `[{"type":"message"}]`
	for _, f := range s.files() {
		_ = os.Remove(f)
	}
	if p = s.play(begin); !strings.Contains(p.Payloads[0].Text, `"source":"resume"`) {
		t.Errorf("a continued session: %s", p.Payloads[0].Text)
	}
}

func (s *stage) files() []string {
	files, _ := filepath.Glob(filepath.Join(s.dir, "got-*"))
	return files
}

// TestBridgeWritesJSONOfAnything: what cannot be written is left out, and nothing fails.
func TestBridgeWritesJSONOfAnything(t *testing.T) {
	s := newStage(t)
	p := s.play(`{"event":{"type":"tool_call","toolName":"bash","toolCallId":"c","input":{"command":"true","cycle":"@cycle","big":"@bigint","f":"@function",
		"signal":"@signal","bytes":"@bytes","image":"@data","twice":{"a":1}}}}`)
	if p.Results[0].Error != "" {
		t.Fatal(p.Results[0].Error)
	}
	want := `"input":{"command":"true","cycle":{"name":"cycle"},"big":"12345678901234567890","image":"data:image/png;base64,` +
		strings.Repeat("A", 42) + `…","twice":{"a":1}}`
	if !strings.Contains(p.Payloads[0].Text, want) {
		t.Errorf("written %s\n  want %s", p.Payloads[0].Text, want)
	}
}

// TestBridgeHeader: a file tells whether it is ours, which version it is, and whether it was edited.
func TestBridgeHeader(t *testing.T) {
	file := Bridge(BridgeOptions{Program: "/usr/bin/hookspan"})
	if !bytes.Equal(file, Bridge(BridgeOptions{Program: "/usr/bin/hookspan"})) {
		t.Error("the same options give two files")
	}
	if h, ok := BridgeHeader(file); !ok || h != (Header{Version: BridgeVersion}) {
		t.Errorf("%+v %v", h, ok)
	}
	if h, ok := BridgeHeader(append(file, "// mine\n"...)); !ok || !h.Edited {
		t.Errorf("edited: %+v %v", h, ok)
	}
	for _, text := range []string{"", "// hookspan-bridge: opencode version=1 sum=x\n", "export const X = 1\n"} {
		if _, ok := BridgeHeader([]byte(text)); ok {
			t.Errorf("%q is taken for ours", text)
		}
	}
	if !bytes.Contains(file, []byte(`"program":"/usr/bin/hookspan"`)) || bytes.Contains(file, []byte("@@")) {
		t.Errorf("the options are not in the file")
	}
}
