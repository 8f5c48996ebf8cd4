package state

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/hookspan/hookspan/internal/wire"
)

// Session is what is remembered of one session of an agent. Making one touches no file. An empty id
// is an id like any other: all sessions of an agent that tells none share what is remembered.
type Session struct {
	store     *Store
	dir       string
	agent, id string
}

// Session returns the session with the agent's id.
func (s *Store) Session(agent, id string) *Session {
	return &Session{store: s, dir: s.path("sessions", hashed(agent, id)), agent: agent, id: id}
}

func (n *Session) path(name string) string { return filepath.Join(n.dir, name) }

// Once claims a key and reports whether it is the first to do so in this session. Where nothing can
// be remembered it is always the first: better said twice than never.
func (n *Session) Once(key string) bool {
	first, err := n.store.claim(n.path("once." + hashed(key)))
	return first || err != nil
}

// Uncounted is what Sent returns where nothing can be remembered.
const Uncounted = 1 << 30

// Sent returns how often the agent was sent back in this turn. "" is the turn that NewTurn began.
// Where nothing can be remembered it is Uncounted, more than any limit: an agent that goes back to
// work for ever costs money, a gate that is passed once too early does not.
func (n *Session) Sent(turn string) int {
	if !n.writable() {
		return Uncounted
	}
	count := 0
	for exists(n.sentPath(turn, count)) {
		count++
	}
	return count
}

// AddSent counts that the agent is sent back. Each time is one empty file, which a full disk still
// takes as a rule.
func (n *Session) AddSent(turn string) {
	os.Remove(n.path("worked"))
	for count := n.Sent(turn); count < Uncounted; count++ {
		if first, err := n.store.claim(n.sentPath(turn, count)); first || err != nil {
			return
		}
	}
}

func (n *Session) sentPath(turn string, count int) string {
	if turn == "" {
		turn = "#" + strconv.FormatInt(n.size("turns"), 10)
	}
	return n.path("sent." + hashed(turn) + "." + strconv.Itoa(count))
}

// NewTurn begins a turn in an agent that tells no key of turns, where turn is "". A turn with a key
// begins with its key.
func (n *Session) NewTurn(turn string) {
	if turn == "" {
		n.store.append(n.path("turns"), []byte{'.'})
	}
}

// MarkWork notes that the agent called a tool.
func (n *Session) MarkWork() { n.store.claim(n.path("worked")) }

// Worked reports whether the agent called a tool since it was last sent back, as far as known.
func (n *Session) Worked() bool { return exists(n.path("worked")) }

// writable reports whether something can be remembered now, by trying it.
func (n *Session) writable() bool {
	probe := n.path("probe." + strconv.FormatUint(rand.Uint64(), 36))
	first, _ := n.store.claim(probe)
	os.Remove(probe)
	return first
}

func (n *Session) size(name string) int64 {
	info, err := os.Lstat(n.path(name))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Facts are what is known of a session, by name.
type Facts map[string]string

// Names of facts. Others are allowed.
const (
	FactAgent   = "agent"   // set by Note
	FactSession = "session" // the agent's id; set by Note
	FactStarted = "started" // time of the first fact, RFC 3339; set by Note
	FactUpdated = "updated" // time of the last change; set by Note
	FactParent  = "parent"  // the session that this one is a subagent of
	FactProject = "project" // folder
	FactModel   = "model"
	FactState   = "state"        // "working", "waiting", "done", "ended"
	FactWindow  = "window"       // what stands in the way: "loop_storm", "rate_limit"
	FactContext = "context_pct"  // of the context window
	FactRate    = "rate_pct"     // of the rate limit
	FactCost    = "cost_usd"     //
	FactInput   = "input_tokens" //
	FactOutput  = "output_tokens"
)

const (
	lockWait = 100 * time.Millisecond // for a lock that is held for some microseconds

	factMax  = 1 << 10   // bytes of one value
	factsMax = 4 << 10   // size at which the facts are written anew: each run reads them
	readMax  = 256 << 10 // nothing of a session is larger, unless somebody else wrote it
)

// Note remembers facts; the last value of each name counts. An unchanged fact costs no write, an
// empty value deletes. Values are not masked: no free text belongs here.
func (n *Session) Note(facts Facts) error {
	known, size := n.facts()
	var o wire.ObjectWriter
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		if value := cut(facts[name], factMax); value != known[name] {
			o.Str(name, value)
		}
	}
	if o.Empty() {
		return nil
	}
	now := n.store.now().UTC().Format(time.RFC3339)
	if len(known) == 0 {
		o.Str(FactAgent, n.agent)
		o.Str(FactSession, cut(n.id, factMax))
		o.Str(FactStarted, now)
	}
	o.Str(FactUpdated, now)
	if err := n.addFacts(ownLine(o.Bytes()), size > factsMax); err != nil {
		return fmt.Errorf("failed to note a session: %w", err)
	}
	return nil
}

// addFacts appends a line, then writes the whole file anew if it has grown too long. Both happen
// under the file's lock; readers need none.
func (n *Session) addFacts(line []byte, compact bool) error {
	path := n.path("facts")
	f, err := n.store.lock(path, time.Now().Add(lockWait))
	if err != nil {
		return n.store.append(path, line)
	}
	defer f.Close()
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return err
	}
	if _, err := f.Write(line); err != nil || !compact {
		return err
	}
	facts, _ := n.facts()
	var o wire.ObjectWriter
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		o.Str(name, facts[name])
	}
	if n.store.replace(path, ownLine(o.Bytes()), 0o600) == nil {
		return nil
	}
	// Windows does not replace a file that we have open.
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(ownLine(o.Bytes()), 0)
	return err
}

// ownLine puts a line between line feeds, so that one which a full disk cut does not spoil the next.
func ownLine(line []byte) []byte {
	return append(append([]byte{'\n'}, line...), '\n')
}

// Facts returns what is known, nil if nothing is.
func (n *Session) Facts() Facts {
	facts, _ := n.facts()
	return facts
}

func (n *Session) facts() (facts Facts, size int) {
	data, _, err := n.store.read(n.path("facts"), readMax)
	if err != nil {
		return nil, 0
	}
	for line := range bytes.Lines(data) {
		v, err := wire.Parse(line)
		if err != nil {
			continue
		}
		for name, value := range v.Members() {
			if facts == nil {
				facts = Facts{}
			}
			if facts[name] = value.Str(); facts[name] == "" {
				delete(facts, name)
			}
		}
	}
	return facts, len(data)
}

// Sessions yields the sessions of which facts are known, in no order.
func (s *Store) Sessions() iter.Seq2[*Session, Facts] {
	return func(yield func(*Session, Facts) bool) {
		entries, _ := os.ReadDir(s.path("sessions"))
		for _, e := range entries {
			n := &Session{store: s, dir: s.path("sessions", e.Name())}
			facts := n.Facts()
			n.agent, n.id = facts[FactAgent], facts[FactSession]
			if facts != nil && n.dir == s.Session(n.agent, n.id).dir && !yield(n, facts) {
				return
			}
		}
	}
}
