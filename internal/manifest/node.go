package manifest

import (
	"slices"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a manifest. A valid one needs 7 levels; the limit ends the recursion
// of the parsers long before a stack could overflow, which cannot be recovered from.
const maxDepth = 50

type pos struct{ line, column int } // from 1; a column counts characters

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// node is a value of a manifest, whichever syntax it was written in.
type node struct {
	at     pos
	kind   kind
	text   string // of text; as written for numbers, "true" or "false" for booleans
	elems  []*node
	fields []field
	json   bool // written as JSON, where hints about YAML do not help
}

type field struct {
	key   string
	at    pos
	value *node
}

// get returns the value of a key, nil if it is not there.
func (n *node) get(key string) *node {
	for i := range n.fields {
		if n.fields[i].key == key {
			return n.fields[i].value
		}
	}
	return nil
}

// called names the node's kind in a sentence.
func (n *node) called() string {
	return [...]string{"empty", "true or false", "a number", "text", "a list", "a map"}[n.kind]
}

// source is the text of a manifest. It turns byte offsets into positions and back in a time that
// does not grow with the length of a line: a whole manifest can stand in one.
type source struct {
	text   string
	lines  []int // offset of each line's first byte
	blocks []int // characters that begin before each block of blockSize bytes
}

const blockSize = 64

func newSource(src string) source {
	s := source{text: src, lines: []int{0}}
	chars := 0
	for i := 0; i < len(src); i++ {
		if i%blockSize == 0 {
			s.blocks = append(s.blocks, chars)
		}
		if utf8.RuneStart(src[i]) {
			chars++
		}
		if src[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	s.blocks = append(s.blocks, chars)
	return s
}

// chars counts the characters that begin before an offset.
func (s source) chars(offset int) int {
	b := min(offset/blockSize, len(s.blocks)-2)
	if b < 0 {
		return 0
	}
	n := s.blocks[b]
	for _, c := range []byte(s.text[b*blockSize : offset]) {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// at turns an offset into a position.
func (s source) at(offset int) pos {
	offset = min(max(offset, 0), len(s.text))
	line, found := slices.BinarySearch(s.lines, offset)
	if !found {
		line--
	}
	return pos{line + 1, s.chars(offset) - s.chars(s.lines[line]) + 1}
}

// rest returns the text from a position to the end of its line.
func (s source) rest(at pos) string {
	if at.line < 1 || at.line > len(s.lines) {
		return ""
	}
	end := len(s.text)
	if at.line < len(s.lines) {
		end = s.lines[at.line] - 1
	}
	want := s.chars(s.lines[at.line-1]) + at.column - 1
	b, found := slices.BinarySearch(s.blocks, want)
	if !found {
		b--
	}
	i := min(max(b*blockSize, s.lines[at.line-1]), end)
	for n := s.chars(i); i < end && (n < want || !utf8.RuneStart(s.text[i])); i++ {
		if utf8.RuneStart(s.text[i]) {
			n++
		}
	}
	return s.text[i:end]
}
