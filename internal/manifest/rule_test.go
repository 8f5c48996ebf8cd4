package manifest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
)

func TestRulesHoldForCommandsAsInClaude(t *testing.T) {
	for _, c := range []struct {
		rule         string
		holds, fails []string
	}{
		{"Bash", []string{"anything at all", ""}, nil},
		{"Bash(*)", []string{"anything"}, nil},
		{"Bash(npm run build)", []string{"npm run build", "cd x && npm run build"}, []string{"npm run build:all", "npm run", "echo npm run build"}},
		{"Bash(touch *)", []string{"touch a", "echo a; touch b", "touch"}, []string{"touchy x", "echo touch"}},
		{"Bash(npm run test:*)", []string{"npm run test", "npm run test -- -v"}, []string{"npm run testing", "npm run"}},
		{"Bash(ls*)", []string{"ls", "lsof", "ls -la"}, []string{"cls"}},
		{"Bash(git * main)", []string{"git push origin main", "git checkout main"}, []string{"git push origin dev", "git main"}},
		{"Bash(* --version)", []string{"go --version"}, []string{"--version x"}},
		{"Bash(git push *)", []string{"FOO=1 git push", `A="x y" B= git push -f`, "timeout 10 git push", "timeout -k 5 10s git push x", "nice -n 5 git push",
			"nohup git push &", "time -p git push", "stdbuf -oL git push", "if git push; then :; fi", "for i in 1; do git push; done", "! git push",
			"(cd x; git push)", "{ git push; }", `echo "$(git push)"`, "echo `git push`", "x=$(git push) y", "git\\\n status; git push", "a\ngit push", "true&&git push", "a|git push", "a & git push",
			"diff <(git push) b", "while a; do\n  git push\ndone"},
			[]string{"git status", "echo git push", "echo 'a; git push'", `echo "a; git push"`, "# git push", "echo a # ; git push", "a 2>&1 git push", "gitpush", "sudo git push"}},
		{`Bash(echo \*)`, []string{"echo *"}, []string{"echo a"}},
	} {
		rule, err := ParseRule(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		for want, list := range map[bool][]string{true: c.holds, false: c.fails} {
			for _, cmd := range list {
				if rule.Match(Call{Tool: "Bash", Commands: SplitCommands(cmd)}) != want {
					t.Errorf("%s and %q: holds is %v; commands %q", c.rule, cmd, !want, SplitCommands(cmd))
				}
			}
		}
		if rule.Match(Call{Tool: "Edit", Commands: []string{"npm run build"}}) {
			t.Errorf("%s holds for Edit", c.rule)
		}
	}
}

func TestRulesHoldForFilesAsInGitignore(t *testing.T) {
	call := Call{Dir: "/home/dev/shop/web", Project: "/home/dev/shop", Home: "/home/dev"}
	for _, c := range []struct {
		rule, tool   string
		holds, fails string
	}{
		{"Edit", "Write", "/x", ""},
		{"Edit(*.go)", "Edit", "/home/dev/shop/web/a.go /home/dev/shop/a/b/c.go /tmp/x.go a.go", "/home/dev/shop/a.go.txt /home/dev/go"},
		{"Edit(*.go)", "NotebookEdit", "/a.go", "/a.py"},
		{"Read(./secrets/**)", "Read", "/home/dev/shop/web/secrets/a/b secrets/x", "/home/dev/shop/secrets/a /home/dev/shop/web/other/secrets/a"},
		{"Read(src/*.ts)", "Grep", "/home/dev/shop/web/src/a.ts", "/home/dev/shop/web/src/b/a.ts /home/dev/shop/web/lib/src/a.ts"},
		{"Edit(/docs/**)", "Edit", "/home/dev/shop/docs/a.md", "/home/dev/shop/web/docs/a.md /docs/a.md"},
		{"Read(//etc/*)", "Read", "/etc/passwd /etc/ssl/key", "/home/dev/shop/web/etc/passwd"},
		{"Read(~/.ssh/**)", "Read", "/home/dev/.ssh/id", "/home/other/.ssh/id"},
		{"Edit(node_modules)", "Edit", "/home/dev/shop/node_modules/a/b.js", "/home/dev/shop/node_modules2/a"},
		{"Edit(build/)", "Edit", "/home/dev/shop/web/x/build/a", "/home/dev/shop/web/build.go"},
		{"Write(*.md)", "Write", "/a.md", "/a.go"},
		{"Edit(**/*.{ts,tsx})", "Edit", "/home/dev/shop/web/a.ts /home/dev/shop/web/x/y.tsx", "/home/dev/shop/web/a.js"},
	} {
		rule, err := ParseRule(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		for want, list := range map[bool]string{true: c.holds, false: c.fails} {
			for _, f := range strings.Fields(list) {
				call := call
				call.Tool, call.Files = c.tool, []string{f}
				if rule.Match(call) != want {
					t.Errorf("%s and %s: holds is %v", c.rule, f, !want)
				}
			}
		}
	}
	rule, _ := ParseRule("Edit(src/*.ts)")
	if !rule.Match(Call{Tool: "Edit", Files: []string{"/any/src/a.ts"}}) {
		t.Error("where the folder is not told the filter is not wider")
	}
	if rule.Match(Call{Tool: "Read", Files: []string{"/any/src/a.ts"}}) || rule.Match(Call{Tool: "Edit"}) {
		t.Error("Edit holds for Read, or for no file")
	}
}

func TestRulesOfOtherTools(t *testing.T) {
	for _, c := range []struct {
		rule string
		call Call
		want bool
	}{
		{"WebFetch(domain:example.com)", Call{Tool: "WebFetch", URL: "https://example.com/x?y"}, true},
		{"WebFetch(domain:example.com)", Call{Tool: "WebFetch", URL: "https://u:p@API.Example.com:8443/x"}, true},
		{"WebFetch(domain:example.com)", Call{Tool: "WebFetch", URL: "https://example.com.evil.net/"}, false},
		{"WebFetch(domain:example.com)", Call{Tool: "WebFetch", URL: "https://evil.net/#@example.com"}, false},
		{"WebFetch(domain:example.com)", Call{Tool: "WebFetch"}, false},
		{"WebFetch(domain:*.example.com)", Call{Tool: "WebFetch", URL: "example.com"}, false},
		{"Agent(Explore)", Call{Tool: "Agent", Subagent: "Explore"}, true},
		{"Task(Ex*)", Call{Tool: "Agent", Subagent: "Explore"}, true},
		{"Agent(Explore)", Call{Tool: "Agent", Subagent: "Plan"}, false},
		{"mcp__lab", Call{Tool: "mcp__lab__echo"}, true},
		{"mcp__lab__get_*", Call{Tool: "mcp__lab__get_x"}, true},
		{"mcp__lab__get_*", Call{Tool: "mcp__lab__set_x"}, false},
		{"mcp__lab", Call{Tool: "mcp__labor__echo"}, false},
		{"Skill", Call{Tool: "Skill"}, true},
	} {
		rule, err := ParseRule(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if rule.Match(c.call) != c.want {
			t.Errorf("%s and %+v: holds is %v", c.rule, c.call, !c.want)
		}
	}
}

func TestIfIsAboutTheEventsCall(t *testing.T) {
	bash := &hook.Tool{Name: "Bash", Kind: hook.KindShell, Command: "cd x && git push", Input: json.RawMessage(`{"command":"cd x && git push"}`)}
	move := &hook.Tool{Name: "Edit", Kind: hook.KindEdit, Files: []hook.File{{Path: "/p/a.txt", Op: hook.OpMove, MovedTo: "/p/b.go"}}}
	grep := &hook.Tool{Name: "Grep", Kind: hook.KindSearch, Input: json.RawMessage(`{"path":"/p/src","pattern":"x"}`)}
	fetch := &hook.Tool{Name: "WebFetch", Kind: hook.KindFetch, Input: json.RawMessage(`{"url":"https://example.com/"}`)}
	child := &hook.Tool{Name: "Agent", Kind: hook.KindSubagent, Input: json.RawMessage(`{"subagent_type":"Explore"}`)}
	for _, c := range []struct {
		rule string
		ev   hook.Event
		want bool
	}{
		{"", hook.Event{Name: hook.Stop}, true},
		{"Bash(git *)", hook.Event{Name: hook.PreToolUse, Tool: bash}, true},
		{"Bash(npm *)", hook.Event{Name: hook.PreToolUse, Tool: bash}, false},
		{"Bash(git *)", hook.Event{Name: hook.Stop}, false},
		{"Bash", hook.Event{Name: hook.SessionStart, Tool: bash}, false},
		{"Edit(*.go)", hook.Event{Name: hook.PostToolUse, Tool: move, Cwd: "/p"}, true},
		{"Edit(/*.txt)", hook.Event{Name: hook.PostToolUse, Tool: move, Cwd: "/q", Project: "/p"}, true},
		{"Edit(./*.txt)", hook.Event{Name: hook.PostToolUse, Tool: move, Project: "/p"}, true},
		{"Read(src/)", hook.Event{Name: hook.PreToolUse, Tool: grep, Cwd: "/p"}, true},
		{"WebFetch(domain:example.com)", hook.Event{Name: hook.PreToolUse, Tool: fetch}, true},
		{"Agent(Explore)", hook.Event{Name: hook.PreToolUse, Tool: child}, true},
		{"(not a rule", hook.Event{Name: hook.PreToolUse, Tool: bash}, true},
	} {
		h := Handler{If: c.rule}
		if h.Applies(c.ev) != c.want {
			t.Errorf("%s on %s: applies is %v", c.rule, c.ev.Name, !c.want)
		}
	}
}

func TestCommandsAreSplitOutsideQuotes(t *testing.T) {
	for in, want := range map[string][]string{
		"":                              nil,
		" ; ;; \n && ":                  nil,
		"a b":                           {"a b"},
		"a; b && c || d | e & f\ng":     {"a", "b", "c", "d", "e", "f", "g"},
		"a |& b":                        {"a", "b"},
		"a 2>&1 | b >& c &> d":          {"a 2>&1", "b >& c &> d"},
		`echo "a; b" 'c && d' e\;f`:     {`echo "a; b" 'c && d' e\;f`},
		`echo "x $(a; b) y"; c`:         {"a", "b", `echo "x $(a; b) y"`, "c"},
		"echo `a | b` c":                {"a", "b", "echo `a | b` c"},
		"(a; b) && c":                   {"a", "b", "c"},
		"{ a; b; }":                     {"a", "b"},
		"if a; then b; else c; fi":      {"a", "b", "c"},
		"case $x in y) a;; z) b;; esac": {"case $x in y", "a", "z", "b", "esac"},
		"a # b; c\nd":                   {"a", "d"},
		"a#b; c":                        {"a#b", "c"},
		"a 'unclosed; b":                {"a 'unclosed", "b"},
		`a "unclosed; b`:                {`a "unclosed; b`},
		"a $(b":                         {"b", "a $(b"},
		"a \\":                          {`a \`},
		"a \\\n b":                      {"a \\\n b"},
		"f() { a; }":                    {"f", "a"},
		`"$(a "$(b)")" c`:               {"b", `a "$(b)"`, `"$(a "$(b)")" c`},
	} {
		if got := SplitCommands(in); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if n := len(SplitCommands(strings.Repeat("$(a ", 100_000))); n > 2*maxFrames {
		t.Errorf("%d commands of nested substitutions", n)
	}
}
