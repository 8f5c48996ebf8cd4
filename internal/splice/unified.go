package splice

import (
	"fmt"
	"strings"
)

// The diff is our own: what `install` links, every hook pays for at its start, and the library's
// initialisation alone (math/big, log) cost a tenth of a whole run.

// around is how many unchanged lines stand around a change.
const around = 3

// edited is one line of an edit script.
type edited struct {
	op   byte // ' ', '-', '+'
	line string
}

// unified writes a unified diff of two texts, "" if they are equal.
func unified(from, to, a, b string) string {
	if a == b {
		return ""
	}
	script := lineScript(textLines(a), textLines(b))
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	oldAt, newAt := 1, 1
	for i := 0; i < len(script); {
		if script[i].op == ' ' {
			i, oldAt, newAt = i+1, oldAt+1, newAt+1
			continue
		}
		start := max(0, i-around)
		end := hunkEnd(script, i)
		oldAt, newAt = writeHunk(&out, script[start:end], oldAt-(i-start), newAt-(i-start))
		i = end
	}
	return out.String()
}

// hunkEnd is where the hunk that holds the change at i ends: behind its context, unless the next change is near.
func hunkEnd(script []edited, i int) int {
	last := i
	for j := i; j < len(script) && j-last <= 2*around; j++ {
		if script[j].op != ' ' {
			last = j
		}
	}
	return min(len(script), last+1+around)
}

func writeHunk(out *strings.Builder, hunk []edited, oldAt, newAt int) (int, int) {
	oldN, newN := 0, 0
	for _, e := range hunk {
		if e.op != '+' {
			oldN++
		}
		if e.op != '-' {
			newN++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", lineSpan(oldAt, oldN), lineSpan(newAt, newN))
	for _, e := range hunk {
		out.WriteByte(e.op)
		out.WriteString(e.line)
		if !strings.HasSuffix(e.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return oldAt + oldN, newAt + newN
}

func lineSpan(at, n int) string {
	if n == 0 {
		at-- // the line before
	}
	if n == 1 {
		return fmt.Sprint(at)
	}
	return fmt.Sprintf("%d,%d", at, n)
}

func textLines(s string) []string {
	if s == "" {
		return nil
	}
	list := strings.SplitAfter(s, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// maxTable bounds the memory of lineScript; beyond it everything between the common ends is replaced.
const maxTable = 4 << 20

// lineScript turns a into b: common ends are kept, the middle by its longest common subsequence.
func lineScript(a, b []string) []edited {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var script []edited
	for _, l := range a[:head] {
		script = append(script, edited{' ', l})
	}
	script = append(script, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		script = append(script, edited{' ', l})
	}
	return script
}

func middle(a, b []string) []edited {
	var script []edited
	if (len(a)+1)*(len(b)+1) > maxTable {
		for _, l := range a {
			script = append(script, edited{'-', l})
		}
		for _, l := range b {
			script = append(script, edited{'+', l})
		}
		return script
	}
	table := lcs(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			script = append(script, edited{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || table[i+1][j] >= table[i][j+1]):
			script = append(script, edited{'-', a[i]})
			i++
		default:
			script = append(script, edited{'+', b[j]})
			j++
		}
	}
	return script
}

// lcs is the table of longest common subsequences of the rests of a and b.
func lcs(a, b []string) [][]int32 {
	table := make([][]int32, len(a)+1)
	for i := range table {
		table[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
