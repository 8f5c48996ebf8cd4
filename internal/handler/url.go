package handler

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// CheckURL says whether an http handler may be sent to a URL: https to any host, or http to this
// machine (localhost, 127.x.x.x, [::1]). User names and passwords in a URL are refused, and so is
// everything that two readers could understand differently.
//
// It is written by hand, since net/url and what it brings would be paid for at each start of every
// hook; the second program checks again what it connects to.
func CheckURL(raw string) error {
	for i := 0; i < len(raw); i++ {
		if raw[i] <= ' ' || raw[i] >= 0x7f || raw[i] == '\\' {
			return fmt.Errorf("the URL %q has a character that must be written as %%%02X", raw, raw[i])
		}
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	secure := strings.EqualFold(scheme, "https")
	if !ok || !secure && !strings.EqualFold(scheme, "http") {
		return fmt.Errorf("the URL %q must begin with https:// (or http:// for this machine)", raw)
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	host, err := hostOf(rest)
	if err != nil {
		return fmt.Errorf("the URL %q %w", raw, err)
	}
	if !secure && !loopback(host) {
		return fmt.Errorf("the URL %q must be https: http is for this machine alone (localhost, 127.0.0.1, [::1])", raw)
	}
	return nil
}

// hostOf takes the port off an authority and checks both.
func hostOf(authority string) (host string, err error) {
	if strings.Contains(authority, "@") {
		return "", errors.New("must not hold a user name or password; use headers and allowedEnvVars")
	}
	host, port := authority, ""
	if inner, ok := strings.CutPrefix(authority, "["); ok {
		var after string
		host, after, ok = strings.Cut(inner, "]")
		if !ok || strings.Trim(host, "0123456789abcdefABCDEF:.") != "" || !strings.Contains(host, ":") {
			return "", errors.New("has no valid IPv6 address in its brackets")
		}
		if after != "" && after[0] != ':' {
			return "", errors.New("has text behind its brackets")
		}
		port = after
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		host, port = authority[:i], authority[i:]
	}
	if host == "" {
		return "", errors.New("names no host")
	}
	if port != "" && !validPort(port[1:]) {
		return "", errors.New("has no valid port")
	}
	if authority[0] != '[' && strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789.-_") != "" {
		return "", errors.New("has a host name with unusual characters")
	}
	return host, nil
}

func validPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

// loopback reports whether a host is this machine, by name or by address.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") || host == "::1" {
		return true
	}
	parts := strings.Split(host, ".")
	if len(parts) != 4 || parts[0] != "127" {
		return false
	}
	for _, part := range parts {
		if n, err := strconv.ParseUint(part, 10, 8); err != nil || strconv.FormatUint(n, 10) != part {
			return false
		}
	}
	return true
}
