package claude

import (
	"time"

	"github.com/hookspan/hookspan/internal/agent"
)

// The answers of silence and of failure are the same on all events but those that say otherwise.
const (
	silence = "exit 0, nothing on stdout"
	goesOn  = "goes on as if nothing was said"
)

// The forms on the wire.
const (
	asBlock   = `{"decision":"block","reason":…}, exit 0`
	asContext = "hookSpecificOutput.additionalContext"
	asEnd     = `{"continue":false,"stopReason":…}, exit 0`
	asExit    = "exit 2, the reason on stderr"
	asNotice  = "systemMessage"
	asText    = "plain text on stdout, exit 0"
	asRest    = "the handler's own keys, merged back"
	asNothing = "nothing: the person is being asked already"
)

// Texts that several rows share.
const (
	noStop    = "continue:false is ignored here"
	noNo      = "every no is ignored here"
	onlyTold  = "stops nothing; the user is shown why"
	stored    = "text over 10,000 characters is not cut: it goes to a file, the model gets its path and the first 2 kB"
	noticeOld = "not shown in `-p` before 2.1.332"
)

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

// read is a word that was found in the shipped program and not driven.
func read(as, note string) agent.Cell {
	return agent.Cell{Can: true, As: as, Note: note, Proof: src()}
}

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// limit is what we register. Claude knows no upper bound but for SessionEnd, and at the end it goes
// on. Its default of 600 s leaves handlers their own limits.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

const long = 10 * time.Minute

// cut says what happens to long text: Claude loses none of it, so we cut none.
func cut() agent.Cut { return agent.Cut{How: stored} }

// events are the 34 events of 2.1.332 the frequent ones first; 2.1.220 lacks the three that say so.
func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		preToolUse, permissionRequest, permissionDenied, postToolUse, postToolUseFailure, postToolBatch,
		stop, stopFailure, messageDisplay, subagentStart, subagentStop,
	}, sessionEvents, promptEvents, taskEvents, changeEvents)
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence = either(r.Silence, silence)
	r.Missing = either(r.Missing, goesOn)
	r.Failing = either(r.Failing, goesOn)
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
	if r.Timeout == (agent.Limit{}) {
		r.Timeout = limit(long)
	}
}

func either(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// onlyRest is the vocabulary of events whose answer is ignored but for keys of their own.
func onlyRest(note string) agent.Cells {
	return agent.Cells{
		agent.Deny: cannot(agent.None, noNo),
		agent.End:  cannot(agent.None, noStop),
		agent.Rest: read(asRest, note),
	}
}
