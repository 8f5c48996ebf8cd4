package pi

import (
	_ "embed"
	"strconv"
	"strings"
	"time"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

//go:embed bridge.js
var bridgeSource string

// BridgeVersion is the version of the generated file's code. It is raised with every change of
// bridge.js, so that an older file can be told from a current one.
const BridgeVersion = 2

// BridgeOptions are fixed when the bridge is installed.
type BridgeOptions struct {
	// Program is what the bridge starts: an absolute path at user scope, since a repository may set
	// PATH; the bare name at project scope.
	Program string
	// Project is the value of --project, which vouches for the checkout's manifest. "." stands for the
	// checkout in which the file lies, found when it is loaded. "" = no such argument.
	Project string
	// Events are the native events to pass. nil = every event with a common name that is not hot.
	Events []string
	// Tools are the native names of the tools whose calls are passed. nil = all.
	Tools []string
	// Timeouts are limits of single events; others have the table's.
	Timeouts map[string]time.Duration
	// Block refuses tool calls and prompts when the program is missing, fails, prints no answer or is
	// late, and when the bridge itself cannot be set up.
	Block bool
}

// Bridge generates the extension file. The same options give the same bytes. Its first line names its
// version and a checksum of everything below, by which BridgeHeader tells whether it was edited.
func Bridge(opts BridgeOptions) []byte {
	body := strings.Replace(bridgeSource, `"@@CONFIG@@"`, string(config(opts)), 1)
	_, body, _ = strings.Cut(body, "\n")
	return append([]byte(bridgeHeader(body)+"\n"), body...)
}

const headerStart = "// hookspan-bridge: pi "

func bridgeHeader(body string) string {
	return headerStart + "version=" + strconv.Itoa(BridgeVersion) + " sum=" + sum(body)
}

// Header is what the first line of a generated file says.
type Header struct {
	Version int
	Edited  bool // the file is not as it was generated
}

// BridgeHeader reads the first line of a generated file; ok is false where a file is not ours.
func BridgeHeader(file []byte) (h Header, ok bool) {
	first, body, _ := strings.Cut(string(file), "\n")
	rest, ok := strings.CutPrefix(first, headerStart+"version=")
	if !ok {
		return Header{}, false
	}
	number, check, ok := strings.Cut(rest, " sum=")
	h.Version, _ = strconv.Atoi(number)
	h.Edited = check != sum(body)
	return h, ok
}

// config is what the file's code reads.
func config(opts BridgeOptions) []byte {
	var o, limits wire.ObjectWriter
	names := opts.Events
	if names == nil {
		names = BridgeEvents()
	}
	rows := agent.Full(New()).Events
	for _, name := range names {
		limits.Int(name, int64(limitOf(rows, opts, name)/time.Millisecond))
	}
	o.Str("program", opts.Program)
	o.StrIf("project", opts.Project)
	o.Str("on_failure", policy(opts.Block))
	o.Int("timeout", time.Minute.Milliseconds())
	o.Raw("timeouts", limits.Bytes())
	o.Strs("events", names)
	if opts.Tools != nil {
		o.Strs("tools", opts.Tools)
	}
	return o.Bytes()
}

func policy(block bool) string {
	if block {
		return "block"
	}
	return "allow"
}

func limitOf(rows []agent.Row, opts BridgeOptions, name string) time.Duration {
	if d := opts.Timeouts[name]; d > 0 {
		return d
	}
	for i := range rows {
		if rows[i].Native == name {
			return rows[i].Timeout.Register
		}
	}
	return time.Minute
}

// BridgeEvents are the events that a bridge passes where nothing else is said: those with a common
// name that are not hot.
func BridgeEvents() []string {
	var names []string
	for _, r := range agent.Full(New()).Events {
		if r.Name != "" && r.Hot == "" {
			names = append(names, r.Native)
		}
	}
	return names
}
