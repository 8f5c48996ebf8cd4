package wire

import (
	"bytes"
	"unicode/utf16"
)

// Compact appends the value's text without the blanks between its tokens, so
// that it fits on one line; everything else stays verbatim.
func Compact(dst []byte, v Value) []byte {
	b := v.raw
	for i := 0; i < len(b); {
		switch {
		case isBlank(b[i]):
			i++
		case b[i] == '"':
			end := skipString(b, i)
			dst = append(dst, b[i:end]...)
			i = end
		default:
			dst = append(dst, b[i])
			i++
		}
	}
	return dst
}

// AppendWellFormed appends the value's text with each escape of a lone surrogate
// written as \ufffd, for readers that refuse such escapes (a strict decoder, a
// database). All other bytes stay.
func AppendWellFormed(dst []byte, v Value) []byte {
	b := v.raw
	for {
		i := bytes.IndexByte(b, '\\') // only strings hold backslashes
		if i < 0 || i+1 >= len(b) {
			return append(dst, b...)
		}
		n := 2
		lone := false
		if r := hex4(b[i:]); r >= 0 {
			n = 6
			lone = utf16.IsSurrogate(r)
			if lone && utf16.DecodeRune(r, hex4(b[i+6:])) != '\uFFFD' {
				n, lone = 12, false
			}
		}
		if lone {
			dst = append(dst, b[:i]...)
			dst = append(dst, `\ufffd`...)
		} else {
			dst = append(dst, b[:i+n]...)
		}
		b = b[i+n:]
	}
}
