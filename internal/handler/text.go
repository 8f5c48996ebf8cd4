package handler

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// clean makes readable text of a program's output: valid UTF-8 without a byte order mark in front
// and blanks around. Broken bytes become U+FFFD, as in Claude Code.
func clean(b []byte) string {
	s := strings.ToValidUTF8(string(b), "\ufffd")
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "\ufeff"))
}

// Tail returns the end of a program's output as text: at most so many lines and bytes, without
// blanks around. "…" in front tells that something was left out.
func Tail(b []byte, maxLines, maxBytes int) string {
	const spare = utf8.UTFMax
	if maxLines <= 0 || maxBytes <= 0 {
		return ""
	}
	if from := len(b) - maxBytes - spare; from > 0 {
		// Only the end is worth cleaning; the cut below lands on a rune of it.
		return "…" + strings.TrimPrefix(tail(clean(b[from:]), maxLines, maxBytes), "…")
	}
	return tail(clean(b), maxLines, maxBytes)
}

func tail(s string, maxLines, maxBytes int) string {
	at := len(s)
	for n := 0; n < maxLines && at >= 0; n++ {
		at = strings.LastIndexByte(s[:max(at, 0)], '\n')
	}
	start := max(at+1, len(s)-maxBytes)
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	if start == 0 {
		return s
	}
	return "…" + strings.TrimSpace(s[start:])
}

// answerKeys are the keys that make a JSON object an answer.
var answerKeys = [...]string{"hookSpecificOutput", "decision", "continue", "systemMessage", "reason", "stopReason", "suppressOutput"}

// looksLikeArray reports whether text in square brackets is JSON rather than a log line such as
// "[INFO] ready".
func looksLikeArray(s string) bool {
	inner, ok := strings.CutPrefix(s, "[")
	if !ok {
		return false
	}
	inner = strings.TrimLeft(inner, " \t\r\n")
	return inner != "" && strings.IndexByte(`{["]`, inner[0]) >= 0 || onlyNumbers(inner)
}

// onlyNumbers reports whether the inside of brackets is a list of numbers.
func onlyNumbers(inner string) bool {
	list, ok := strings.CutSuffix(inner, "]")
	return ok && list != "" && strings.Trim(list, "0123456789.,-+eE \t\r\n") == ""
}

// noise looks for an answer inside of other text: a shell profile's greeting or a debug line in
// front of the JSON would make Claude drop a deny without a word.
func noise(out string) error {
	const text = "there is text before the JSON of the answer; stdout must hold nothing else (print messages to stderr)"
	for _, word := range []string{`"hookSpecificOutput"`, `"permissionDecision"`} {
		if _, after, ok := strings.Cut(out, word); ok && strings.HasPrefix(skipBlanks(after), ":") {
			return errors.New(text)
		}
	}
	for rest := out; ; {
		_, after, ok := strings.Cut(rest, "{")
		if !ok {
			return nil
		}
		rest = after
		if opensAnswer(after) {
			return errors.New(text)
		}
	}
}

// opensAnswer reports whether the text behind a brace begins with one of an answer's keys, or ends
// within one.
func opensAnswer(s string) bool {
	s = skipBlanks(s)
	for _, key := range answerKeys {
		quoted := `"` + key + `"`
		if after, ok := strings.CutPrefix(s, quoted); ok && (after == "" || strings.HasPrefix(skipBlanks(after), ":")) {
			return true
		}
		if len(s) > 1 && strings.HasPrefix(quoted, s) {
			return true
		}
	}
	return false
}

func skipBlanks(s string) string { return strings.TrimLeft(s, " \t\r\n") }
