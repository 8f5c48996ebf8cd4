package manifest

import (
	"io"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// maxTokens bounds a YAML manifest: a handler is some 30 tokens, and the library's time grows with
// the square of their number (60 000 took 1.3 s, 20 000 some 0.1 s; goccy/go-yaml 1.19.2).
const maxTokens = 20_000

// readYAML reads a manifest in YAML. It returns nil after reporting an error; an empty document is a
// null node.
func readYAML(r *report, src source) (n *node) {
	// The library is not ours, and a manifest can be anybody's.
	defer func() {
		if p := recover(); p != nil {
			r.fail(pos{1, 1}, "write it more simply, or as JSON", "the YAML library cannot read this file: %v", p)
			n = nil
		}
	}()
	tokens := tokenize(src.text)
	if !checkTokens(r, src, tokens) {
		return nil
	}
	// Duplicate keys are found here, since the library compares joined paths: "a.b" and a: {b: }.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		failYAML(r, src, err)
		return nil
	}
	b := yamlBuilder{src: src, report: r}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return b.node(doc.Body, 0)
		}
	}
	return &node{at: pos{1, 1}}
}

// tokenize is the library's lexer without comments, ended when there are too many tokens.
func tokenize(text string) token.Tokens {
	var s scanner.Scanner
	s.Init(text)
	var tokens token.Tokens
	for len(tokens) <= maxTokens {
		next, err := s.Scan()
		if err == io.EOF {
			break
		}
		for _, t := range next {
			if t.Type != token.CommentType {
				tokens.Add(t)
			}
		}
	}
	return tokens
}

// checkTokens refuses what a manifest does not use, while the exact place and text are known, and
// what would make the parser recurse deeply. It reports all such tokens, not only the first.
func checkTokens(r *report, src source, tokens token.Tokens) bool {
	if len(tokens) > maxTokens {
		r.fail(pos{1, 1}, "a handler is some 30", "more than %d words and marks", maxTokens)
		return false
	}
	before := len(r.errors)
	c := tokenCheck{report: r, src: src}
	for i, t := range tokens {
		c.token(i, len(tokens), t)
		if c.tooDeep {
			break
		}
	}
	return len(r.errors) == before
}

type tokenCheck struct {
	*report
	src     source
	flow    int // brackets that are open
	line    int
	nested  int // sequence and key marks on this line, which nest as well
	tooDeep bool
}

func (c *tokenCheck) token(i, n int, t *token.Token) {
	at := place(c.src, t)
	if at.line != c.line {
		c.line, c.nested = at.line, 0
	}
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		c.flow++
	case token.SequenceEndType, token.MappingEndType:
		c.flow--
	case token.SequenceEntryType:
		c.nested++
	case token.MappingValueType:
		if c.flow == 0 {
			c.nested++
		}
		c.colon(at, t)
	case token.StringType:
		c.plain(at, t)
	case token.LiteralType, token.FoldedType:
		c.block(at, t)
	case token.MappingKeyType:
		c.fail(at, "", `a key after "?" is no part of a manifest`)
	case token.AliasType, token.AnchorType:
		c.special(at, t.Value, map[string]string{"*": "an alias", "&": "an anchor"}[t.Value])
	case token.TagType:
		c.special(at, "!", "a tag")
	case token.DirectiveType:
		c.special(at, "%", "a directive")
	case token.MergeKeyType:
		c.fail(at, "write the keys out", `"<<" merges maps, which is no part of a manifest`)
	case token.DocumentHeaderType, token.DocumentEndType:
		if i != 0 && i != n-1 {
			c.fail(at, "take the line out", "%q begins another document, and a manifest is one", t.Value)
		}
	case token.InvalidType:
		c.invalid(at, t)
	}
	if c.flow > maxDepth || c.nested > maxDepth {
		c.tooDeep = true
		c.fail(at, "", "nested deeper than %d levels", maxDepth)
	}
}

// special refuses text that YAML reads as something that a manifest does not use.
func (c *tokenCheck) special(at pos, mark, means string) {
	word := c.word(at)
	hint := "quote it: " + quoted(word)
	switch {
	case strings.HasPrefix(word, "!!"):
		hint = "leave it out: a value's own form tells its type"
	case word == "*":
		hint += ", or leave the key out"
	}
	c.fail(at, hint, "%s: %q begins %s in YAML, and a manifest has none", short(word), mark, means)
}

func (c *tokenCheck) invalid(at pos, t *token.Token) {
	mark := strings.TrimSpace(t.Value)
	switch {
	case strings.Contains(t.Error, "\t"), strings.Contains(t.Error, "tab character"):
		c.fail(at, "indent with spaces", "a tab cannot indent YAML")
	case mark == "@" || mark == "`":
		word := c.word(at)
		c.fail(at, "quote it: "+quoted(word), "%s: YAML keeps %q at the beginning of a word for itself", short(word), mark)
	default:
		c.fail(at, "", "not YAML: %s", t.Error)
	}
}

