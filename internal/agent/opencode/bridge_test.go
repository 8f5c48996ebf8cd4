package opencode

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

// stage is a bridge with a stand-in program, and a stand-in for OpenCode that plays steps to it.
type stage struct {
	t    *testing.T
	dir  string
	opts BridgeOptions
	mode string // "run" or "tui"
	// answers are shell commands by event; the payload is in the file $f.
	answers map[string]string
	// sessions that were made before, and MCP servers, as OpenCode tells them.
	sessions, mcp map[string]any
	second        *BridgeOptions // of another registration in the same process
	spoiled       bool           // the bridge cannot be set up
	bare          bool           // OpenCode's client has nothing that we know
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
	s := &stage{t: t, dir: t.TempDir(), mode: "tui", answers: map[string]string{}}
	s.opts.Program = filepath.Join(s.dir, "standin.sh")
	return s
}

// played is what became of the steps.
type played struct {
	Exports []string
	Hooks   []string
	Results []struct {
		Error  string
		Output json.RawMessage
		Hooks  []string
	}
	Asked []struct {
		Name string
		Body json.RawMessage
		Path json.RawMessage
		URL  string
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

// told returns what the program got for an event, whichever of two at the same time came first.
func (p played) told(event string) string {
	for _, x := range p.Payloads {
		if x.Event == event {
			return x.Text
		}
	}
	return ""
}

func (p played) asked(name string) string {
	var out []string
	for _, a := range p.Asked {
		if a.Name == name {
			out = append(out, string(a.Body))
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

// play writes the bridge and the program, and plays the steps, a JSON array.
func (s *stage) play(steps string) played {
	s.t.Helper()
	script := s.standIn()
	file := filepath.Join(s.dir, "bridge.mjs")
	for path, text := range map[string]string{filepath.Join(s.dir, "standin.sh"): script, file: string(Bridge(s.opts))} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	old, _ := filepath.Glob(filepath.Join(s.dir, "got-*"))
	for _, f := range old {
		_ = os.Remove(f)
	}
	in, err := json.Marshal(map[string]any{"steps": json.RawMessage(steps), "directory": s.dir, "sessions": s.sessions, "mcp": s.mcp, "second": s.writeSecond(), "spoiled": s.spoiled, "bare": s.bare})
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

func (s *stage) writeSecond() string {
	if s.second == nil {
		return ""
	}
	file := filepath.Join(s.dir, "second.mjs")
	if err := os.WriteFile(file, Bridge(*s.second), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return file
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
	created = `{"event":{"id":"evt_1","type":"session.created","properties":{"sessionID":"ses_1","info":{"id":"ses_1","version":"1.18.33"}}}}`
	child   = `{"event":{"id":"evt_2","type":"session.created","properties":{"sessionID":"ses_2","info":{"id":"ses_2","parentID":"ses_1","agent":"general"}}}}`
	prompt  = `{"hook":"chat.message","input":{"sessionID":"ses_1"},"output":{"message":{"id":"msg_1","sessionID":"ses_1","agent":"plan","model":{"providerID":"p","modelID":"m","variant":"high"}},"parts":[{"id":"prt_1","type":"text","text":"do it"}]}}`
	before  = `{"hook":"tool.execute.before","input":{"tool":"bash","sessionID":"ses_1","callID":"call_1"},"output":{"args":{"command":"true","timeout":5}}}`
	after   = `{"hook":"tool.execute.after","input":{"tool":"bash","sessionID":"ses_1","callID":"call_1","args":{"command":"true"}},"output":{"title":"t","output":"out","metadata":{}}}`
	failure = `{"event":{"id":"evt_3","type":"message.part.updated","properties":{"part":{"type":"tool","tool":"bash","sessionID":"ses_1","callID":"call_1","messageID":"msg_2","state":{"status":"error","error":"e","input":{}}}}}}`
	idle    = `{"event":{"id":"evt_9","type":"session.idle","properties":{"sessionID":"ses_1"}}}`
)

func answerOf(session, id, more string) string {
	return `{"event":{"type":"message.updated","properties":{"sessionID":"` + session + `","info":{"id":"` + id + `","sessionID":"` + session + `","role":"assistant"` + more + `}}}}`
}

func spoken(session, id, words string) string {
	return `{"event":{"type":"message.part.updated","properties":{"part":{"type":"text","text":"` + words + `","time":{"end":1},"sessionID":"` + session + `","messageID":"` + id + `"}}}}`
}

func step(session, id, reason string) string {
	return `{"event":{"id":"evt_` + id + `","type":"message.part.updated","properties":{"part":{"type":"step-finish","reason":"` + reason + `","tokens":{"input":7},"sessionID":"` + session + `","messageID":"` + id + `"}}}}`
}

// say is an answer with operations.
func say(ops string) string { return `printf '%s' '{"ops":[` + ops + `]}'` }

func steps(list ...string) string { return "[" + strings.Join(list, ",") + "]" }

// TestBridgeIsOneFunction: OpenCode rejects a file with any other export, and imports of packages make
// it fail without a network.
func TestBridgeIsOneFunction(t *testing.T) {
	s := newStage(t)
	p := s.play(steps(`{"load":true}`, `{"broken":{}}`, `{"broken":null}`))
	if !slices.Equal(p.Exports, []string{"Hookspan"}) {
		t.Errorf("exports %q", p.Exports)
	}
	for i, r := range p.Results[1:] {
		if r.Error != "" {
			t.Errorf("host %d: the bridge throws at load: %s", i, r.Error)
		}
	}
	if len(p.Results[0].Hooks) != 0 {
		t.Errorf("the same registration, loaded again, has the hooks %q", p.Results[0].Hooks)
	}
	imports := regexp.MustCompile(`(?m)^import .*|\bimport\(.*|\brequire\(.*`).FindAllString(bridgeSource, -1)
	if !slices.Equal(imports, []string{`import { spawn, spawnSync } from "node:child_process"`}) {
		t.Errorf("imports %q", imports)
	}
}

// TestBridgeAppliesOperations: each operation on the hook that it belongs to.
func TestBridgeAppliesOperations(t *testing.T) {
	for _, c := range []struct {
		name, event, ops, step, error, output string
	}{
		{"silence", "tool.execute.before", ``, before, "", `{"args":{"command":"true","timeout":5}}`},
		{"no operation", "tool.execute.before", `{"ops":[]}`, before, "", `{"args":{"command":"true","timeout":5}}`},
		{"block", "tool.execute.before", `{"ops":[{"op":"block","reason":"no\\ntwo"}]}`, before, "no\ntwo", `{"args":{"command":"true","timeout":5}}`},
		{"block with context", "tool.execute.before", `{"ops":[{"op":"block","reason":"no"},{"op":"context","text":"c"}]}`, before, "no\n\nc", `{"args":{"command":"true","timeout":5}}`},
		{"set", "tool.execute.before", `{"ops":[{"op":"set","path":["args","command"],"value":"false"}]}`, before, "", `{"args":{"command":"false","timeout":5}}`},
		{"set what is not there", "tool.execute.before", `{"ops":[{"op":"set","path":["arg","command"],"value":"false"}]}`, before,
			"hookspan: nothing to change at arg.command", `{"args":{"command":"true","timeout":5}}`},
		{"end", "tool.execute.before", `{"ops":[{"op":"end","text":"enough"}]}`, before, "enough", `{"args":{"command":"true","timeout":5}}`},
		{"output", "tool.execute.after", `{"ops":[{"op":"output","text":"new"},{"op":"context","text":"c"}]}`, after, "", `{"title":"t","output":"new\n\nc","metadata":{}}`},
		{"context behind an MCP result", "tool.execute.after", `{"ops":[{"op":"context","text":"c"}]}`,
			`{"hook":"tool.execute.after","input":{"tool":"demo_echo","sessionID":"ses_1","callID":"c"},"output":{"content":[{"type":"text","text":"a"}]}}`,
			"", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"c"}]}`},
		{"another MCP result", "tool.execute.after", `{"ops":[{"op":"output","text":"new"}]}`,
			`{"hook":"tool.execute.after","input":{"tool":"demo_echo","sessionID":"ses_1","callID":"c"},"output":{"content":[{"type":"text","text":"a"}]}}`,
			"", `{"content":[{"type":"text","text":"new"}]}`},
		{"context for a summary", "experimental.session.compacting", `{"ops":[{"op":"context","text":"c"}]}`,
			`{"hook":"experimental.session.compacting","input":{"sessionID":"ses_1"},"output":{"context":["a"]}}`, "", `{"context":["a","c"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			s.answers[c.event] = "printf '" + strings.ReplaceAll(c.ops, `%`, `%%`) + "'"
			p := s.play(steps(created, c.step))
			r := p.Results[1]
			if r.Error != c.error || string(r.Output) != c.output {
				t.Errorf("error %q, want %q\noutput %s\n  want %s", r.Error, c.error, r.Output, c.output)
			}
		})
	}
}

// TestBridgeDeliversContext: of the session's start and of the prompt with the prompt, of a call with
// its result, of a failure with what comes next.
func TestBridgeDeliversContext(t *testing.T) {
	s := newStage(t)
	for event, text := range map[string]string{"event.session.created": "start", "chat.message": "prompt", "tool.execute.before": "before", "event.message.part.updated": "failure"} {
		s.answers[event] = `printf '{"ops":[{"op":"context","text":"` + text + `"}]}'`
	}
	p := s.play(steps(created, prompt, before, after, failure, `{"until":5}`, after))
	want := `[{"id":"prt_1","type":"text","text":"do it"},` +
		`{"id":"prt_1h0","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"start","synthetic":true},` +
		`{"id":"prt_1h1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"prompt","synthetic":true}]`
	var out struct{ Parts json.RawMessage }
	if err := json.Unmarshal(p.Results[1].Output, &out); err != nil || string(out.Parts) != want {
		t.Errorf("prompt: %s", p.Results[1].Output)
	}
	if got := string(p.Results[3].Output); !strings.Contains(got, `"out\n\nbefore"`) {
		t.Errorf("result of the call: %s", got)
	}
	if got := string(p.Results[6].Output); !strings.Contains(got, `"out\n\nfailure"`) {
		t.Errorf("next result: %s", got)
	}
}

// TestBridgeFailsAsInstalled: whatever is wrong with the program, a tool call and a prompt go on or are
// blocked, as on_failure says, and everything else goes on.
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
				s.opts.Timeouts = map[string]time.Duration{"tool.execute.before": limit, "chat.message": limit}
				s.answers["tool.execute.before"], s.answers["chat.message"] = c.answer, c.answer
				if c.name == "missing" {
					s.opts.Program = filepath.Join(s.dir, "gone")
				}
				p := s.play(steps(created, prompt, before, after))
				for i, r := range p.Results {
					gate := i == 1 || i == 2
					if blocked := r.Error != ""; blocked != (gate && block && c.why != "") || !strings.Contains(r.Error, c.why) && blocked {
						t.Errorf("step %d: %q", i, r.Error)
					}
				}
				if told := p.asked("toast"); !strings.Contains(told, c.why) || strings.Count(told, "a hook could not run") > 1 {
					t.Errorf("the user is told %s", told)
				}
			})
		}
	}
}

