package manifest

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

const tenHandlers = `# rules of the shop
ask: deny
hooks:
  SessionStart:
    - matcher: startup|resume
      hooks: [{ command: git status --short, untrusted: true }]
  PreToolUse:
    - matcher: Bash|Read|Write|Edit
      hooks:
        - guard: protect-paths
          paths: [".env", ".env.*", "!.env.example", "secrets/**"]
          access: any
        - command: ./scripts/guard.sh
          timeout: 10
          on_failure: block
    - matcher: "mcp__.*"
      hooks:
        - command: [python3, scripts/mcp.py, --strict]
          env: [PATH, HOME]
    - matcher: Bash
      hooks:
        - command: ./scripts/push.sh
          if: Bash(git push *)
          agents: [claude, codex]
        - guard: package-manager
          use: pnpm
  PostToolUse:
    - matcher: "@edit"
      hooks:
        - command: 'gofmt -w "$HOOKSPAN_FILE"'
        - url: https://hooks.example/post
          headers: { Authorization: "Bearer $TOKEN" }
          allowedEnvVars: [TOKEN]
          each: call
  Stop:
    - hooks:
        - { command: go test ./..., gate: true, max_continues: 3, timeout: 300 }
        - { command: ./scripts/notify.sh, async: true, mode: warn, statusMessage: x }
`

func TestAnEncodedPlanIsThePlan(t *testing.T) {
	for _, in := range []string{tenHandlers, "", "hooks:\n", onPre("{ command: x, env: [] }"), matching("a.*b")} {
		p := mustParse(t, in)
		p.At("/home/dev/shop/hookspan.yaml", Project)
		got, err := DecodePlan(p.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p, got) {
			t.Errorf("%s\n got %+v\nwant %+v", in, got, p)
		}
	}
}

func TestAnEncodedPlanMatchesLikeThePlan(t *testing.T) {
	p, err := DecodePlan(mustParse(t, matching("mcp__a__.*")).Encode())
	if err != nil {
		t.Fatal(err)
	}
	m := p.Groups[0].Matcher
	if !m.Match([]string{"mcp__a__b"}, "") || m.Match([]string{"mcp__b__b"}, "") {
		t.Errorf("%+v", m)
	}
}

func TestDamagedPlansAreRefused(t *testing.T) {
	b := mustParse(t, tenHandlers).Encode()
	for i := range b {
		if _, err := DecodePlan(b[:i]); !errors.Is(err, ErrPlan) {
			t.Fatalf("cut at %d: %v", i, err)
		}
		damaged := append([]byte(nil), b...)
		damaged[i] ^= 0x20
		if _, err := DecodePlan(damaged); !errors.Is(err, ErrPlan) {
			t.Fatalf("damaged at %d: %v", i, err)
		}
	}
	if _, err := DecodePlan(append(b, 0)); !errors.Is(err, ErrPlan) {
		t.Errorf("longer: %v", err)
	}
	other := []byte(strings.Replace(string(b), "plan 1\n", "plan 2\n", 1))
	if _, err := DecodePlan(other); !errors.Is(err, ErrPlan) {
		t.Errorf("of another version: %v", err)
	}
}

func TestWordsOfAPlan(t *testing.T) {
	for got, want := range map[string]string{
		User.String(): "user", Project.String(): "project", Command.String(): "command", Guard.String(): "guard", HTTP.String(): "http",
		Allow.String(): "allow", Block.String(): "block", EachFile.String(): "file", EachCall.String(): "call",
		Enforce.String(): "enforce", Warn.String(): "warn", Type(9).String(): "?",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOptionsAreFoundByKey(t *testing.T) {
	h := handlerOf(t, "PreToolUse", `{ guard: protect-paths, paths: [a, b] }`)
	if p := h.Option("paths"); len(p) != 2 || h.Option("access") != nil {
		t.Errorf("%v %v", p, h.Option("access"))
	}
}

func BenchmarkParse(b *testing.B) {
	in := []byte(tenHandlers)
	for b.Loop() {
		if p, _ := Parse("hookspan.yaml", in, vocabulary{}); p == nil {
			b.Fatal("wrong")
		}
	}
}

func BenchmarkDecodePlan(b *testing.B) {
	in := mustParse(b, tenHandlers).Encode()
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodePlan(in); err != nil {
			b.Fatal(err)
		}
	}
}
