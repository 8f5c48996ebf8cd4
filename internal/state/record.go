package state

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hookspan/hookspan/internal/redact"
	"github.com/hookspan/hookspan/internal/wire"
)

// Limits of a record. What is longer is cut, with a mark that says how much.
const (
	recordMax = 256 << 10 // bytes of the line, line feed included
	textMax   = 4 << 10   // bytes of one text; of a payload that does not fit, 16 times as many
	maskMax   = 1 << 20   // bytes of a payload that is masked; of a larger one only the size is written
	listMax   = 64        // elements of one list
	lostMax   = 8         // of one handler
)

// Record is one line of the journal: what one run saw and said. Texts may be anything; they are
// masked (see package redact), cut and escaped when the record is written. Ids are not masked.
// Empty fields are left out, except Registered.
type Record struct {
	Time       time.Time // zero = now; written in UTC with milliseconds
	Agent      string    // who called: "claude", ..., "unknown"
	Surface    string    // "ide", "cli": where one agent has two
	Version    string    // the agent's, where told
	DetectedBy string    // what told the agent: a registration, a mark of the payload
	Registered bool      // the command named an agent
	Event      string    // the event's common name
	Native     string    // its name in the agent
	Session    string    // the agent's id
	Turn       string
	Call       string // key of the occurrence
	Subagent   string // id of the child in which it happened
	Model      string
	Project    string // folder
	Tool       string
	Kind       string
	Paths      []string // files that the call touches
	Verdict    string   // allow, deny, ask, continue, ...; "none" = no opinion
	Reason     string
	Took       time.Duration
	Exit       int // our exit code
	Handlers   []HandlerRecord
	Losses     []string // what was said and cannot be said to this agent
	Chain      []string // the handlers that we run inside; not empty = a nested call
	Repeat     bool     // the second of two registrations that fired for one call
	Error      string   // why the run itself failed
	Manifests  []string // hashes of the manifests that were used
	Notes      []string
	Payload    []byte // native, only where the user wants full records; masked
	Reply      string // what was printed, only in full records; masked

	// Line is the record as it stands in the journal. Set by reading, ignored by writing.
	Line []byte
}

// HandlerRecord is what became of one handler.
type HandlerRecord struct {
	Name    string
	File    string // of a run for one file of several
	Verdict string
	Reason  string // in its own words, also where another handler's verdict won
	Took    time.Duration
	Exit    int
	Error   string
	Lost    []string // what it said and does not count, and why
}

// line returns the record as one line of at most recordMax bytes.
func (r *Record) line(now time.Time) []byte {
	var payload []byte
	if n := len(r.Payload); n > 0 && n <= maskMax {
		payload = redact.JSON(r.Payload)
	}
	for limit, whole := textMax, true; ; limit /= 2 {
		line := flat(r.encode(now, &cutter{limit, recordMax}, payload, whole))
		if len(line) < recordMax {
			return append(line, '\n')
		}
		if whole {
			// The payload is the one field without a limit of its own: first try without it.
			whole, limit = false, 2*limit
		}
	}
}

func (r *Record) encode(now time.Time, c *cutter, payload []byte, whole bool) []byte {
	if !r.Time.IsZero() {
		now = r.Time
	}
	var o wire.ObjectWriter
	o.Str("time", now.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
	o.StrIf("agent", c.id(r.Agent))
	o.StrIf("surface", c.id(r.Surface))
	o.StrIf("version", c.id(r.Version))
	o.StrIf("detected_by", c.id(r.DetectedBy))
	o.Bool("registered", r.Registered)
	o.StrIf("event", c.id(r.Event))
	o.StrIf("native_event", c.id(r.Native))
	o.StrIf("session", c.id(r.Session))
	o.StrIf("turn", c.id(r.Turn))
	o.StrIf("call", c.id(r.Call))
	o.StrIf("subagent", c.id(r.Subagent))
	o.StrIf("model", c.id(r.Model))
	o.StrIf("project", c.text(r.Project))
	o.StrIf("tool", c.id(r.Tool))
	o.StrIf("kind", c.id(r.Kind))
	c.list(&o, "paths", r.Paths, c.text)
	o.StrIf("verdict", c.id(r.Verdict))
	o.StrIf("reason", c.text(r.Reason))
	o.Raw("ms", millis(r.Took))
	o.Int("exit", int64(r.Exit))
	o.Raw("handlers", handlers(c, r.Handlers))
	c.list(&o, "losses", r.Losses, c.text)
	c.list(&o, "chain", r.Chain, c.id)
	if r.Repeat {
		o.Bool("repeat", true)
	}
	o.StrIf("error", c.text(r.Error))
	c.list(&o, "manifests", r.Manifests, c.id)
	c.list(&o, "notes", r.Notes, c.text)
	o.StrIf("reply", c.text(r.Reply))
	r.addPayload(&o, c, payload, whole)
	return o.Bytes()
}

// addPayload adds the masked payload as JSON if it is JSON and there is room, else as a cut text.
func (r *Record) addPayload(o *wire.ObjectWriter, c *cutter, masked []byte, whole bool) {
	if len(r.Payload) == 0 {
		return
	}
	if whole && len(masked) <= recordMax {
		if v, err := wire.Parse(masked); err == nil {
			o.Raw("payload", wire.AppendWellFormed(nil, v))
			return
		}
	}
	o.Int("payload_bytes", int64(len(r.Payload)))
	o.StrIf("payload_text", cut(string(masked), 16*c.limit))
}

func handlers(c *cutter, list []HandlerRecord) []byte {
	if len(list) == 0 {
		return nil
	}
	out := []byte{'['}
	for i, h := range list[:min(len(list), listMax)] {
		var o wire.ObjectWriter
		o.Str("name", c.id(h.Name))
		o.StrIf("file", c.text(h.File))
		o.StrIf("verdict", c.id(h.Verdict))
		o.StrIf("reason", c.text(h.Reason))
		o.Raw("ms", millis(h.Took))
		o.Int("exit", int64(h.Exit))
		o.StrIf("error", c.text(h.Error))
		c.list(&o, "lost", h.Lost[:min(len(h.Lost), lostMax)], c.text)
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, o.Bytes()...)
	}
	return append(out, ']')
}

