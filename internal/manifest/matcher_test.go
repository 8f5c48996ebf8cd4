package manifest

import (
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
)

func TestMatchersAreClaudes(t *testing.T) {
	for _, c := range []struct {
		matcher string
		hits    string // tool names
		misses  string
	}{
		{"", "Bash Edit mcp__lab__x anything", ""},
		{"*", "Bash mcp__lab__x", ""},
		{"Bash", "Bash", "bash BashOutput Edit ash"},
		{"Edit|Write", "Edit Write", "MultiEdit EditWrite NotebookEdit"},
		{"Edit, Write", "Edit Write", "Bash"},
		{" Edit | ,Write ,, ", "Edit Write", "Bash"},
		{"Task", "Task Agent", "TaskCreate"},
		{"Agent", "Agent", "Task"},
		{"my-tool", "my-tool", "my-tool-2 my"},
		{"Ba.*", "Bash MyBar", "bash Edit"},
		{"^Bash$", "Bash", "BashOutput"},
		{"[Bb]ash", "Bash bash BashOutput", "Edit"},
		{"mcp__lab__.*", "mcp__lab__x mcp__lab__", "mcp__labor__x Bash"},
		{"mcp__lab__*", "mcp__lab__x mcp__lab_", "mcp__x"},
		{"mcp__*", "mcp__lab__x mcp_lab", "Bash"},
		{"mcp__lab__echo", "mcp__lab__echo", "mcp__lab__echo2"},
		{"Web(Fetch|Search)", "WebFetch WebSearch", "Fetch"},
		{"@shell", "Bash:shell exec_command:shell", "Bash Edit:edit"},
		{"@edit", "Edit:edit apply_patch:edit Write:write create:write", "Read:read Bash:shell Edit"},
		{"@write", "Write:write", "Edit:edit"},
		{"@edit|Bash", "Edit:edit Bash:shell Bash", "Read:read exec:shell"},
		{"@edit, Bash", "Write:write Bash:shell", "Read:read"},
		{"@read|@search", "Read:read Grep:search", "Edit:edit"},
		{"@shell|mcp__a__.*", "Bash:shell mcp__a__x:mcp", "mcp__b__x:mcp Edit:edit"},
		{"@shell||mcp__a__.*|", "Bash:shell mcp__a__x:mcp", "mcp__b__x:mcp Edit:edit"},
		{"@mcp", "lab-echo:mcp mcp__a__b:mcp", "Bash:shell"},
		{"@fetch|@subagent|@other", "WebFetch:fetch Agent:subagent Skill:other", "Bash:shell"},
	} {
		m := mustParse(t, matching(quoted(c.matcher))).Groups[0].Matcher
		for want, list := range map[bool]string{true: c.hits, false: c.misses} {
			for _, s := range strings.Fields(list) {
				name, kind, _ := strings.Cut(s, ":")
				if m.Match([]string{name}, hook.Kind(kind)) != want {
					t.Errorf("%q and %s: hit is %v", c.matcher, s, !want)
				}
			}
		}
		if want := c.matcher == "" || c.matcher == "*"; m.All() != want {
			t.Errorf("%q: All is %v", c.matcher, !want)
		}
	}
}

func TestOneOfSeveralNamesIsEnough(t *testing.T) {
	m, _ := parseMatcher("Edit|x.*")
	if !m.Match([]string{"apply_patch", "xyz"}, "") || m.Match(nil, "") || m.Match([]string{"a", "b"}, "") {
		t.Error("names are not looked at one by one")
	}
}

func TestSubjectsAreMatchedLikeTools(t *testing.T) {
	p := mustParse(t, `hooks:
  SessionStart:
    - matcher: startup|resume
      hooks: [{ command: x }]
    - matcher: "c.*"
      hooks: [{ command: x }]
    - hooks: [{ command: x }]
`)
	for subject, want := range map[string]string{"startup": "yny", "resume": "yny", "clear": "nyy", "compact": "nyy", "": "yyy", "other": "nny"} {
		got := ""
		for _, g := range p.Groups {
			got += map[bool]string{true: "y", false: "n"}[g.Matcher.MatchSubject(subject)]
		}
		if got != want {
			t.Errorf("%q: %s, want %s", subject, got, want)
		}
	}
}

