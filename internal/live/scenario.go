package live

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// proofFiles are the manifest of the proofs and its handlers, as they stand below $XDG_CONFIG_HOME/hookspan.
//
//go:embed proof
var proofFiles embed.FS

// What the handlers of the proofs say; no agent says it by itself.
const (
	promptContext = "proof-prompt-context-5813"
	denyReason    = "proof-deny-reason-7041"
	toolContext   = "proof-tool-context-2290"
	gateOutput    = "proof-gate-output-9436"
	rewritten     = "echo ran > rewritten.txt"
)

// Evidence says how a fact is known.
type Evidence struct {
	Level   string // "live": the real agent was run
	Version string // of the agent
	Date    string // year-month-day
}

// Proof is one thing that a hook was to achieve, and whether it did.
type Proof struct {
	Name     string // deny, context, file, rewrite, gate
	Title    string // what it shows, for people
	OK       bool
	Detail   string // what was seen, or what was missing
	Evidence Evidence
}

// proofScript is what the model does in a proof. Turn i is answered by request i+1.
func proofScript() Script {
	return Script{
		turnDenied:   Call(Shell("echo ran > denied.txt")),
		turnAllowed:  Call(Shell("echo ran > allowed.txt")),
		turnWrite:    Call(Write("note.txt", "alpha\n")), // so that the next turn may edit it
		turnEdit:     Call(Edit("note.txt", "alpha", "beta")),
		turnOriginal: Call(Shell("echo ran > original.txt")),
		turnFinished: Say("I have finished."),
		turnAgain:    Say("Now I have really finished."),
	}
}

const (
	turnDenied = iota
	turnAllowed
	turnWrite
	turnEdit
	turnOriginal
	turnFinished
	turnAgain
	turns // how many
)

// InstallProofs writes the manifest of the proofs and its handlers as the user's manifest.
func InstallProofs(s *Sandbox) error {
	return fs.WalkDir(proofFiles, "proof", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := proofFiles.ReadFile(name)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, "proof/")
		return s.WriteFile(filepath.Join(s.ConfigHome(), "hookspan", filepath.FromSlash(rel)), string(text))
	})
}

// Prove runs the five proofs in one session of the agent. Without other wishes in opts, hooks is
// registered and the manifest of the proofs is the user's; an opts.Prepare replaces the latter. Where an
// agent cannot say a word (Driver.Rewrites, Driver.PromptEvent), what must happen instead is what is proven.
func Prove(ctx context.Context, d *Driver, hooks *Registration, opts Options) ([]Proof, *Result, error) {
	opts.Hooks = hooks
	if opts.Prepare == nil {
		opts.Prepare = InstallProofs
	}
	s, err := NewSandbox(d, opts)
	if err != nil {
		return nil, nil, err
	}
	if s.Program.Version == "" {
		s.Program.Version, _ = s.Version(ctx) // a proof without a version is still one
	}
	res, err := s.Run(ctx, proofScript(), opts)
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, nil, err
	}
	return judge(d, res), res, nil
}

// judge reads the proofs off a run of the script.
func judge(d *Driver, res *Result) []Proof {
	checks := []struct {
		name, title string
		check       func(*Driver, *Result) error
	}{
		{"deny", "a denied shell command does not run, and the model reads why", checkDeny},
		{"context", "what a handler says reaches the model", checkContext},
		{"file", "a handler for files runs once for each write and edit, and is told the file", checkFile},
		{"rewrite", "a rewritten command runs instead of the original", checkRewrite},
		{"gate", "a failing check sends the agent back, once, with the check's output", checkGate},
	}
	var out []Proof
	for _, c := range checks {
		p := Proof{Name: c.name, Title: c.title, OK: true, Detail: "seen",
			Evidence: Evidence{Level: "live", Version: res.Version, Date: res.Started.UTC().Format(time.DateOnly)}}
		if c.name == "rewrite" && !d.Rewrites {
			p.Title = "a command that should be rewritten does not run, and the model reads what to run instead"
		}
		if err := c.check(d, res); err != nil {
			p.OK, p.Detail = false, err.Error()
		}
		out = append(out, p)
	}
	return out
}

