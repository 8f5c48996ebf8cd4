package hookspan_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/hookspan/hookspan"
	"github.com/hookspan/hookspan/hook"
)

// A hook that stops releases from a developer's machine.
func ExampleRun() {
	event := strings.NewReader(`{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash",
		"tool_input":{"command":"npm publish"},"cwd":"/home/dev/shop"}`)
	exit := hookspan.Run(context.Background(), event, os.Stdout, os.Stderr, func(_ context.Context, ev hook.Event) hook.Decision {
		if ev.Tool != nil && strings.Contains(ev.Tool.Command, "npm publish") {
			return hook.Decision{Verdict: hook.Deny, Reason: "releases are made by CI"}
		}
		return hook.Decision{}
	})
	fmt.Println("\nexit", exit)
	// Output:
	// {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"releases are made by CI"}}
	// exit 0
}

// A hook that tells the model the branch it is on.
func ExampleRun_context() {
	event := strings.NewReader(`{"session_id":"s1","hook_event_name":"SessionStart","source":"startup"}`)
	hookspan.Run(context.Background(), event, os.Stdout, os.Stderr, func(_ context.Context, ev hook.Event) hook.Decision {
		return hook.Decision{Context: []hook.Text{{Body: "You are on branch main."}}}
	})
	// Output: {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"You are on branch main."}}
}

// A hook that sends the agent back to work when it wants to stop.
func ExampleRun_stop() {
	event := strings.NewReader(`{"session_id":"s1","hook_event_name":"Stop","stop_hook_active":false}`)
	hookspan.Run(context.Background(), event, os.Stdout, os.Stderr, func(_ context.Context, ev hook.Event) hook.Decision {
		return hook.Decision{Continue: !ev.StopActive, Reason: "the tests are red"}
	})
	// Output: {"decision":"block","reason":"the tests are red"}
}

// A hook's panic is a failure (exit 1), never a no (exit 2).
func ExampleRun_panic() {
	event := strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`)
	exit := hookspan.Run(context.Background(), event, os.Stdout, os.Stdout, func(context.Context, hook.Event) hook.Decision {
		panic("nil map")
	})
	fmt.Println("exit", exit)
	// Output:
	// hook crashed: nil map
	// exit 1
}
