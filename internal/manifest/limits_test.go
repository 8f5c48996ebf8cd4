package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hookspan/hookspan/hook"
)

// fill repeats what one makes until the text has nearly n bytes.
func fill(n int, head, tail string, one func(i int) string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < n-200-len(tail); i++ {
		b.WriteString(one(i))
	}
	b.WriteString(tail)
	return b.String()
}

// A manifest that anybody may have written costs a bounded time, whatever it holds.
func TestHostileManifestsCostABoundedTime(t *testing.T) {
	same := func(s string) func(int) string { return func(int) string { return s } }
	for name, in := range map[string]string{
		"brackets":      fill(MaxSize/4, "", "", same("[")),
		"dashes":        fill(MaxSize/4, "", "", same("- ")),
		"flow dashes":   fill(MaxSize/4, "a: [", "", same("- ")),
		"keys":          fill(MaxSize/4, "", "", same("a: ")),
		"quotes":        fill(MaxSize/4, "", "", same(`"`)),
		"aliases":       fill(MaxSize/4, "", "", same("*a ")),
		"tags":          fill(MaxSize/4, "", "", same("!a ")),
		"commas":        fill(MaxSize/4, "a: [", "]", same(",")),
		"map":           fill(MaxSize/4, "", "", func(i int) string { return fmt.Sprintf("k%d: v\n", i) }),
		"indentation":   fill(MaxSize/4, "", "", func(i int) string { return strings.Repeat(" ", i) + "k:\n" }),
		"comments":      fill(MaxSize/4, "", "", same("#\n")),
		"block":         fill(MaxSize/4, "a: |\n", "", same("  x\n")),
		"map of 30 kB":  fill(30_000, "", "", func(i int) string { return fmt.Sprintf("k%d: v\n", i) }),
		"JSON keys":     fill(MaxSize/4, "{", `"z": 1}`, func(i int) string { return fmt.Sprintf(`"k%d": 1,`, i) }),
		"JSON line":     fill(MaxSize/4, `{"hooks": {"Stop": [{"hooks": [`, `{"command":"x"}]}]}}`, same(`{"command":"é"},`)),
		"handler keys":  fill(MaxSize/4, `{"hooks": {"Stop": [{"hooks": [{"command": "x"`, `}]}]}}`, func(i int) string { return fmt.Sprintf(`,"commmand%d": 1`, i) }),
		"events":        fill(MaxSize/4, `{"hooks": {`, `"Stop": []}}`, func(i int) string { return fmt.Sprintf(`"Event%d": [],`, i) }),
		"matcher":       matching(fill(MaxSize/4, `"`, `"`, same("(a|b)*"))),
		"names":         matching(fill(MaxSize/4, `"`, `"`, same("Bsh|"))),
		"braces":        onPre(fill(MaxSize/4, `{ guard: protect-paths, paths: ["`, `"] }`, same("{a,b}"))),
		"JSON patterns": fill(MaxSize/4, `{"hooks": {"PreToolUse": [{"hooks": [{"guard": "protect-paths", "paths": [`, `"x"]}]}]}}`, same(`"a",`)),
	} {
		start := time.Now()
		p, problems := parse(in)
		// Each takes some 50 ms on an idle machine. What grows with the square would take minutes.
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		if p != nil && len(p.Groups) > 0 {
			t.Errorf("%s: a plan of %d groups", name, len(p.Groups))
		}
		for _, e := range problems {
			if len(e.Error()) > 2000 {
				t.Errorf("%s: an error of %d bytes", name, len(e.Error()))
			}
		}
	}
}

func TestLimitsOfWhatAManifestMayAskFor(t *testing.T) {
	braces := strings.Repeat("{a,b,c,d}", 3)
	for in, want := range map[string]string{
		onPre(strings.Repeat("{ command: x }, ", maxHandlers)):                                  "",
		onPre(strings.Repeat("{ command: x }, ", maxHandlers+5)):                                "more than 300 handlers in one manifest",
		onPre(`{ guard: protect-paths, paths: ["` + braces + `"] }`):                            "",
		onPre(`{ guard: protect-paths, paths: ["` + braces + `{a,b}"] }`):                       `"{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b}" is too complicated a pattern: write several`,
		onPre(`{ guard: protect-paths, paths: ["` + strings.Repeat("a", maxPattern+1) + `"] }`): `"` + strings.Repeat("a", 59) + `…" is too complicated a pattern: write several`,
		onPre(strings.Repeat(`{ guard: protect-paths, paths: ["`+braces+`"] }, `, 31)):          "",
		onPre(strings.Repeat(`{ guard: protect-paths, paths: ["`+braces+`"] }, `, 32)):          "more than 2000 patterns in one manifest",
		matching(strings.Repeat("a", maxPattern)):                                               "",
		matching(strings.Repeat("a", maxPattern+1)):                                             "the matcher is longer than 500 bytes",
		onPre(`{ command: x, if: "Bash(` + strings.Repeat("a", maxPattern) + `)" }`):            `"if": the rule is longer than 500 bytes`,
		onPre(`{ command: x, if: "Edit(` + braces + `{a,b})" }`):                                `"if": "{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b}" is too complicated a pattern: write several`,
	} {
		_, problems := parse(in)
		got := ""
		if len(problems) > 0 {
			got = problems[0].Msg
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", short(in), got, want)
		}
	}
}

func TestVariantsAreCounted(t *testing.T) {
	for p, want := range map[string]int{"a": 1, "{a,b}": 2, "{a,b}{c,d,e}": 6, "{a,{b,c}}": 4, `\{a,b\}`: 1, "{a": 1, "a}": 1, "a,b": 1, "{}": 1} {
		if got := variants(p); got != want {
			t.Errorf("%s: %d, want %d", p, got, want)
		}
	}
}

// What a manifest makes us print cannot command a terminal, nor fill it.
func TestProblemsArePrintable(t *testing.T) {
	for _, in := range []string{onPre(`{ command: x, agents: "\e]0;title\a" }`), onPre(`{ command: x, mode: "a\nb\u202e" }`),
		onPre(`{ guard: "\e[31m" }`), `{"` + strings.Repeat("k", 100_000) + `": 1, "hook": 2}`, onPre(`{ command: x, "` + strings.Repeat("k ", 5000) + `": 1 }`)} {
		_, problems := parse(in)
		if len(problems) == 0 {
			t.Fatalf("no error in %s", short(in))
		}
		for _, p := range problems {
			if s := p.Error(); len(s) > 3000 || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q", short(s))
			}
		}
	}
}

// A command line that is too long to look into is no way around a handler.
func TestIfHoldsForCommandsThatAreTooLong(t *testing.T) {
	h := Handler{If: "Bash(git *)"}
	ev := hook.Event{Name: hook.PreToolUse, Tool: &hook.Tool{Name: "Bash", Command: strings.Repeat(":;", maxCommand)}}
	if !h.Applies(ev) {
		t.Error("it does not")
	}
	if ev.Tool.Name = "Edit"; h.Applies(ev) {
		t.Error("it holds for another tool")
	}
}
