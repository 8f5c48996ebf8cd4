package redact

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/internal/wire"
)

// pieces of texts that a fuzzer does not find by itself.
var pieces = []string{"password", "token=", "\"", "'", "\\", "\\\"", ": ", "=", "\n", " ", "--", "-p", "mysql ", "curl -u ", "://", "@", "u:", "/", "[masked]", "[", "]",
	"-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "-----BEGIN X-----", "-----", "Bearer ", "Authorization: ", "Cookie: ", "ghp_a1B2c3D4e5F6g7H8i9J0k1L2", "AKIAIOSFODNN7EXAMPLE",
	"eyJhbGciOiJI", ".", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", "name: TOKEN", "value: ", "{", "}", ",", "<password>", "|", ">", "- ", "  ", "$", "${X}", "$(", "login ", "set ", "_auth=",
	"key=", "tokens: ", "1", "x", "pass:", "é", "\xff", "\r\n", ";", "&", "?", "#1", "x.y_KEY=", "hooks.slack.com/services/", "123456789:AA"}

func collage(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(14) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func lawText(t *testing.T, s string) {
	t.Helper()
	once := Text(s)
	if twice := Text(once); twice != once {
		t.Fatalf("masking twice is not masking once:\n%q\n%q\n%q", s, once, twice)
	}
}

func lawJSON(t *testing.T, raw []byte) {
	t.Helper()
	before, err := wire.Parse(raw)
	if err != nil {
		return
	}
	once := JSON(raw)
	after, err := wire.Parse(once)
	if err != nil {
		t.Fatalf("not JSON any more: %v\n%q\n%q", err, raw, once)
	}
	if twice := JSON(once); !bytes.Equal(once, twice) {
		t.Fatalf("masking twice is not masking once:\n%q\n%q\n%q", raw, once, twice)
	}
	if a, b := skeleton(before), skeleton(after); a != b {
		t.Fatalf("another shape:\n%q %s\n%q %s", raw, a, once, b)
	}
}

// skeleton is a document without keys and scalars.
func skeleton(v wire.Value) string {
	var b strings.Builder
	switch v.Kind() {
	case wire.Object:
		b.WriteByte('{')
		for _, m := range v.Members() {
			b.WriteString(skeleton(m) + ",")
		}
		b.WriteByte('}')
	case wire.Array:
		b.WriteByte('[')
		for e := range v.Elems() {
			b.WriteString(skeleton(e) + ",")
		}
		b.WriteByte(']')
	default:
		b.WriteByte('x')
	}
	return b.String()
}

// lawSecret: a secret under a name is masked, whatever stands around.
func lawSecret(t *testing.T, before, secret, after string) {
	t.Helper()
	secret = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune("\"'`\\", r) {
			return -1
		}
		return r
	}, secret)
	reference := strings.TrimLeft(secret, ">=:~") // which may belong to the separator
	if len(secret) < 6 || isLiteral(reference) || isReference(reference) || strings.HasPrefix(reference, "$(") ||
		strings.Contains(Mask, secret) || strings.Contains(before+after, secret) {
		return
	}
	for _, place := range []string{" password=§ ", " --api-key §\n", "\n{\"client_secret\": \"§\"}", "\nAuthorization: Bearer §\n"} {
		if secret[0] == '-' && strings.Contains(place, "--") {
			continue
		}
		s := before + strings.Replace(place, "§", secret, 1) + after
		if got := Text(s); strings.Contains(got, secret) {
			t.Fatalf("%q is still in\n%q\nof\n%q", secret, got, s)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, p := range pieces {
		f.Add(p + "x " + p)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lawText(t, s)
		lawJSON(t, []byte(s))
		lawJSON(t, []byte(`{"a":`+string(wire.AppendString(nil, s))+`,"token":`+string(wire.AppendString(nil, s))+`}`))
	})
}

func FuzzSecret(f *testing.F) {
	f.Add("a", "hunter2", "b")
	f.Add("token='", "hunter2(x", "'")
	f.Fuzz(lawSecret)
}

func TestLawsHoldForCollages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := collage(r)
		lawText(t, s)
		quoted := string(wire.AppendString(nil, s))
		lawJSON(t, []byte(`{"a":[`+quoted+`],`+quoted+`:{"x":`+quoted+`}}`))
	}
	for range 8_000 {
		lawSecret(t, collage(r), "S"+strings.ReplaceAll(collage(r), " ", "")+"ecreT", collage(r))
	}
}

// The time grows with the length only: each text is full of beginnings that have no end.
func TestTimeIsLinear(t *testing.T) {
	for _, p := range []string{"eyJ-", "sk-", "token=\"x", "token=", "token={{ ", "://", "://u:p", "a/", "a_key=", "-----BEGIN X-----", "-----BEGIN RSA PRIVATE KEY-----",
		"mysql -p$(", "curl -u ", "password\\", "\"token\"", "cookie: {{", "Bearer ", "x", "a1", "login password ", "name: TOKEN\nvalue", "tokens=1", "token: |\n", "token:\n- ", "[masked]", "AKIA", "'", "token='", "x-", "token: $X", "\"password\":[1,"} {
		s := strings.Repeat(p, 1<<18/len(p))
		start := time.Now()
		Text(s)
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("256 KiB of %q took %v", p, took)
		}
	}
}

func BenchmarkTextOfACommand(b *testing.B) {
	s := "cd /home/dev/shop && go test ./... -run 'TestTotal' -count=1 2>&1 | tail -20 # the reason why it fails: the token is wrong"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Text(s)
	}
}

func BenchmarkJSONOfAPayload(b *testing.B) {
	raw := []byte(`{"session_id":"7f2c0000-0000-4000-8000-000000000001","transcript_path":"/home/dev/.claude/projects/-home-dev-shop/7f2c.jsonl","cwd":"/home/dev/shop","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /home/dev/shop","description":"Remove the folder"},"tool_use_id":"toolu_field01"}`)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		JSON(raw)
	}
}
