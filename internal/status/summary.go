package status

import (
	"fmt"
	"strings"
	"time"
)

// Summary is one line on an agent: "11 of 13 events registered (user); 2 stale".
func (a *Agent) Summary() string {
	if !a.Registered() {
		return "no hooks of hookspan"
	}
	in, total := a.Count(Registered), 0
	var rest []string
	for s := Registered; s <= Missing; s++ {
		n := a.Count(s)
		total += n
		if n > 0 && s != Registered {
			rest = append(rest, fmt.Sprintf("%d %s", n, s))
		}
	}
	text := fmt.Sprintf("%d of %d events in force (%s)", in, total, strings.Join(a.Scopes, " and "))
	if len(rest) > 0 {
		text += ", " + strings.Join(rest, ", ")
	}
	return text
}

// Mark is ok, off or – for an agent without hooks of ours.
func (a *Agent) Mark() string {
	switch {
	case anyWrong(a.Findings):
		return "off"
	case a.Registered():
		return "ok"
	}
	return "–"
}

// Ago is how long ago something was, in the largest whole unit.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
