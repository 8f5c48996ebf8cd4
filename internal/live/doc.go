// Package live drives real coding agents, offline, against a scripted model, in a throw-away home.
//
// It is for proving hooks: what a hook did is read off from what really happened (a file is there or
// not) and from what the model was told next, never from what the hook said.
//
//	d, _ := live.Lookup("claude")
//	cache, _ := live.DefaultCache()
//	prog, err := cache.Program(ctx, d)                  // npm install into the cache, once
//	res, err := live.Run(ctx, d, live.Script{
//		live.Call(live.Shell("echo ran > a.txt")),
//		live.Say("Done."),
//	}, live.Options{Program: prog, Hooks: &live.Registration{Command: "'/abs/hookspan' run claude"}})
//	res.Files["a.txt"], res.Contains(1, "reason")      // what happened, what the model was told
//
// Where hooks are installed by another program, make the sandbox first, run the installer with
// [Sandbox.Exec], then [Sandbox.Run]. [Sandbox.Tally] counts how often a hook fired. [Prove] runs the
// five proofs for one agent and one registration; [Transparency] compares a handler alone with the same
// handler behind hookspan.
//
// A [Driver] is one agent: its package and pinned version, its executable, the configuration that leads it
// to the scripted model, its environment, its command line, its events, how a hook is registered and what
// its tools are called. One file per agent.
//
// Invariants: an agent sees an environment made from nothing, a home that is removed afterwards, dummy
// keys, and (unless Options.Network) a network that is loopback alone; when a run ends, for whatever
// reason, no process that it started is left; the real home is touched by npm only (its settings, its own
// cache) and for the cache folder.
//
// The network namespace is made by starting the program that links this package once more, as the inside
// of the namespace (see inside in space_linux.go). The package's init takes over when it is started by that
// name; the program needs no code for it.
//
// The live tests are behind a build tag: go test -tags live ./internal/live. They install the pinned agents
// into the cache folder ($HOOKSPAN_AGENT_CACHE, or hookspan/agents in the user's cache folder) at the first
// run, and skip with a reason where agents cannot be driven, unless HOOKSPAN_LIVE=require.
//
// It must not be linked into hookspan itself: it opens sockets.
package live
