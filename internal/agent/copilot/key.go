package copilot

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/wire"
)

// call is the key of the occurrence. No tool call has an id, but every registration of one event gets
// the same time, in milliseconds (camelCase) or as text of the same instant (Pascal). The rest of the
// key is what both languages tell: Claude's name of the tool, and its input whatever its form. (Where
// the first registration rewrote the input, the second one gets the new one, which is another call to
// judge.)
// sessionEnd can fire twice, so there the session is the key.
func call(native string, ev *hook.Event, p wire.Value) string {
	if ev.Session == "" || native == "" {
		return ""
	}
	if native == "sessionEnd" {
		return ev.Session + "/sessionEnd"
	}
	at, ok := instant(p.Get("timestamp"))
	if !ok {
		return ""
	}
	text := strconv.AppendQuote(nil, ev.Prompt)
	if t := ev.Tool; t != nil {
		text = strconv.AppendQuote(text, t.Name)
		if v, err := wire.Parse(t.Input); err == nil {
			text = appendPlain(text, v)
		}
	}
	if ev.Sub != nil {
		text = strconv.AppendQuote(text, ev.Sub.ID)
	}
	sum := sha256.Sum256(text)
	return ev.Session + "/" + native + "/" + strconv.FormatInt(at, 10) + "/" + hex.EncodeToString(sum[:12])
}

// instant is the payload's time in milliseconds since 1970.
func instant(v wire.Value) (int64, bool) {
	if n, ok := v.Int(); ok {
		return n, true
	}
	t, err := time.Parse(time.RFC3339Nano, v.Str())
	if err != nil {
		return 0, false
	}
	return t.UnixMilli(), true
}

// appendPlain writes a value so that the same value always gives the same bytes: the model's own text
// (1.0.73, camelCase) has blanks and escapes where the other language has none.
func appendPlain(dst []byte, v wire.Value) []byte {
	switch v.Kind() {
	case wire.Object:
		dst = append(dst, '{')
		for key, m := range v.Members() {
			dst = strconv.AppendQuote(dst, key)
			dst = append(appendPlain(append(dst, ':'), m), ',')
		}
		return append(dst, '}')
	case wire.Array:
		dst = append(dst, '[')
		for e := range v.Elems() {
			dst = append(appendPlain(dst, e), ',')
		}
		return append(dst, ']')
	case wire.String:
		return strconv.AppendQuote(dst, v.Str())
	case wire.Number:
		if f, ok := v.Float(); ok {
			return strconv.AppendFloat(dst, f, 'g', -1, 64)
		}
	}
	return append(dst, v.Raw()...)
}
