package wire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// What unescape makes of an escape like \ud800 that has no partner.
const (
	replaceSurrogates = false // U+FFFD: the result is valid UTF-8
	keepSurrogates    = true  // three bytes, not UTF-8 (WTF-8): different escapes stay different
)

const hexDigits = "0123456789abcdef"

func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// hex4 reads the four digits of \uXXXX; b begins with the backslash. It returns
// -1 if there is no such escape.
func hex4(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range b[2:6] {
		v := hexValue(c)
		if v < 0 {
			return -1
		}
		r = r<<4 | rune(v)
	}
	return r
}

// decodeString decodes what stands between the quotes of a valid JSON string.
func decodeString(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	return string(unescape(make([]byte, 0, len(raw)), raw, replaceSurrogates))
}

// unescape appends the decoded text of a valid JSON string without its quotes.
func unescape(dst, raw []byte, surrogates bool) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 || i+1 >= len(raw) {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i:]
		if raw[1] == 'u' {
			var n int
			dst, n = unescapeHex(dst, raw, surrogates)
			raw = raw[n:]
			continue
		}
		dst = append(dst, plainEscape(raw[1]))
		raw = raw[2:]
	}
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unescapeHex decodes the \uXXXX, or the pair of them, at the start of raw and
// returns how many bytes it took.
func unescapeHex(dst, raw []byte, surrogates bool) ([]byte, int) {
	r := hex4(raw)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), min(6, len(raw))
	}
	if pair := utf16.DecodeRune(r, hex4(raw[6:])); pair != utf8.RuneError {
		return utf8.AppendRune(dst, pair), 12
	}
	if surrogates {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF), 6
	}
	return utf8.AppendRune(dst, utf8.RuneError), 6
}

// AppendString appends s as a JSON string: valid UTF-8 (what is not becomes
// U+FFFD), control characters escaped, and nothing else that JSON does not ask
// for, so < > & stay readable.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[from:i]...)
			dst = appendEscape(dst, c)
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[from:i]...)
			dst = utf8.AppendRune(dst, utf8.RuneError)
			from = i + 1
		}
		i += n
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