// TestBridgeThatCannotBeSetUp: people are told, at the start and again when the screen is there; a strict
// install refuses what it was to watch, and nothing else.
func TestBridgeThatCannotBeSetUp(t *testing.T) {
	command := `{"hook":"command.execute.before","input":{"command":"c","sessionID":"ses_1"},"output":{"parts":[]}}`
	for _, mode := range []string{"tui", "run"} {
		for _, block := range []bool{false, true} {
			s := newStage(t)
			s.mode, s.spoiled, s.opts.Block, s.opts.Tools = mode, true, block, []string{"bash"}
			s.opts.Events = append(BridgeEvents(), "command.execute.before")
			p := s.play(steps(prompt, before, strings.Replace(before, "bash", "read", 1), command, `{"sleep":700}`))
			for i, want := range []bool{block, block, false, block} {
				if got := p.Results[i].Error; (got != "") != want || want && !strings.Contains(got, "hookspan could not be set up") {
					t.Errorf("%s, block %v: step %d: %q", mode, block, i, got)
				}
			}
			told := p.asked("toast")
			if mode == "run" {
				told = p.Stderr
			}
			if !strings.Contains(told, "no hook runs") || strings.Contains(told, "installed to block") != block || !strings.Contains(p.asked("log"), "no hook runs") {
				t.Errorf("%s, block %v: told %s", mode, block, told)
			}
			if mode == "tui" && !block && strings.Count(told, "no hook runs") != 2 {
				t.Errorf("told at the start alone, or too often: %s", told)
			}
		}
	}
}

