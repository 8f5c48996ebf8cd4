package manifest

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hookspan/hookspan/hook"
)

// Whatever the bytes are: a plan or errors, soon, and a plan that survives its encoding.
func FuzzParseNeverPanics(f *testing.F) {
	for _, s := range []string{tenHandlers, onPre("{ guard: protect-paths, paths: [*.pem] }"), matching("@edit|x.*"), `{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}`,
		"hooks:\n  Stop:\n    - hooks:\n        - command: |\n            a\n            b\n          timeout: 1\n", "a: &x [*x]\n", "? a\n: b\n", "\ufeff--- \n...\n", "a: 'b\n\n c'\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		start := time.Now()
		p, problems := Parse("hookspan.yaml", in, vocabulary{})
		if (p == nil) != (len(problems) > 0) {
			t.Fatalf("plan %v and problems %v", p, problems)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("took %v", took)
		}
		for _, e := range problems {
			if e.Line < 0 || strings.ContainsFunc(e.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q", e.Error())
			}
		}
		if p == nil {
			return
		}
		q, err := DecodePlan(p.Encode())
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("not the same after encoding: %v", err)
		}
	})
}

// Encoding is the identity on any plan, and decoding takes nothing else for one.
func FuzzPlanEncodeDecode(f *testing.F) {
	f.Add([]byte(magic), "a", "b", int64(5), uint8(3))
	whole := mustParse(f, tenHandlers).Encode()
	f.Add(whole[len(magic):len(whole)-8], "", "", int64(0), uint8(8))
	f.Add(whole, "", "x.*", int64(1<<40), uint8(0))
	f.Fuzz(func(t *testing.T, raw []byte, s, pattern string, n int64, bits uint8) {
		forged := append([]byte(magic), raw...)
		forged = binary.LittleEndian.AppendUint64(forged, checksum(string(forged)))
		for _, b := range [][]byte{raw, forged} {
			if p, err := DecodePlan(b); err == nil && !bytes.Equal(p.Encode(), b) {
				t.Errorf("%q was taken for a plan", b)
			}
		}
		p := &Plan{Path: s, Hash: pattern, Scope: Scope(bits & 1), Warnings: []Problem{{Path: s, Line: int(bits), Msg: pattern}}}
		h := Handler{Name: s, Type: Type(bits % 3), Shell: pattern, Timeout: time.Duration(n & (1<<62 - 1)), Gate: bits&1 > 0, Async: bits&2 > 0, Untrusted: bits&4 > 0,
			OnFailure: OnFailure(bits >> 3 & 1), Each: Each(bits >> 4 & 1), Mode: Mode(bits >> 5 & 1), Line: int(bits), MaxContinues: int(bits)}
		if bits&8 > 0 {
			h.Env, h.Argv = []string{}, []string{s, pattern}
			h.Options, h.Headers = []Option{{s, []string{pattern}}}, []Header{{pattern, s}}
		}
		g := Group{Event: hook.Name(s), Line: int(bits), Handlers: []Handler{h, h}, Matcher: Matcher{Text: s, Names: []string{s}, Kinds: []hook.Kind{hook.Kind(pattern)}}}
		g.Matcher.setPattern(pattern)
		p.Groups = []Group{g, g}
		q, err := DecodePlan(p.Encode())
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("%v\n got %+v\nwant %+v", err, q, p)
		}
	})
}

// On Claude's class of exact names we hit what Claude hits: claude is its rule, word for word.
func FuzzMatcherAgreesWithClaude(f *testing.F) {
	for _, m := range []string{"", "*", "Bash", "Edit|Write", "Edit, Write", " Task |", "mcp__a", "a-b_c 1"} {
		f.Add(m, "Bash")
		f.Add(m, "Agent")
		f.Add(m, m)
	}
	f.Fuzz(func(t *testing.T, matcher, tool string) {
		if matcher != "*" && strings.Trim(matcher, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|, -") != "" || tool == "" {
			t.Skip()
		}
		want := matcher == "" || matcher == "*"
		for _, part := range strings.Split(strings.ReplaceAll(matcher, ",", "|"), "|") {
			part = strings.Trim(part, " ")
			want = want || part != "" && (part == tool || part == "Task" && tool == "Agent")
		}
		m, unknown := parseMatcher(matcher)
		none := matcher != "" && matcher != "*" && m.All() // refused by Parse, since it hits nothing
		if len(unknown) > 0 || !none && m.Match([]string{tool}, hook.KindOther) != want || none && want {
			t.Errorf("%q and %q: want %v", matcher, tool, want)
		}
	})
}

// A command line is never split into nothing, and never into more than it holds.
func FuzzSplitCommands(f *testing.F) {
	for _, s := range []string{"a; b", `echo "$(a 'b;c' | d)"`, "`a`", "((", "$(((", "a((0\\", `\`, "a # b\nc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, cmd := range SplitCommands(s) {
			if cmd == "" || !strings.Contains(s, cmd) {
				t.Errorf("%q of %q", cmd, s)
			}
			unwrapped(cmd)
		}
		if rule, err := ParseRule(s); err == nil {
			rule.Match(Call{Tool: rule.Tool, Commands: []string{s}, Files: []string{s, "/" + s}, URL: s, Dir: "/", Project: "/a", Home: s})
		}
	})
}
