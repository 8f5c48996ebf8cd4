package wire

import (
	"unicode/utf16"
	"unicode/utf8"
)

// bom is U+FEFF in UTF-8.
const bom = "\xEF\xBB\xBF"

// form is how an input writes characters.
type form uint8

const (
	formUnknown form = iota
	formUTF8
	formUTF16LE
	formUTF16BE
)

// decoder turns an input that arrives in pieces into valid UTF-8. Byte order
// marks stay in the text, as U+FEFF.
type decoder struct {
	form  form
	held  []byte // the beginning of a character whose rest has not arrived
	fixes []int  // where in the text the last call put U+FFFD for something broken
}

// decode appends what chunk adds to text. last says that no more comes.
func (d *decoder) decode(text, chunk []byte, last bool) []byte {
	d.fixes = d.fixes[:0]
	src := chunk
	if len(d.held) > 0 {
		d.held = append(d.held, chunk...)
		src = d.held
	}
	if d.form == formUnknown {
		if len(src) < 2 && !last {
			d.held = append(d.held[:0], src...)
			return text
		}
		d.form = detect(src)
	}
	if d.form == formUTF8 {
		text, src = d.fromUTF8(text, src, last)
	} else {
		text, src = d.fromUTF16(text, src, last)
	}
	d.held = append(d.held[:0], src...)
	return text
}

// detect relies on the first character of JSON being ASCII: in UTF-16 it, or the
// byte order mark, shows in the first two bytes (RFC 4627, section 3).
func detect(b []byte) form {
	switch {
	case len(b) < 2:
		return formUTF8
	case b[0] == 0xFF && b[1] == 0xFE, b[0] != 0 && b[1] == 0:
		return formUTF16LE
	case b[0] == 0xFE && b[1] == 0xFF, b[0] == 0 && b[1] != 0:
		return formUTF16BE
	}
	return formUTF8
}

// fromUTF8 returns the text and what is left of src: a character cut in two.
func (d *decoder) fromUTF8(text, src []byte, last bool) (out, rest []byte) {
	if utf8.Valid(src) {
		return append(text, src...), nil
	}
	from := 0
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r != utf8.RuneError || n > 1 {
			i += n
			continue
		}
		text = append(text, src[from:i]...)
		if !last && !utf8.FullRune(src[i:]) {
			return text, src[i:]
		}
		text = d.fix(text)
		i += brokenLen(src[i:])
		from = i
	}
	return append(text, src[from:]...), nil
}

// brokenLen returns how many bytes one U+FFFD stands for: the longest beginning
// of a character, as Node and Python count (Unicode 3.9, "maximal subparts").
func brokenLen(b []byte) int {
	n := 1
	for n < len(b) && !utf8.FullRune(b[:n]) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return n
}

// fromUTF16 returns the text and what is left of src: half a code unit, or a
// high surrogate whose partner has not arrived.
func (d *decoder) fromUTF16(text, src []byte, last bool) (out, rest []byte) {
	for len(src) >= 2 {
		r := d.unit(src)
		if !utf16.IsSurrogate(r) {
			text = utf8.AppendRune(text, r)
			src = src[2:]
			continue
		}
		if r < 0xDC00 && len(src) < 4 && !last {
			return text, src
		}
		pair := rune(utf8.RuneError)
		if len(src) >= 4 {
			pair = utf16.DecodeRune(r, d.unit(src[2:]))
		}
		if pair == utf8.RuneError {
			text = d.fix(text)
			src = src[2:]
			continue
		}
		text = utf8.AppendRune(text, pair)
		src = src[4:]
	}
	if last && len(src) > 0 {
		return d.fix(text), nil
	}
	return text, src
}

func (d *decoder) unit(b []byte) rune {
	if d.form == formUTF16LE {
		return rune(b[0]) | rune(b[1])<<8
	}
	return rune(b[0])<<8 | rune(b[1])
}

func (d *decoder) fix(text []byte) []byte {
	d.fixes = append(d.fixes, len(text))
	return utf8.AppendRune(text, utf8.RuneError)
}