// colon refuses {a:b}, which is a key "a:b" without a value in YAML, and a pair for the library.
func (c *tokenCheck) colon(at pos, t *token.Token) {
	if c.flow == 0 || t.Prev == nil || t.Prev.Type == token.DoubleQuoteType || t.Prev.Type == token.SingleQuoteType {
		return
	}
	if rest := c.src.rest(at); len(rest) > 1 && !strings.ContainsRune(" ,]}", rune(rest[1])) {
		c.fail(at, `write a blank behind ":", or quote the whole text`, `":" without a blank behind it`)
	}
}

// plain refuses unquoted text in which the library loses a tab or keeps a comment. Text over several
// lines is mostly a slip of indentation anyway.
func (c *tokenCheck) plain(at pos, t *token.Token) {
	if t.Prev != nil && (t.Prev.Type == token.LiteralType || t.Prev.Type == token.FoldedType) {
		return
	}
	switch origin := strings.Trim(t.Origin, " \t\n"); {
	case strings.Contains(origin, "\n"):
		c.fail(at, "quote it, write | before it, or look at the indentation", "%s: text without quotes ends with its line", short(t.Value))
	case strings.Contains(origin, "\t"):
		c.fail(at, "quote the text, or write blanks", "a tab in text without quotes")
	}
}

// block refuses what the library reads in its own way after | and >.
func (c *tokenCheck) block(at pos, t *token.Token) {
	if strings.ContainsAny(t.Value, "0123456789") {
		c.fail(at, "take the digit out, and indent the text like its first line", "%q: a digit for the indentation is no part of a manifest", t.Value)
	}
	if t.Next == nil || t.Next.Type != token.StringType || strings.TrimSpace(t.Next.Value) == "" {
		c.fail(at, "indent it deeper than its key", "%q is followed by no text", t.Value)
	}
}

// word returns the unquoted scalar that begins at a position.
func (c *tokenCheck) word(at pos) string {
	rest := c.src.rest(at)
	if i := strings.Index(rest, " #"); i >= 0 {
		rest = rest[:i]
	}
	if c.flow > 0 {
		if i := strings.IndexAny(rest, ",]}"); i >= 0 {
			rest = rest[:i]
		}
	}
	return strings.TrimSpace(rest)
}

// place returns where a token stands. The library is too far right by the blanks at the end of the
// line.
func place(src source, t *token.Token) pos {
	if t == nil || t.Position == nil {
		return pos{1, 1}
	}
	at := pos{max(t.Position.Line, 1), max(t.Position.Column, 1)}
	word, _, _ := strings.Cut(strings.TrimSpace(t.Origin), "\n")
	for left := at; word != "" && left.column > max(0, at.column-16); left.column-- {
		if strings.HasPrefix(src.rest(left), word) {
			return left
		}
	}
	return at
}

// failYAML reports the library's error. Its own text holds a copy of the source, which can be long.
func failYAML(r *report, src source, err error) {
	e, ok := err.(interface {
		GetMessage() string
		GetToken() *token.Token
	})
	if !ok {
		r.fail(pos{1, 1}, "", "not YAML: %s", short(err.Error()))
		return
	}
	hint := ""
	if msg := e.GetMessage(); strings.Contains(msg, "mapping value is not allowed") || strings.Contains(msg, "map key-value is pre-defined") {
		hint = `text that holds ": " or follows a quoted word wants quotes around the whole`
	}
	r.fail(place(src, e.GetToken()), hint, "not YAML: %s", e.GetMessage())
}

// yamlBuilder turns the library's tree into ours.
type yamlBuilder struct {
	src    source
	report *report
}

func (b yamlBuilder) node(a ast.Node, depth int) *node {
	n := &node{at: place(b.src, a.GetToken())}
	if depth > maxDepth {
		b.report.fail(n.at, "", "nested deeper than %d levels", maxDepth)
		return n
	}
	switch v := a.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		n.kind, n.text = boolean, strings.ToLower(v.GetToken().Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		n.kind, n.text = number, a.GetToken().Value
	case *ast.StringNode:
		n.kind, n.text = text, v.Value
	case *ast.LiteralNode:
		n.kind, n.text = text, v.Value.Value
	case *ast.SequenceNode:
		n.kind = list
		for _, e := range v.Values {
			n.elems = append(n.elems, b.node(e, depth+1))
		}
	case *ast.MappingNode:
		n.kind = object
		b.fields(n, v.Values, depth)
	case *ast.MappingValueNode:
		n.kind = object
		b.fields(n, []*ast.MappingValueNode{v}, depth)
	default:
		b.report.fail(n.at, "", "%s is no part of a manifest", a.Type())
	}
	return n
}

func (b yamlBuilder) fields(n *node, values []*ast.MappingValueNode, depth int) {
	if len(values) > 0 && !strings.HasPrefix(b.src.rest(n.at), "{") {
		n.at = place(b.src, values[0].Key.GetToken()) // the library names the colon
	}
	seen := make(map[string]pos, len(values))
	for _, v := range values {
		k := v.Key.GetToken()
		f := field{key: k.Value, at: place(b.src, k)}
		if first, ok := seen[f.key]; ok {
			b.report.fail(f.at, "a key may stand once in a map", "the key %q is there twice, first in line %d", f.key, first.line)
			continue
		}
		seen[f.key] = f.at
		f.value = b.node(v.Value, depth+1)
		n.fields = append(n.fields, f)
	}
}