func checkDeny(_ *Driver, res *Result) error {
	return errors.Join(
		missing(res, "allowed.txt", "the agent ran no shell command at all"),
		present(res, "denied.txt", "the denied command ran"),
		told(res, turnDenied, denyReason, "the reason"))
}

func checkContext(d *Driver, res *Result) error {
	after := told(res, turnAllowed, toolContext, "the context after a tool")
	if !d.PromptEvent {
		return after
	}
	return errors.Join(after, told(res, turnDenied-1, promptContext, "the context with the prompt"))
}

func checkFile(_ *Driver, res *Result) error {
	if err := told(res, turnEdit, "", ""); err != nil {
		return err
	}
	if res.Files["note.txt"] != "beta\n" {
		return fmt.Errorf("the edit did not happen: note.txt is %q", res.Files["note.txt"])
	}
	lines := strings.Fields(res.Files["edited.log"])
	for _, l := range lines {
		if !path.IsAbs(l) || path.Base(l) != "note.txt" {
			return fmt.Errorf("the handler should have been told the absolute path of note.txt, but was told %q", l)
		}
	}
	if len(lines) != 2 { // it was written, then edited
		return fmt.Errorf("the handler should have run twice, when note.txt was written and when it was edited, but ran %d times", len(lines))
	}
	return nil
}

func checkRewrite(d *Driver, res *Result) error {
	if d.Rewrites {
		return errors.Join(
			told(res, turnOriginal, "", ""),
			present(res, "original.txt", "the original command ran"),
			missing(res, "rewritten.txt", "the changed command did not run"))
	}
	return errors.Join(
		present(res, "original.txt", "the original command ran"),
		present(res, "rewritten.txt", "the changed command ran, although this agent was said to be unable to"),
		told(res, turnOriginal, rewritten, "the command to run instead"))
}

func checkGate(_ *Driver, res *Result) error {
	if err := told(res, turnFinished, gateOutput, "the gate's output"); err != nil {
		return err
	}
	if n := len(res.Requests); n != turns {
		return fmt.Errorf("the model should have been asked %d times, but was asked %d times", turns, n)
	}
	if res.Exit != 0 || res.TimedOut {
		return ended(res)
	}
	return nil
}

// told checks that the model's next request after a turn came, and holds a text.
func told(res *Result, turn int, text, what string) error {
	i := turn + 1
	if i >= len(res.Requests) {
		return fmt.Errorf("the model was asked %d times, but not after turn %d: %w", len(res.Requests), turn, ended(res))
	}
	if text != "" && !slices.ContainsFunc(res.News(i), func(s string) bool { return strings.Contains(s, text) }) {
		return fmt.Errorf("%s (%q) did not reach the model; it was told %q", what, text, short(strings.Join(res.News(i), "\n")))
	}
	return nil
}

func missing(res *Result, file, what string) error {
	if _, ok := res.Files[file]; !ok {
		return fmt.Errorf("%s: there is no %s", what, file)
	}
	return nil
}

func present(res *Result, file, what string) error {
	if _, ok := res.Files[file]; ok {
		return fmt.Errorf("%s: %s is there", what, file)
	}
	return nil
}

// ended says how a run ended that should have gone on.
func ended(res *Result) error {
	how := fmt.Sprintf("exit code %d", res.Exit)
	if res.Signal != "" {
		how = "signal " + res.Signal
	}
	if res.TimedOut {
		how = "killed at its time limit"
	}
	return fmt.Errorf("the agent ended after %.1f s (%s) and printed %q", res.Took.Seconds(), how, short(res.Stderr+res.Stdout))
}

// short is the end of a text, where the news is.
func short(s string) string {
	const most = 600
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	return "..." + strings.ToValidUTF8(s[len(s)-most:], "")
}