// millis writes a duration as milliseconds with three digits behind the point.
func millis(d time.Duration) []byte {
	return strconv.AppendFloat(nil, float64(d.Microseconds())/1000, 'f', -1, 64)
}

// cutter cuts texts to a number of bytes, and all together to another.
type cutter struct{ limit, left int }

// id cuts an id: what is compared, and must not be masked.
func (c *cutter) id(s string) string {
	s = cut(s, min(c.limit, c.left))
	c.left = max(0, c.left-len(s))
	return s
}

// secretMax bounds what the end of a text may hold of a secret that is cut, in bytes.
const secretMax = 1 << 10

// text masks a text, then cuts it: the other way round could cut a secret so that it is not known.
// For the same reason the end of what was looked at is not written.
func (c *cutter) text(s string) string {
	n := min(c.limit, c.left)
	near := s[:min(len(s), 4*n+2*secretMax)]
	out := redact.Text(near)
	if len(near) < len(s) {
		out = out[:max(0, len(out)-secretMax)]
	}
	out = cutMore(out, n, len(s)-len(near))
	c.left = max(0, c.left-len(out))
	return out
}

func cut(s string, n int) string { return cutMore(s, n, 0) }

// cutMore cuts s to n bytes; more bytes are missing already.
func cutMore(s string, n, more int) string {
	if len(s) <= n && more == 0 {
		return s
	}
	for n = min(n, len(s)); n > 0 && n < len(s) && !utf8.RuneStart(s[n]); {
		n--
	}
	return s[:n] + mark(len(s)-n+more)
}

func mark(bytes int) string { return "…[" + strconv.Itoa(bytes) + " bytes more]" }

// list adds at most listMax elements, each as a text or as an id.
func (c *cutter) list(o *wire.ObjectWriter, key string, list []string, as func(string) string) {
	if len(list) == 0 {
		return
	}
	out := make([]string, 0, min(len(list), listMax)+1)
	for _, s := range list[:min(len(list), listMax)] {
		out = append(out, as(s))
	}
	if more := len(list) - listMax; more > 0 {
		out = append(out, "…["+strconv.Itoa(more)+" more]")
	}
	o.Strs(key, out)
}

// flat makes JSON text safe to be one line on a terminal: blanks between tokens that are not spaces
// become spaces, and whatever could move a cursor, hide or reorder text is escaped inside strings:
// DEL, C1, zero-width and bidirectional marks, line separators, the byte order mark. (Below 0x20
// nothing stands inside a valid JSON string; wire escapes it.)
func flat(line []byte) []byte {
	clean := 0
	for clean < len(line) && line[clean] >= ' ' && line[clean] < 0x7f {
		clean++
	}
	if clean == len(line) {
		return line
	}
	out := append(make([]byte, 0, len(line)+64), line[:clean]...)
	for i := clean; i < len(line); {
		c := line[i]
		if c >= ' ' && c < 0x7f {
			out = append(out, c)
			i++
			continue
		}
		if c < ' ' {
			out = append(out, ' ')
			i++
			continue
		}
		r, n := utf8.DecodeRune(line[i:])
		if hidden(r) {
			const hex = "0123456789abcdef"
			out = append(out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		} else {
			out = append(out, line[i:i+n]...)
		}
		i += n
	}
	return out
}

// hidden reports whether a character is not to be printed. All of them have four hex digits.
func hidden(r rune) bool {
	switch {
	case r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c, r == 0x180e,
		r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r == 0xfeff, r >= 0xfff9 && r <= 0xfffb:
		return true
	}
	return false
}
