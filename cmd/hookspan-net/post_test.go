package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/wire"
)

// The test binary is hookspan-net where this variable says so.
const asProgram = "HOOKSPAN_NET_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

func server(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(serve)
	t.Cleanup(s.Close)
	return s
}

func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// post runs the verb and returns the first line and what is behind it.
func post(t *testing.T, request string) (wire.Value, string) {
	t.Helper()
	var out, stderr bytes.Buffer
	if code := run(t.Context(), []string{"post"}, strings.NewReader(request), &out, &stderr); code != 0 || stderr.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	first, body, _ := strings.Cut(out.String(), "\n")
	v, err := wire.Parse([]byte(first))
	if err != nil {
		t.Fatalf("%q: %v", first, err)
	}
	return v, body
}

func request(url, more string) string { return `{"url":"` + url + `"` + more + `}` }

func TestPostSendsTheRequest(t *testing.T) {
	const body = `{"hook_event_name":"PreToolUse","n":1.50,"s":"\u00e4"}`
	var got string
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.URL.String() + " " + r.Host + " " + r.Header.Get("Content-Type") + " " + r.Header.Get("X-Key") + " " + string(b)
		io.WriteString(w, "{\"decision\":\"block\"}\n")
	})
	v, answer := post(t, request(s.URL+"/hook?a=b", `,"headers":{"X-Key":"k","Host":"hooks.local","Content-Type":"application/json"},"body":`+body))
	if want := "POST /hook?a=b hooks.local application/json k " + body; got != want {
		t.Errorf("request\n got %s\nwant %s", got, want)
	}
	if status, _ := v.Get("status").Int(); status != 200 || answer != "{\"decision\":\"block\"}\n" {
		t.Errorf("%s %q", v.Raw(), answer)
	}
}

func TestPostTellsTheStatus(t *testing.T) {
	for _, status := range []int{204, 201, 400, 403, 500} {
		s := server(t, answering(status, ""))
		v, body := post(t, request(s.URL, ""))
		if got, _ := v.Get("status").Int(); got != int64(status) || body != "" {
			t.Errorf("%d: %s %q", status, v.Raw(), body)
		}
	}
}

func TestPostFollowsNoRedirect(t *testing.T) {
	reached := false
	other := server(t, func(http.ResponseWriter, *http.Request) { reached = true })
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := server(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, status) })
		v, _ := post(t, request(s.URL, `,"body":{}`))
		if got, _ := v.Get("status").Int(); got != int64(status) || reached {
			t.Errorf("%d: %s, followed: %v", status, v.Raw(), reached)
		}
	}
}

func TestPostFailsInPlainWords(t *testing.T) {
	closed := server(t, answering(200, ""))
	closed.Close()
	slow := server(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	})
	dripping := server(t, func(w http.ResponseWriter, r *http.Request) {
		for range 2000 {
			if _, err := io.WriteString(w, " "); err != nil || r.Context().Err() != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	long := server(t, answering(200, strings.Repeat("x", handler.MaxAnswer+1)))
	broken := server(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		io.WriteString(w, "x")
	})
	for _, tt := range []struct{ request, want string }{
		{request(closed.URL+"/h?key=secret", ""), "/h: the connection was refused; is the server running?"},
		{request(slow.URL, `,"timeout_ms":200`), "no answer within 200ms"},
		{request(dripping.URL, `,"timeout_ms":300`), "no answer within 300ms"},
		{request(long.URL, ""), "answered with more than 1 MiB"},
		{request(broken.URL, ""), "unexpected EOF"},
		{request("http://example.com", ""), "must be https"},
		{request("https://[::1", ""), "IPv6"},
		{request("https://example.com/%zz", ""), "cannot be used"},
		{request("https://localhost:1/", `,"headers":{"A":"b\nc"}`), "invalid header field value"},
		{"", "failed to read the request"},
		{"[]", "failed to read the request"},
		{"{}", "must begin with https://"},
	} {
		start := time.Now()
		v, body := post(t, tt.request)
		if text := v.Get("error").Str(); !strings.Contains(text, tt.want) || strings.Contains(text, "secret") || body != "" {
			t.Errorf("%s: %s %q", tt.request, v.Raw(), body)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", tt.request, took)
		}
	}
}

func TestLongestAnswerArrives(t *testing.T) {
	s := server(t, answering(200, strings.Repeat("x", handler.MaxAnswer)))
	if _, body := post(t, request(s.URL, "")); len(body) != handler.MaxAnswer {
		t.Errorf("%d bytes", len(body))
	}
}

// "localhost" is a name; where it leads elsewhere, plain http stays on this machine.
func TestPlainHTTPStaysHere(t *testing.T) {
	for _, address := range []string{"192.0.2.1:80", "[2001:db8::1]:80", "10.0.0.1:80", "0.0.0.0:80"} {
		c, err := dialer(true).DialContext(t.Context(), "tcp", address)
		if !errors.Is(err, errAway) {
			t.Errorf("%s: %v, %v", address, c, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	c, err := dialer(true).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestNoProxy(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		if (poster{}).transport(scheme).Proxy != nil {
			t.Errorf("%s asks for a proxy", scheme)
		}
	}
}

func TestCertificatesCount(t *testing.T) {
	s := httptest.NewUnstartedServer(answering(200, "{}"))
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	if v, _ := post(t, request(s.URL, "")); !strings.Contains(v.Get("error").Str(), "certificate") {
		t.Errorf("an unknown certificate: %s", v.Raw())
	}
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	status, _, err := poster{tls: &tls.Config{RootCAs: pool}}.post(t.Context(), strings.NewReader(request(s.URL, "")))
	if status != 200 || err != nil {
		t.Errorf("a known certificate: %d, %v", status, err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"nothing"}, {"post", "more"}} {
		var out, stderr bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &out, &stderr); code != 2 || out.Len() > 0 || stderr.Len() == 0 {
			t.Errorf("%v: %d %q", args, code, stderr.String())
		}
	}
}

// The whole way: an event, the second program, a server, a decision.
func TestHandlerPostThroughTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "hookspan-net")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+asProgram+"=1 exec "+self+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t0k" {
			w.WriteHeader(401)
			return
		}
		io.WriteString(w, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"rule \"7\""}}`)
	})
	ev := hook.Event{Name: hook.PreToolUse}
	p := handler.Post{
		URL: s.URL, Headers: map[string]string{"Authorization": "Bearer $TOKEN"}, AllowedEnvVars: []string{"TOKEN"}, Env: []string{"TOKEN=t0k"},
		Timeout: 20 * time.Second, Body: ev.AppendJSON(nil), Program: program,
	}
	d, _, err := p.Decide(t.Context(), ev)
	if err != nil || d.Verdict != hook.Deny || d.Reason != `rule "7"` {
		t.Errorf("%+v, %v", d, err)
	}
	p.AllowedEnvVars = nil
	if d, _, err := p.Decide(t.Context(), ev); err == nil || !strings.Contains(err.Error(), "status 401") || !d.Silent() {
		t.Errorf("%+v, %v", d, err)
	}
}
