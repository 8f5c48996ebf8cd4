package qwen

import (
	"time"

	"github.com/hookspan/hookspan/internal/agent"
)

const (
	silence = "exit 0, nothing on stdout and nothing on stderr"
	missing = "goes on: exit 127 is no answer"
	failing = "goes on; JSON counts at exit 1, at exit 2 stderr is a no, at a timeout the whole process group is killed"
)

// The forms on the wire.
const (
	asDeny    = `hookSpecificOutput.permissionDecision "deny" with continue:false and the reason in both`
	asBlock   = `{"decision":"block","reason":…}, exit 0`
	asContext = "hookSpecificOutput.additionalContext"
	asNotice  = "systemMessage"
	asEnd     = `{"continue":false,"stopReason":…}, exit 0`
	asNothing = "nothing: the person is being asked already"
)

// Notes that several rows share.
const (
	unseen  = "systemMessage is shown on Stop only"
	ignored = "every answer is ignored"
	noBlock = "a block has no effect"
	noEnd   = "continue:false does not end the turn"
)

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// long is what we register; the default of 60 s would end a test suite in a Stop gate. It must stay
// below 1,000 s: Qwen reads a number from 1,000 on as milliseconds. At its end Qwen goes on.
const long = 10 * time.Minute

// events are the 22 events of 0.24.4 in the order of a session.
func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, nil, startEvents, toolEvents, endEvents, watchEvents)
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence, r.Missing, r.Failing = silence, missing, failing
	r.Timeout = agent.Limit{Register: long, Opens: true}
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
}