// TestBridgeWorksWithoutItsHost: what it asks of OpenCode beside its hooks may be missing.
func TestBridgeWorksWithoutItsHost(t *testing.T) {
	s := newStage(t)
	s.bare = true
	p := s.play(steps(prompt, strings.Replace(before, "bash", "my_tool", 1), after))
	for i, r := range p.Results {
		if r.Error != "" {
			t.Errorf("step %d: %s", i, r.Error)
		}
	}
}

// TestBridgeRefusesPrompts: with the reason for the user, whom OpenCode tells nothing.
func TestBridgeRefusesPrompts(t *testing.T) {
	s := newStage(t)
	s.answers["chat.message"] = `printf '{"ops":[{"op":"block","reason":"not that"}]}'`
	p := s.play(steps(created, prompt, `{"sleep":700}`))
	if p.Results[1].Error != "not that" || !strings.Contains(p.asked("toast"), "not that") {
		t.Errorf("%q, told %s", p.Results[1].Error, p.asked("toast"))
	}
	s.mode = "run"
	if p = s.play(steps(created, prompt)); !strings.Contains(p.Stderr, "hookspan: not that") || p.asked("toast") != "" {
		t.Errorf("run: stderr %q, toast %q", p.Stderr, p.asked("toast"))
	}
}

