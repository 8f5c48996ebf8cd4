package manifest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reader reads a tree of nodes into a Plan.
type reader struct {
	report
	words  Vocabulary
	guards []GuardSpec

	handlerCount, patternCount int
}

// text reads a text. Numbers and the like are refused, not converted: 1.10 would become 1.1.
func (r *reader) text(n *node, key string) (string, bool) {
	switch {
	case n.kind == text && strings.ContainsRune(n.text, 0):
		r.fail(n.at, "", "%q has a zero byte in it", key)
		return "", false
	case n.kind == text:
		return n.text, true
	case n.kind == null:
		r.fail(n.at, "give it a value or leave it out", "%q is empty", key)
	case n.kind == number || n.kind == boolean:
		r.fail(n.at, "quote it: "+quoted(n.text), "%q must be text, not %s", key, n.called())
	default:
		r.fail(n.at, "", "%q must be text, not %s", key, n.called())
	}
	return "", false
}

// filled reads a text that is more than blanks.
func (r *reader) filled(n *node, key string) (string, bool) {
	s, ok := r.text(n, key)
	if ok && strings.TrimSpace(s) == "" {
		r.fail(n.at, "give it a value or leave it out", "%q is empty", key)
		return "", false
	}
	return s, ok
}

func (r *reader) boolean(n *node, key string) bool {
	if n.kind == boolean {
		return n.text == "true"
	}
	hint, got := "write true or false", n.called()
	switch strings.ToLower(n.text) {
	case "yes", "on", "y":
		hint, got = "write true", fmt.Sprintf("the text %q", n.text)
	case "no", "off", "n":
		hint, got = "write false", fmt.Sprintf("the text %q", n.text)
	case "true", "false":
		hint = "write " + strings.ToLower(n.text) + " without quotes"
	}
	r.fail(n.at, hint, "%q must be true or false, not %s", key, got)
	return false
}

// Limits of timeouts. Above longTimeout it was probably meant in milliseconds, which two agents use.
const (
	maxTimeout  = 24 * time.Hour
	longTimeout = time.Hour
)

func (r *reader) seconds(n *node, key string) time.Duration {
	f, ok := r.number(n, key, "a number of seconds")
	switch {
	case !ok:
	case f < 0.001:
		r.fail(n.at, "at least 0.001; leave it out for "+trimSeconds(DefaultTimeout), "%q must be more than 0 seconds", key)
	case f > maxTimeout.Seconds():
		r.fail(n.at, "at most "+trimSeconds(maxTimeout), "%q is too long: %s seconds", key, n.text)
	default:
		d := time.Duration(math.Round(f * float64(time.Second)))
		if d > longTimeout {
			r.warn(n.at, "for milliseconds write "+strconv.FormatFloat(f/1000, 'f', -1, 64), "%q is in seconds: %s is %v", key, n.text, d)
		}
		return d
	}
	return 0
}

func trimSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// number reads a plain decimal number. YAML's other forms (0x1F, 010, 1_000, .inf) are refused: they
// mean different things to different readers.
func (r *reader) number(n *node, key, what string) (float64, bool) {
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(n.text), "ms"), "s")
	_, err := strconv.ParseFloat(bare, 64)
	switch {
	case n.kind == text && err == nil && bare == n.text:
		r.fail(n.at, "write "+n.text+" without quotes", "%q must be %s, not text", key, what)
	case n.kind == text && err == nil && strings.HasSuffix(n.text, "s"):
		r.fail(n.at, "a number of seconds without a unit, for instance 0.5", "%q must be %s, not text", key, what)
	case n.kind != number:
		r.fail(n.at, "", "%q must be %s, not %s", key, what, n.called())
	case err != nil || !plainNumber(n.text):
		r.fail(n.at, "write it as a plain decimal number", "%q must be %s, not %s", key, what, n.text)
	default:
		f, _ := strconv.ParseFloat(n.text, 64)
		return f, true
	}
	return 0, false
}

func plainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] != '.' {
		return false
	}
	return strings.Trim(s, "0123456789.eE+-") == "" && s != ""
}

func (r *reader) count(n *node, key string, least, most int) int {
	f, ok := r.number(n, key, "a whole number")
	if !ok {
		return 0
	}
	if f != math.Trunc(f) || f < float64(least) || f > float64(most) {
		r.fail(n.at, fmt.Sprintf("from %d to %d", least, most), "%q must be a whole number, not %s", key, n.text)
		return 0
	}
	return int(f)
}

// texts reads a list of texts that are not blank, and hands each to check, which may be nil. The
// list is never nil.
func (r *reader) texts(n *node, key string, check func(at pos, s string)) []string {
	out := []string{}
	if n.kind != list {
		hint := ""
		if n.kind == text || n.kind == number || n.kind == boolean {
			hint = "write a list: [" + quoted(n.text) + "]"
		}
		r.fail(n.at, hint, "%q must be a list, not %s", key, n.called())
		return out
	}
	for i, e := range n.elems {
		s, ok := r.filled(e, key+"["+strconv.Itoa(i)+"]")
		if !ok {
			continue
		}
		if out = append(out, s); check != nil {
			check(e.at, s)
		}
	}
	return out
}

// word reads one of a few words.
func (r *reader) word(n *node, key string, words ...string) string {
	s, ok := r.text(n, key)
	if !ok {
		return ""
	}
	if !slices.Contains(words, s) {
		r.fail(n.at, didYouMean(s, words), "%q must be %s, not %q", key, strings.Join(words, " or "), short(s))
		return ""
	}
	return s
}
