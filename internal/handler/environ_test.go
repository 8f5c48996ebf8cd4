package handler

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
)

func TestEnviron(t *testing.T) {
	base := []string{"PATH=/bin", "HOME=/home/dev", "KEY=secret", "PROJECT_DIR=/old", "CLAUDE_PLUGIN_ROOT=/plug",
		"HOOKSPAN_EVENT=Stop", "HOOKSPAN_FILE=/old/file", "HOOKSPAN_CHAIN=old", "EMPTY="}
	one := &hook.Tool{Files: []hook.File{{Path: "/p/a.go", Op: hook.OpUpdate}}}
	tests := []struct {
		name  string
		base  []string
		ev    hook.Event
		chain []string
		allow []string
		want  []string
	}{
		{"nothing told", base, hook.Event{Name: hook.Stop}, nil, nil,
			[]string{"CLAUDE_PLUGIN_ROOT=/plug", "EMPTY=", "GIT_OPTIONAL_LOCKS=0", "HOME=/home/dev", "HOOKSPAN_EVENT=Stop", "KEY=secret", "PATH=/bin", "PROJECT_DIR=/old"}},
		{"all told", base, hook.Event{Name: hook.PostToolUse, Project: "/p", Plugin: "/q", Tool: one}, []string{"a", "b,c%"}, nil,
			[]string{"CLAUDE_PLUGIN_ROOT=/q", "CLAUDE_PROJECT_DIR=/p", "EMPTY=", "GIT_OPTIONAL_LOCKS=0", "HOME=/home/dev", "HOOKSPAN_CHAIN=a,b%2Cc%25",
				"HOOKSPAN_EVENT=PostToolUse", "HOOKSPAN_FILE=/p/a.go", "KEY=secret", "PATH=/bin", "PLUGIN_ROOT=/q", "PROJECT_DIR=/p"}},
		{"only some", base, hook.Event{Name: "x", Project: "/p"}, nil, []string{"EMPTY"},
			[]string{"CLAUDE_PROJECT_DIR=/p", "EMPTY=", "GIT_OPTIONAL_LOCKS=0", "HOME=/home/dev", "HOOKSPAN_EVENT=x", "PATH=/bin", "PROJECT_DIR=/p"}},
		{"none", base, hook.Event{Name: "x"}, nil, []string{}, []string{"GIT_OPTIONAL_LOCKS=0", "HOME=/home/dev", "HOOKSPAN_EVENT=x", "PATH=/bin"}},
		{"the user's own word on locks", []string{"GIT_OPTIONAL_LOCKS=1"}, hook.Event{Name: "x"}, nil, []string{}, []string{"GIT_OPTIONAL_LOCKS=1", "HOOKSPAN_EVENT=x"}},
		{"odd entries", []string{"", "=C:=C:\\x", "NOVALUE"}, hook.Event{Name: "x"}, nil, nil, []string{"", "=C:=C:\\x", "GIT_OPTIONAL_LOCKS=0", "HOOKSPAN_EVENT=x", "NOVALUE"}},
	}
	for _, tt := range tests {
		got := Environ(tt.base, tt.ev, tt.chain, tt.allow)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestFileIsToldOnlyWhereItIsTheOnlyOne(t *testing.T) {
	tests := []struct {
		files []hook.File
		want  string
	}{
		{nil, ""},
		{[]hook.File{{Path: "a"}}, "a"},
		{[]hook.File{{Path: "a"}, {Path: "a", Op: hook.OpDelete}}, "a"},
		{[]hook.File{{Path: "a"}, {Path: "b"}}, ""},
		{[]hook.File{{Path: "a", MovedTo: "b"}}, ""},
		{[]hook.File{{Path: ""}}, ""},
	}
	for _, tt := range tests {
		env := Environ(nil, hook.Event{Tool: &hook.Tool{Files: tt.files}}, nil, nil)
		got := ""
		for _, e := range env {
			if v, ok := strings.CutPrefix(e, "HOOKSPAN_FILE="); ok {
				got = v
			}
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.files, got, tt.want)
		}
	}
}

func TestLastEntryOfAVariableCounts(t *testing.T) {
	c := Command{Env: []string{"A=1", "A=2", "AB=3", "C"}}
	for name, want := range map[string]string{"A": "2", "AB": "3", "B": "", "C": ""} {
		if got := c.lookEnv(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func FuzzChainIsReadAsWritten(f *testing.F) {
	f.Add("a", "b,c%2C%25")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == "" || strings.Contains(a+b, "\x00") {
			t.Skip()
		}
		value := joinChain([]string{a, b})
		if got := Chain(value); !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q became %q", a, b, got)
		}
	})
}

func TestChainOfNothing(t *testing.T) {
	if Chain("") != nil {
		t.Error("not nil")
	}
}