// TestBridgeTellsTheEndOfATurnOnce: in the terminal when the session is idle, in run, which leaves
// then, at the model's last step; and at no other moment.
func TestBridgeTellsTheEndOfATurnOnce(t *testing.T) {
	turn := []string{created, prompt, answerOf("ses_1", "msg_2", ""), spoken("ses_1", "msg_2", "first"), before, after, step("ses_1", "msg_2", "tool-calls"),
		answerOf("ses_1", "msg_3", ""), spoken("ses_1", "msg_3", "last"), step("ses_1", "msg_3", "stop"), answerOf("ses_1", "msg_3", `,"finish":"stop"`), idle, idle}
	called := `{"event":{"type":"message.part.updated","properties":{"part":{"type":"tool","tool":"bash","callID":"c","sessionID":"ses_1","messageID":"msg_2","state":{"status":"completed"}}}}}`
	for _, c := range []struct {
		name   string
		steps  []string
		stops  int
		inStep bool
	}{
		{"a turn", turn, 1, true},
		{"a turn that is interrupted", []string{created, prompt, answerOf("ses_1", "msg_2", ""), answerOf("ses_1", "msg_2", `,"error":{"name":"MessageAbortedError"}`), idle}, 0, true},
		{"an error after the last step", []string{created, prompt, answerOf("ses_1", "msg_2", ""), step("ses_1", "msg_2", "content-filter"), idle}, 0, true},
		{"a summary", []string{created, prompt, answerOf("ses_1", "msg_2", `,"summary":true`), step("ses_1", "msg_2", "stop"), idle}, 0, true},
		{"a last step with a tool call", []string{created, prompt, answerOf("ses_1", "msg_2", ""), called, step("ses_1", "msg_2", "stop"), idle}, 0, true},
		{"a user's shell command", []string{created, answerOf("ses_1", "msg_2", ""), called, idle}, 0, true},
		{"a subagent's turn", []string{created, prompt, child, answerOf("ses_2", "msg_4", ""), step("ses_2", "msg_4", "stop"),
			`{"event":{"id":"e","type":"session.idle","properties":{"sessionID":"ses_2"}}}`}, 0, true},
	} {
		for _, mode := range []string{"tui", "run"} {
			t.Run(c.name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				s := newStage(t)
				s.mode = mode
				p := s.play(steps(c.steps...))
				stops, children := 0, 0
				for _, x := range p.Payloads {
					isStop := x.Event == "event.session.idle" || x.Event == "event.message.part.updated"
					switch {
					case isStop && strings.Contains(x.Text, `"parent":"ses_1"`):
						children++
					case isStop:
						stops++
						if inStep := x.Event == "event.message.part.updated"; inStep != (mode == "run") {
							t.Errorf("told as %s", x.Event)
						}
						if !strings.Contains(x.Text, `"stop_hook_active":false`) || !strings.Contains(x.Text, `"last_assistant_message":"last"`) {
							t.Errorf("told %s", x.Text)
						}
					}
				}
				if stops != c.stops || children > 0 != (c.name == "a subagent's turn") {
					t.Errorf("%d stops, %d of subagents: %s", stops, children, p.events())
				}
			})
		}
	}
}

