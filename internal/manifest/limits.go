package manifest

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of what one manifest may ask for. A repository's manifest is read before anybody trusts it,
// and its guards run. Without limits it could keep a run busy until the agent ends it and goes on as
// if nobody had refused, the user's own guards included.
const (
	maxHandlers  = 300
	maxPatterns  = 2000     // of all guards together, each alternative in braces counted
	maxPattern   = 500      // bytes of a pattern, a matcher or a rule
	maxVariants  = 64       // of one pattern
	maxCommand   = 64 << 10 // bytes of a command line that rules look into
	maxSentCount = 100      // of max_continues
	maxName      = 64
)

// checkPattern returns what is wrong with a file pattern, "" if nothing is.
func checkPattern(p string) string {
	switch {
	case strings.TrimSpace(p) == "", !doublestar.ValidatePattern(p):
		return "is no valid pattern"
	case len(p) > maxPattern || variants(p) > maxVariants:
		return "is too complicated a pattern: write several"
	}
	return ""
}

// variants counts the patterns that the braces of a pattern stand for, at least.
func variants(p string) int {
	n := 1
	var open []int // alternatives of each group that is open
	for i := 0; i < len(p); i++ {
		last := len(open) - 1
		switch {
		case p[i] == '\\':
			i++
		case p[i] == '{':
			open = append(open, 1)
		case p[i] == ',' && last >= 0:
			open[last]++
		case p[i] == '}' && last >= 0:
			if n *= open[last]; n > maxVariants {
				return n
			}
			open = open[:last]
		}
	}
	return n
}
