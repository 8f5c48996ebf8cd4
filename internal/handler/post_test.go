//go:build unix

package handler

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

func TestCheckURL(t *testing.T) {
	for _, good := range []string{
		"https://example.com", "https://example.com/hook?key=1#x", "HTTPS://Example.COM:8443/a%20b", "https://10.0.0.1/", "https://[2001:db8::1]:443/x",
		"http://localhost:8080/hook", "http://LOCALHOST/", "http://127.0.0.1:1", "http://127.9.0.255/x", "http://[::1]/x", "http://[::1]:80",
		"https://my_host.internal/a@b", "https://example.com/http://x",
	} {
		if err := CheckURL(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"":                              "must begin with https://",
		"example.com":                   "must begin with https://",
		"ftp://example.com":             "must begin with https://",
		"file:///etc/passwd":            "must begin with https://",
		"http://example.com/":           "must be https",
		"http://127.0.0.1.example.com/": "must be https",
		"http://127.1/":                 "must be https",
		"http://127.0.0.256/":           "must be https",
		"http://127.0.0.01/":            "must be https",
		"http://0.0.0.0/":               "must be https",
		"http://[::2]/":                 "must be https",
		"http://localhost.evil.com/":    "must be https",
		"http://localhost./":            "must be https",
		"http://user@localhost/":        "user name",
		"https://user:pw@example.com/":  "user name",
		"http://127.0.0.1@example.com/": "user name",
		"https://example.com\\@x/":      "%5C",
		"https://exa mple.com/":         "%20",
		"https://example.com/\n":        "%0A",
		"https://exämple.com/":          "%C3",
		"https:///x":                    "names no host",
		"https://:443/x":                "names no host",
		"https://example.com:0/":        "port",
		"https://example.com:99999/":    "port",
		"https://example.com:/":         "port",
		"https://example.com:+80/":      "port",
		"https://[::1/":                 "IPv6",
		"https://[example.com]/":        "IPv6",
		"https://[]/":                   "IPv6",
		"https://[::1]x/":               "behind its brackets",
		"https://a%2Fb/":                "unusual",
		"https://::1/":                  "names no host",
	} {
		if err := CheckURL(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", bad, err, want)
		}
	}
}

// What passes the check is understood the same way by the library that will open the connection.
func FuzzCheckURLAgreesWithNetURL(f *testing.F) {
	for _, s := range []string{"https://example.com/x", "http://localhost:1/", "http://[::1]:80/x?y#z", "http://127.0.0.1", "https://a:b@c", "https://[::1%25a]/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if CheckURL(s) != nil {
			return
		}
		u, err := url.Parse(s)
		if err != nil {
			if strings.Contains(err.Error(), "invalid URL escape") || strings.Contains(s, "[") {
				return // refused later, by the second program
			}
			t.Fatalf("%q: %v", s, err)
		}
		if u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Hostname() == "" {
			t.Errorf("%q: %+v", s, u)
		}
		ip := net.ParseIP(u.Hostname())
		if u.Scheme == "http" && !strings.EqualFold(u.Hostname(), "localhost") && (ip == nil || !ip.IsLoopback()) {
			t.Errorf("%q leads to %q without https", s, u.Hostname())
		}
	})
}

// netScript is a hookspan-net that notes what it gets, and says what it is told.
func netScript(t *testing.T, says string) (program, dir string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	program = filepath.Join(dir, "hookspan-net")
	script := "#!/bin/sh\n" + fakeVar + "='net:" + dir + "|" + says + "' exec " + self + " \"$@\"\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return program, dir
}

func TestPostHandsTheRequestOver(t *testing.T) {
	program, dir := netScript(t, `{"status":200}
{"decision":"block","reason":"no"}`)
	p := Post{
		URL:            "https://example.com/hook",
		Headers:        map[string]string{"Authorization": "Bearer $TOKEN", "X-Both": "${TOKEN}-$OTHER-$ $1 ${", "A": "plain"},
		AllowedEnvVars: []string{"TOKEN", "UNSET"},
		Timeout:        10 * time.Second,
		Body:           []byte(`{"hook_event_name":"PreToolUse","n":1.0}`),
		Env:            []string{"TOKEN=t0k", "OTHER=secret", "PATH=" + os.Getenv("PATH"), "HTTPS_PROXY=http://proxy:1"},
		Program:        program,
	}
	d, _, err := p.Decide(t.Context(), gate)
	if err != nil || d.Verdict != hook.Deny || d.Reason != "no" {
		t.Errorf("%+v, %v", d, err)
	}
	got, _ := os.ReadFile(dir + "/request")
	want := `{"url":"https://example.com/hook","headers":{"A":"plain","Authorization":"Bearer t0k","X-Both":"t0k--$ $1 ${"},` +
		`"timeout_ms":9600,"body":{"hook_event_name":"PreToolUse","n":1.0}}`
	if string(got) != want {
		t.Errorf("request\n got %s\nwant %s", got, want)
	}
	env, _ := os.ReadFile(dir + "/env")
	for _, hidden := range []string{"TOKEN=", "OTHER=", "PROXY"} {
		if strings.Contains(string(env), hidden) {
			t.Errorf("hookspan-net got %s: %s", hidden, env)
		}
	}
}