func TestMatchersThatHitNothingAreErrors(t *testing.T) {
	const at = "hookspan.yaml:3:16: "
	for matcher, want := range map[string]string{
		"bash":              `matcher "bash" hits no tool: names are case-sensitive (write "Bash")`,
		"webfetch":          `matcher "webfetch" hits no tool: names are case-sensitive (write "WebFetch")`,
		"run_shell_command": `matcher "run_shell_command" hits no tool: it is an agent's own name for Bash, and arrives as Bash (write "Bash")`,
		"Shell":             `matcher "Shell" hits no tool: it is an agent's own name for Bash, and arrives as Bash (write "Bash")`,
		"^(bash)$":          `matcher "bash" hits no tool: names are case-sensitive (write "Bash")`,
		"^bash$":            `matcher "bash" hits no tool: names are case-sensitive (write "Bash")`,
		"mcp__lab":          `matcher "mcp__lab" hits no tool: it names a server only (for all its tools write "mcp__lab__.*")`,
		"mcp__lab__":        `matcher "mcp__lab__" hits no tool: it names a server only (for all its tools write "mcp__lab__.*")`,
		"Bash(echo *)":      `matcher "Bash(echo *)" hits no tool: a matcher sees the tool's name only (write matcher: Bash, and on the handler if: "Bash(echo *)")`,
		"Bash(git:*)":       `matcher "Bash(git:*)" hits no tool: a matcher sees the tool's name only (write matcher: Bash, and on the handler if: "Bash(git:*)")`,
		"Edit(*.go)":        `matcher "Edit(*.go)" hits no tool: a matcher sees the tool's name only (write matcher: Edit, and on the handler if: "Edit(*.go)")`,
		"/Bash/":            `matcher "/Bash/" hits no tool: no name has a slash in it (write it without the slashes: "Bash")`,
		"(?!Edit).*":        `matcher "(?!Edit).*" looks around with "(?!", which RE2 has not (name the tools that are meant, or a kind such as @edit)`,
		"(?<=a)b":           `matcher "(?<=a)b" looks around with "(?<=", which RE2 has not (name the tools that are meant, or a kind such as @edit)`,
		"[invalid":          "matcher \"[invalid\" is no valid expression: missing closing ]: `[invalid`",
		"Bash|*":            "matcher \"Bash|*\" is no valid expression: missing argument to repetition operator: `*` (to hit every tool leave matcher out; in an expression \"any text\" is \".*\")",
		"*.go":              "matcher \"*.go\" is no valid expression: missing argument to repetition operator: `*` (to hit every tool leave matcher out; in an expression \"any text\" is \".*\")",
		"|":                 `matcher "|" names nothing, and hits nothing (leave matcher out to hit everything)`,
		" , ":               `matcher " , " names nothing, and hits nothing (leave matcher out to hit everything)`,
		"Edit | Write.* ":   `matcher "Edit | Write.*" is an expression, in which an alternative with a blank hits nothing (take the blanks out)`,
		"Ed.t | Wr.te ":     `matcher "Ed.t | Wr.te" is an expression, in which an alternative with a blank hits nothing (take the blanks out)`,
		"@edti":             `"@edti" is no kind of tool (did you mean "@edit"?)`,
		"@":                 `"@" is no kind of tool (known: @shell, @read, @write, @edit, @search, @fetch, @mcp, @subagent, @other)`,
		"@edit,mcp__.*":     `"@edit,mcp__.*" is no kind of tool (join kinds, names and expressions with "|")`,
		"Bash|@Shell":       `"@Shell" is no kind of tool (did you mean "@shell"?)`,
	} {
		_, problems := parse(matching(quoted(matcher)))
		want = at + want
		if got := lines(problems); got != want {
			t.Errorf("%s:\n got %s\nwant %s", matcher, got, want)
		}
	}
}

func TestMatchersOfWhichAPartHitsNothingAreWarnings(t *testing.T) {
	for matcher, want := range map[string]string{
		"Edit|bash":                `matcher "bash" hits no tool: names are case-sensitive (write "Bash")`,
		"@shell|run_shell_command": `matcher "run_shell_command" hits no tool: it is an agent's own name for Bash, and arrives as Bash (write "Bash")`,
		"Bsh":                      `no agent that hookspan knows has a tool "Bsh" (did you mean "Bash"?)`,
		"Write|Eidt":               `no agent that hookspan knows has a tool "Eidt" (did you mean "Edit"?)`,
		"mcp__.*|":                 `matcher "mcp__.*|" has an empty alternative, which hits everything (take the "|" at its side out)`,
		"Bash|Ed.t | x":            `matcher "Bash|Ed.t | x" is an expression, in which an alternative with a blank hits nothing (take the blanks out)`,
		"NotebookEdit|apply_patch|my_tool|MultiEdit|Skill": ``,
		"Bash(Output)?":     ``,
		"Web(Fetch|Search)": ``,
	} {
		p := mustParse(t, matching(quoted(matcher)))
		if want != "" {
			want = "hookspan.yaml:3:16: " + want
		}
		if got := lines(p.Warnings); got != want {
			t.Errorf("%s:\n got %s\nwant %s", matcher, got, want)
		}
	}
}

func TestMatchersOfSubjects(t *testing.T) {
	for in, want := range map[string]string{
		"SessionStart startup":     "",
		"SessionStart Startup":     `E matcher "Startup" hits no SessionStart (write "startup")`,
		"SessionStart startp":      `W no SessionStart is known to be "startp" (did you mean "startup"?)`,
		"SessionStart whatever":    "",
		"PreCompact Auto":          `E matcher "Auto" hits no PreCompact (write "auto")`,
		"SessionEnd @shell":        `E kinds are of tools, and SessionEnd is about none`,
		"Notification idle_prompt": "",
		"SubagentStop Explore":     "",
		"AfterModel a b/c":         "",
		"Stop @shell":              `W matcher "@shell" is ignored: Stop has nothing to match (leave it out)`,
		"UserPromptSubmit x":       `W matcher "x" is ignored: UserPromptSubmit has nothing to match (leave it out)`,
	} {
		event, matcher, _ := strings.Cut(in, " ")
		p, problems := parse("hooks:\n  " + event + ":\n    - matcher: " + quoted(matcher) + "\n      hooks: [{ command: x }]\n")
		got := ""
		if len(problems) > 0 {
			got = "E " + problems[0].Msg
			if h := problems[0].Hint; h != "" {
				got += " (" + h + ")"
			}
		} else if len(p.Warnings) > 0 {
			got = "W " + p.Warnings[0].Msg + " (" + p.Warnings[0].Hint + ")"
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
}
