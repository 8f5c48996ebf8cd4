package live

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Counts are how often each event happened, by its native name.
type Counts map[string]int

// Minus is what was counted since an earlier count.
func (c Counts) Minus(earlier Counts) Counts {
	out := maps.Clone(c)
	for ev, n := range earlier {
		if out[ev] -= n; out[ev] == 0 {
			delete(out, ev)
		}
	}
	return out
}

// Difference names the events that were not counted as often as they should have been, "" if there are none.
func (c Counts) Difference(want Counts) string {
	all := maps.Clone(want)
	maps.Copy(all, c)
	var out []string
	for _, ev := range slices.Sorted(maps.Keys(all)) {
		if c[ev] != want[ev] {
			out = append(out, fmt.Sprintf("%s %d times, not %d", ev, c[ev], want[ev]))
		}
	}
	return strings.Join(out, "; ")
}

// raises is what OneCall raises in a headless run of each agent's pinned version, of the events that
// hookspan registers. What is not there, the agent does not raise: Droid no UserPromptSubmit in `droid
// exec`, Qwen Code no SessionEnd outside its terminal. Qwen raises UserPromptSubmit once more for each tool
// result.
var raises = map[string]string{
	"claude":   "SessionStart UserPromptSubmit PreToolUse PostToolUse Stop SessionEnd",
	"codex":    "SessionStart UserPromptSubmit PreToolUse PostToolUse Stop SessionEnd",
	"gemini":   "SessionStart BeforeAgent BeforeTool AfterTool AfterAgent SessionEnd",
	"opencode": "event.session.created chat.message tool.execute.before tool.execute.after event.message.part.updated dispose",
	"copilot":  "sessionStart userPromptSubmitted preToolUse permissionRequest postToolUse agentStop sessionEnd",
	"droid":    "SessionStart PreToolUse PostToolUse Stop SessionEnd",
	"qwen":     "SessionStart UserPromptSubmit PreToolUse PostToolUse UserPromptSubmit Stop Notification",
	"pi":       "session_start input tool_call tool_result agent_before_settle session_shutdown",
}

// OneCall is a session of one shell call, which leaves ran.txt, and one answer.
func OneCall() Script { return Script{Call(Shell("echo ran > ran.txt")), Say("Done.")} }

// Raises is how often a run of OneCall raises each event that hookspan registers.
func (d *Driver) Raises() Counts {
	out := Counts{}
	for ev := range strings.FieldsSeq(raises[d.Name]) {
		out[ev]++
	}
	return out
}

// Witness is somebody else's hook on many events, which says nothing and counts.
type Witness struct {
	tally  *Tally
	events []string
	log    string // of a plugin: a line for each event
}

// witnessPlugins are the witness as code; %[1]q is its log, %[2]s a JSON list of events. In OpenCode an
// update of a message's part counts where something is over with it, the turn or a call that failed, and
// session.idle does not count: `opencode run` does not wait for it.
var witnessPlugins = map[string]string{
	"opencode": `import { appendFileSync } from "node:fs"
const events = %[2]s
const saw = (name) => { if (events.includes(name)) appendFileSync(%[1]q, name + "\n") }
export const Witness = async () => {
  const hooks = {
    event: async ({ event }) => {
      const part = event.properties?.part
      if (event.type === "session.idle") return
      if (event.type === "message.part.updated" && !(part.type === "step-finish" && part.reason === "stop") && part.state?.status !== "error") return
      saw("event." + event.type)
    },
  }
  for (const name of events) if (!name.startsWith("event.")) hooks[name] = async () => saw(name)
  return hooks
}
`,
	"pi": `import { appendFileSync } from "node:fs"
export default function (pi) {
  for (const name of %[2]s) pi.on(name, async () => { appendFileSync(%[1]q, name + "\n") })
}
`,
}

// Witness registers somebody else's hook by hand, for native events.
func (s *Sandbox) Witness(events []string) (*Witness, error) {
	tally, err := s.Tally("witness", "")
	if err != nil {
		return nil, err
	}
	w := &Witness{tally: tally, events: events}
	r := Registration{Command: "sh " + Quote(tally.script), Events: events, Named: true}
	if s.Driver.Plugin {
		w.log = filepath.Join(s.Root, "tally", "witness.log")
		r.Plugin = fmt.Appendf(nil, witnessPlugins[s.Driver.Name], w.log, `["`+strings.Join(events, `", "`)+`"]`)
	}
	return w, s.Register(r)
}

// Counts are how often each event was seen so far.
func (w *Witness) Counts() (Counts, error) {
	out := Counts{}
	if w.log != "" {
		text, err := os.ReadFile(w.log)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("failed to count events: %w", err)
		}
		for line := range bytes.Lines(text) {
			out[strings.TrimSpace(string(line))]++
		}
		return out, nil
	}
	for _, ev := range w.events {
		n, err := w.tally.Count(ev)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out[ev] = n
		}
	}
	return out, nil
}
