package patch

import "fmt"

// problems remembers the first fault of a text and counts the others: one line says enough to find
// the place, and a long text of rubbish must not make a long error.
type problems struct {
	first string
	more  int
}

func (p *problems) add(line int, format string, args ...any) {
	if p.first != "" {
		p.more++
		return
	}
	p.first = fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...)
}

func (p *problems) err(what string) error {
	switch {
	case p.first == "":
		return nil
	case p.more == 0:
		return fmt.Errorf("failed to read all of the %s: %s", what, p.first)
	}
	return fmt.Errorf("failed to read all of the %s: %s (and %d more)", what, p.first, p.more)
}

// short is a line for an error text.
func short(line string) string {
	const most = 60
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}
