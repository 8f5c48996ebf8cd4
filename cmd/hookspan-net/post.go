package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/wire"
)

// defaultTimeout is for a request that names none.
const defaultTimeout = 60 * time.Second

// postVerb makes the request that stands on stdin, as JSON: url, headers, timeout_ms, body. It
// prints a line {"status": N} and the body of the answer behind it, or a line {"error": TEXT}; both
// are exit code 0. It follows no redirect and uses no proxy.
func postVerb(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintln(stderr, "hookspan-net post takes its request on stdin and no arguments")
		return 2
	}
	status, body, err := poster{}.post(ctx, stdin)
	var o wire.ObjectWriter
	if err != nil {
		o.Str("error", err.Error())
		body = nil
	} else {
		o.Int("status", int64(status))
	}
	if _, err := stdout.Write(append(append(o.Bytes(), '\n'), body...)); err != nil {
		return 1
	}
	return 0
}

// limits are wider than those of a handler's input, which the request wraps.
var limits = wire.Limits{Bytes: 256 << 20, Depth: 2 * wire.DefaultDepth}

// poster makes one request.
type poster struct {
	tls *tls.Config // of tests; nil = the system's certificates
}

func (p poster) post(ctx context.Context, stdin io.Reader) (status int, body []byte, err error) {
	in, _, err := wire.Read(ctx, stdin, limits)
	if err != nil {
		return 0, nil, fmt.Errorf("failed to read the request: %w", err)
	}
	target := in.Get("url").Str()
	if err := handler.CheckURL(target); err != nil {
		return 0, nil, err
	}
	timeout := defaultTimeout
	if ms, ok := in.Get("timeout_ms").Int(); ok && ms > 0 {
		timeout = time.Duration(ms) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(in.Get("body").Raw()))
	if err != nil {
		return 0, nil, fmt.Errorf("the URL %q cannot be used", target)
	}
	setHeaders(req, in.Get("headers"))
	status, body, err = p.do(req)
	if err != nil {
		return 0, nil, plain(req, timeout, err)
	}
	return status, body, nil
}

func setHeaders(req *http.Request, headers wire.Value) {
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "hookspan")
	for name, value := range headers.Members() {
		if strings.EqualFold(name, "Host") {
			req.Host = value.Str()
			continue
		}
		req.Header.Set(name, value.Str())
	}
}

// transport uses no proxy: a variable of a repository could name one.
func (p poster) transport(scheme string) *http.Transport {
	return &http.Transport{
		DialContext:       dialer(scheme == "http").DialContext,
		TLSClientConfig:   p.tls,
		DisableKeepAlives: true,
	}
}

func (p poster) do(req *http.Request) (int, []byte, error) {
	client := &http.Client{
		Transport:     p.transport(req.URL.Scheme),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, handler.MaxAnswer+1))
	if err != nil {
		return 0, nil, err
	}
	if len(body) > handler.MaxAnswer {
		return 0, nil, errTooLong
	}
	return res.StatusCode, body, nil
}

var (
	errTooLong = fmt.Errorf("the server answered with more than %d MiB", handler.MaxAnswer>>20)
	errAway    = errors.New("http is for this machine alone, and the name leads to another one")
)

// dialer opens connections. For http it looks at the address that a name led to: "localhost" is
// only a name.
func dialer(loopbackOnly bool) *net.Dialer {
	d := &net.Dialer{}
	if loopbackOnly {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			host, _, err := net.SplitHostPort(address)
			if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
				return errAway
			}
			return nil
		}
	}
	return d
}

// plain says in plain words what went wrong. It keeps the query of a URL out of the text: keys are
// put there.
func plain(req *http.Request, timeout time.Duration, err error) error {
	where := req.URL.Scheme + "://" + req.URL.Host + req.URL.Path
	switch {
	case errors.Is(err, errTooLong), errors.Is(err, errAway):
		return fmt.Errorf("failed to post to %s: %w", where, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("failed to post to %s: no answer within %s", where, timeout)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("failed to post to %s: the connection was refused; is the server running?", where)
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return fmt.Errorf("failed to post to %s: %w", where, err)
}