// TestBridgeSendsBack: with the agent and the model of the prompt, once for each answer, and not where
// the user has gone on.
func TestBridgeSendsBack(t *testing.T) {
	turn := []string{created, prompt, answerOf("ses_1", "msg_3", ""), step("ses_1", "msg_3", "stop"), idle, `{"until":3}`}
	answer := `printf '{"ops":[{"op":"prompt","text":"go on"}]}'`
	for mode, how := range map[string]string{"tui": "promptAsync", "run": "prompt"} {
		s := newStage(t)
		s.mode = mode
		s.answers["event.session.idle"], s.answers["event.message.part.updated"] = answer, answer
		p := s.play(steps(turn...))
		body := p.asked(how)
		for _, want := range []string{`"text":"go on"`, `"agent":"plan"`, `"modelID":"m"`, `"variant":"high"`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: %q has no %s", mode, body, want)
			}
		}
		if noReply := strings.Contains(body, `"noReply":true`); noReply != (mode == "run") {
			t.Errorf("%s: %s", mode, body)
		}
		again := `{"hook":"chat.message","input":{"sessionID":"ses_1"},"output":{"message":{"id":"msg_5"},"parts":[{"type":"text","text":"go on","metadata":{"hookspan":"stop"}}]}}`
		p = s.play(steps(append(turn[:4:4], again, answerOf("ses_1", "msg_6", ""), step("ses_1", "msg_6", "stop"), idle, `{"until":4}`)...))
		if !strings.Contains(p.Payloads[len(p.Payloads)-2].Text, `"stop_hook_active":true`) && mode == "run" {
			t.Errorf("%s: the second stop is told as %s", mode, p.Payloads[len(p.Payloads)-2].Text)
		}
		if n := strings.Count(p.events(), "chat.message"); n != 1 {
			t.Errorf("%s: our own words are told as a prompt: %s", mode, p.events())
		}
	}
	s := newStage(t)
	s.answers["event.session.idle"] = "sleep 1; " + answer
	second := strings.Replace(prompt, "msg_1", "msg_7", 1)
	if p := s.play(steps(append(turn[:5:5], second, `{"sleep":2000}`)...)); p.asked("promptAsync") != "" {
		t.Errorf("the user has gone on, and is interrupted by %s", p.asked("promptAsync"))
	}
}

