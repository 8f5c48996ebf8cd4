package manifest

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPositionsAndOffsetsAgree(t *testing.T) {
	for _, text := range []string{"", "a", "\n", "a\nbc\n\nd", strings.Repeat("é", 200) + "\nü" + strings.Repeat("x", 300), "日本語\n" + strings.Repeat("日a", 90)} {
		s := newSource(text)
		line, column := 1, 1
		for i, r := range text {
			if got := s.at(i); got != (pos{line, column}) {
				t.Fatalf("at(%d) = %v, want %d:%d in %q", i, got, line, column, text)
			}
			want, _, _ := strings.Cut(text[i:], "\n")
			if got := s.rest(pos{line, column}); got != want {
				t.Fatalf("rest(%d:%d) = %q, want %q", line, column, got, want)
			}
			if column++; r == '\n' {
				line, column = line+1, 1
			}
		}
		if got := s.at(len(text)); got != (pos{line, column}) {
			t.Fatalf("at(end) = %v, want %d:%d (%d characters)", got, line, column, utf8.RuneCountInString(text))
		}
		for _, at := range []pos{{0, 1}, {99, 1}, {1, 9999}, {1, 0}, {1, -5}} {
			s.rest(at)
		}
	}
}
