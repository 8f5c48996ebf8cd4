package patch

import (
	"strconv"
	"strings"

	"github.com/hookspan/hookspan/hook"
)

const devNull = "/dev/null"

// counts are the lines that a hunk still has to come, by its header.
type counts struct{ old, new int }

// section is what a diff says about one file.
type section struct {
	old, new         string // names, without "a/" and "b/"
	oldLine, newLine string // as the "---" and "+++" lines have them
	named            bool   // there was a "---" line
	created, deleted bool
	renamed, copied  bool
	binary           bool
	unsure           int // the line of a "diff --git" whose names could not be told apart
	hunks            int
	count            counts
	hunk             hunk
	edits            []hook.Edit
}

func (s *section) inHunk() bool { return s.count.old > 0 || s.count.new > 0 }

// startHunk reads "@@ -1,3 +1,4 @@ context".
func (s *section) startHunk(line string) bool {
	s.endHunk()
	s.hunks++
	f := strings.Fields(line)
	if len(f) < 3 {
		return false
	}
	old, ok1 := lineCount(f[1], '-')
	new, ok2 := lineCount(f[2], '+')
	s.count = counts{old, new}
	return ok1 && ok2
}

// lineCount reads "-1,3" or "-1", which stands for one line.
func lineCount(s string, sign byte) (int, bool) {
	if s == "" || s[0] != sign {
		return 0, false
	}
	_, n, ok := strings.Cut(s, ",")
	if !ok {
		return 1, true
	}
	v, err := strconv.Atoi(n)
	return v, err == nil && v >= 0
}

func (s *section) endHunk() {
	if e, ok := s.hunk.take(); ok {
		s.edits = append(s.edits, e)
	}
	s.count = counts{}
}

// settle takes the names from the "---" and "+++" lines.
func (s *section) settle() {
	if s.oldLine == devNull {
		s.created = true
	}
	if s.newLine == devNull {
		s.deleted = true
	}
	if s.renamed || s.copied || s.new != "" && s.new == s.newLine || s.old != "" && s.old == s.oldLine {
		return // the names are known already, and have nothing in front
	}
	s.old, s.new = withoutPrefix(s.oldLine, s.newLine)
}

// extended reads git's lines between "diff --git" and the first hunk.
func (s *section) extended(line string) {
	for _, known := range []struct {
		word string
		flag *bool
		name *string
	}{
		{"rename from ", &s.renamed, &s.old}, {"rename to ", &s.renamed, &s.new},
		{"copy from ", &s.copied, &s.old}, {"copy to ", &s.copied, &s.new},
		{"new file mode", &s.created, nil}, {"deleted file mode", &s.deleted, nil},
		{"Binary files ", &s.binary, nil}, {"GIT binary patch", &s.binary, nil},
	} {
		value, ok := strings.CutPrefix(line, known.word)
		if !ok {
			continue
		}
		*known.flag = true
		if known.name != nil {
			*known.name = unquote(value)
		}
		return
	}
}

// files says it in the words of a tool call.
func (s *section) files() []hook.File {
	s.endHunk()
	switch {
	case s.old == "" && s.new == "":
		return nil
	case s.created:
		return []hook.File{{Path: s.new, Op: hook.OpCreate, NewText: s.newText()}}
	case s.deleted:
		return []hook.File{{Path: s.old, Op: hook.OpDelete, Edits: s.edits}}
	case s.copied:
		return []hook.File{{Path: s.new, Op: hook.OpCreate}}
	case s.renamed && s.old != "" && s.new != "":
		return []hook.File{{Path: s.old, Op: hook.OpMove, MovedTo: s.new, Edits: s.edits}}
	case s.old == s.new || s.old == "":
		return []hook.File{{Path: s.new, Op: hook.OpUpdate, Edits: s.edits}}
	case s.new == "":
		return []hook.File{{Path: s.old, Op: hook.OpUpdate, Edits: s.edits}}
	}
	return []hook.File{{Path: s.new, Op: hook.OpUpdate, Edits: s.edits}, {Path: s.old, Op: hook.OpUpdate, Edits: s.edits}}
}

// newText is the text of a created file, which the diff does not tell where it is binary.
func (s *section) newText() *string {
	if s.binary {
		return nil
	}
	var b strings.Builder
	for _, e := range s.edits {
		b.WriteString(e.New)
	}
	text := b.String()
	return &text
}