// TestBridgeTellsFailuresThatAreFailures: a call that a hook or the user refused has not failed.
func TestBridgeTellsFailuresThatAreFailures(t *testing.T) {
	asked := `{"event":{"id":"e","type":"permission.asked","properties":{"id":"per_1","sessionID":"ses_1","permission":"bash","tool":{"callID":"call_1"}}}}`
	rejected := `{"event":{"id":"e","type":"permission.replied","properties":{"requestID":"per_1","sessionID":"ses_1","reply":"reject"}}}`
	for _, c := range []struct {
		name, answer string
		steps        []string
		told         bool
	}{
		{"failed", "true", []string{created, before, failure}, true},
		{"blocked", `printf '{"ops":[{"op":"block","reason":"no"}]}'`, []string{created, before, failure}, false},
		{"ended", `printf '{"ops":[{"op":"end","text":""}]}'`, []string{created, before, failure}, false},
		{"rejected", "true", []string{created, before, asked, rejected, failure}, false},
		{"allowed and failed", "true", []string{created, before, asked, strings.Replace(rejected, "reject", "once", 1), failure}, true},
	} {
		s := newStage(t)
		s.answers["tool.execute.before"] = c.answer
		if p := s.play(steps(c.steps...)); strings.Contains(p.events(), "event.message.part.updated") != c.told {
			t.Errorf("%s: %s", c.name, p.events())
		}
	}
}

// TestBridgeAnswersPermissions: by the request's hook, or by an allow of the call's.
func TestBridgeAnswersPermissions(t *testing.T) {
	asked := `{"event":{"id":"e","type":"permission.asked","properties":{"id":"per_1","sessionID":"ses_1","permission":"bash","tool":{"callID":"call_1"}}}}`
	for _, c := range []struct{ name, event, answer, permission, reply string }{
		{"no opinion", "event.permission.asked", "true", "", ""},
		{"allow", "event.permission.asked", `printf '{"ops":[{"op":"allow"}]}'`, `{"response":"once"}`, ""},
		{"deny", "event.permission.asked", `printf '{"ops":[{"op":"block","reason":"no"}]}'`, "", `{"reply":"reject","message":"no"}`},
		{"allow of the call", "tool.execute.before", `printf '{"ops":[{"op":"allow"}]}'`, `{"response":"once"}`, ""},
	} {
		for _, mode := range []string{"tui", "run"} {
			s := newStage(t)
			s.mode = mode
			s.answers[c.event] = c.answer
			p := s.play(steps(created, before, asked, `{"sleep":900}`))
			if p.asked("permission") != c.permission || p.asked("reply") != c.reply {
				t.Errorf("%s in %s: %q %q", c.name, mode, p.asked("permission"), p.asked("reply"))
			}
			if waits := strings.Contains(p.events(), "event.permission.waiting"); waits != (mode == "tui" && c.name != "allow of the call") {
				t.Errorf("%s in %s: %s", c.name, mode, p.events())
			}
		}
	}
}

// TestBridgeKnowsItsSessions: parents of subagents, sessions made earlier, servers of MCP tools.
func TestBridgeKnowsItsSessions(t *testing.T) {
	s := newStage(t)
	s.sessions = map[string]any{"ses_1": map[string]any{"id": "ses_1", "version": "1.0.0"}, "ses_8": map[string]any{"id": "ses_8", "parentID": "ses_1", "agent": "x"}}
	s.mcp = map[string]any{"my.server": map[string]any{}, "other": map[string]any{}}
	mcp := `{"hook":"tool.execute.before","input":{"tool":"my_server_do_it","sessionID":"ses_8","callID":"c"},"output":{"args":{}}}`
	p := s.play(steps(prompt, mcp))
	if got := p.events(); got != "event.session.resumed chat.message tool.execute.before dispose" {
		t.Fatalf("told %s", got)
	}
	for i, want := range []string{`"source":"resume"`, `"turn":"msg_1"`, `"mcp":{"server":"my.server","tool":"do_it"}`, `"session":"ses_1"`} {
		if !strings.Contains(p.Payloads[i].Text, want) {
			t.Errorf("%s has no %s: %s", p.Payloads[i].Event, want, p.Payloads[i].Text)
		}
	}
	if !strings.Contains(p.Payloads[2].Text, `"parent":"ses_1"`) {
		t.Errorf("a subagent's call: %s", p.Payloads[2].Text)
	}
}