func TestPostReadsAnswers(t *testing.T) {
	tests := []struct {
		says string
		want hook.Verdict
		err  string
	}{
		{`{"status":200}`, hook.NoOpinion, ""},
		{"{\"status\":204}\n", hook.NoOpinion, ""},
		{"{\"status\":200}\n" + `{"decision":"block"}`, hook.Deny, ""},
		{"{\"status\":201}\n\ufeff " + `{"decision":"block"}`, hook.Deny, ""},
		{"{\"status\":200}\nok", hook.NoOpinion, "not a JSON object"},
		{"{\"status\":200}\n[1]", hook.NoOpinion, "not a JSON object"},
		{"{\"status\":200}\n{bad", hook.NoOpinion, "not one JSON object"},
		{"{\"status\":200}\n" + `{"decision":"deny"}`, hook.NoOpinion, "not valid"},
		{"{\"status\":403}\n" + `{"decision":"block"}`, hook.NoOpinion, "status 403"},
		{"{\"status\":302}\n", hook.NoOpinion, "redirects are not followed"},
		{"{\"status\":0}\n", hook.NoOpinion, "status 0"},
		{`{"error":"the connection was refused"}`, hook.NoOpinion, "the connection was refused"},
		{"", hook.NoOpinion, "hookspan-net gave no answer"},
		{"rubbish", hook.NoOpinion, "hookspan-net gave no answer"},
	}
	for _, tt := range tests {
		program, _ := netScript(t, tt.says)
		p := Post{URL: "https://example.com", Timeout: 10 * time.Second, Program: program}
		d, _, err := p.Decide(t.Context(), gate)
		if d.Verdict != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %+v, %v", tt.says, d, err)
		}
	}
}

func TestPostTellsTheTimeThatIsLeft(t *testing.T) {
	program, dir := netScript(t, `{"status":204}`)
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	for _, timeout := range []time.Duration{0, time.Minute} {
		if _, _, err := (Post{URL: "https://example.com", Timeout: timeout, Program: program}).Decide(ctx, gate); err != nil {
			t.Error(err)
		}
		request, _ := os.ReadFile(dir + "/request")
		v, err := wire.Parse(request)
		if ms, _ := v.Get("timeout_ms").Int(); err != nil || ms <= 0 || ms >= 8000 {
			t.Errorf("%s, %v", request, err)
		}
	}
}

// Text that a server sends at the start of a session is not taken as context: only a program's is.
func TestPostTakesNoText(t *testing.T) {
	program, _ := netScript(t, "{\"status\":200}\n<html>")
	p := Post{URL: "https://example.com", Timeout: 10 * time.Second, Program: program}
	if d, _, err := p.Decide(t.Context(), hook.Event{Name: hook.SessionStart}); err == nil || !d.Silent() {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestPostThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	crash := filepath.Join(dir, "crash")
	if err := os.WriteFile(crash, []byte("#!/bin/sh\necho panic >&2\nexit 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	slow := filepath.Join(dir, "slow")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		p    Post
		want string
	}{
		{Post{URL: "http://example.com"}, "must be https"},
		{Post{URL: "https://example.com"}, "hookspan-net does not exist: http handlers need it"},
		{Post{URL: "https://example.com", Program: dir + "/gone"}, "gone does not exist"},
		{Post{URL: "https://example.com", Program: crash}, "hookspan-net failed: exit code 2: panic"},
		{Post{URL: "https://example.com", Program: slow, Timeout: 300 * time.Millisecond}, "did not end within"},
		{Post{URL: "https://example.com", Program: crash, Headers: map[string]string{"X": "$A"}, AllowedEnvVars: []string{"A"}, Env: []string{"A=1\nB: 2"}}, "line break"},
	}
	for _, tt := range tests {
		d, out, err := tt.p.Decide(t.Context(), gate)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !d.Silent() {
			t.Errorf("%+v: %+v, %v", tt.p, d, err)
		}
		if out.Exit == 0 && out.StartErr == nil && !out.TimedOut {
			t.Errorf("%+v: %+v looks like a success", tt.p, out)
		}
	}
}