// TestBridgePassesWhatWasAskedFor: events and tools are filtered before anything is started.
func TestBridgePassesWhatWasAskedFor(t *testing.T) {
	s := newStage(t)
	s.opts.Events, s.opts.Tools, s.opts.Project = []string{"tool.execute.before", "event.todo.updated"}, []string{"edit"}, "/checkout"
	p := s.play(steps(created, prompt, before, strings.Replace(before, "bash", "edit", 1), after, idle, `{"event":{"id":"e","type":"todo.updated","properties":{"sessionID":"ses_1"}}}`))
	if got := p.events(); got != "tool.execute.before event.todo.updated" {
		t.Errorf("told %s", got)
	}
	if p.Payloads[0].Args != "run opencode tool.execute.before --project /checkout" {
		t.Errorf("arguments %q", p.Payloads[0].Args)
	}
}

// TestBridgesOfTwoScopesSpeakOnce: both ask, and what both answer is applied once.
func TestBridgesOfTwoScopesSpeakOnce(t *testing.T) {
	s := newStage(t)
	s.second = &BridgeOptions{Program: s.opts.Program, Project: "/checkout"}
	s.answers["chat.message"] = say(`{"op":"context","text":"CTX"},{"op":"notice","text":"NOTE"}`)
	s.answers["tool.execute.before"] = say(`{"op":"set","path":["args","command"],"value":"false"}`)
	s.answers["tool.execute.after"] = say(`{"op":"context","text":"AFTER"}`)
	s.answers["event.session.idle"] = say(`{"op":"prompt","text":"go on"}`)
	p := s.play(steps(created, prompt, before, after, answerOf("ses_1", "msg_3", ""), step("ses_1", "msg_3", "stop"), idle, `{"until":10}`))
	for want, got := range map[string]string{"CTX": string(p.Results[1].Output), "NOTE": p.asked("toast"), "AFTER": string(p.Results[3].Output), "go on": p.asked("promptAsync")} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%s is said %d times: %s", want, strings.Count(got, want), got)
		}
	}
	if got := string(p.Results[2].Output); !strings.Contains(got, `"command":"false"`) {
		t.Errorf("the call is %s", got)
	}
	if n := strings.Count(p.events(), "tool.execute.before"); n != 2 {
		t.Errorf("told %s", p.events())
	}
}

// TestBridgeFindsItsCheckout: the project's file passes the folder in which it lies.
func TestBridgeFindsItsCheckout(t *testing.T) {
	s := newStage(t)
	s.opts.Project = "."
	p := s.play(steps(created))
	if want := "--project " + filepath.Dir(filepath.Dir(s.dir)); !strings.HasSuffix(p.Payloads[0].Args, want) {
		t.Errorf("arguments %q, want %s", p.Payloads[0].Args, want)
	}
}

// TestBridgeWritesJSONOfAnything: what cannot be written is left out, and nothing fails.
func TestBridgeWritesJSONOfAnything(t *testing.T) {
	s := newStage(t)
	p := s.play(steps(created, `{"hook":"tool.execute.before","input":{"tool":"bash","sessionID":"ses_1","callID":"c"},
		"output":{"args":{"command":"true","cycle":"@cycle","big":"@bigint","f":"@function","signal":"@signal","bytes":"@bytes","image":"@data","twice":{"a":1}}}}`))
	if p.Results[1].Error != "" {
		t.Fatal(p.Results[1].Error)
	}
	want := `"args":{"command":"true","cycle":{"name":"cycle"},"big":"12345678901234567890","image":"data:image/png;base64,` +
		strings.Repeat("A", 42) + `…","twice":{"a":1}}`
	if got := p.told("tool.execute.before"); !strings.Contains(got, want) {
		t.Errorf("written %s\n  want %s", got, want)
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
	for _, text := range []string{"", "// hookspan-bridge: pi version=1 sum=x\n", "export const X = 1\n"} {
		if _, ok := BridgeHeader([]byte(text)); ok {
			t.Errorf("%q is taken for ours", text)
		}
	}
	if !bytes.Contains(file, []byte(`"program":"/usr/bin/hookspan"`)) || bytes.Contains(file, []byte("@@")) {
		t.Errorf("the options are not in the file")
	}
}
