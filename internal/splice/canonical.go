package splice

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// canonical appends the one JSON text that all equal values share: keys sorted (duplicates in their order), no blanks,
// strings with the fewest escapes, numbers without needless digits.
func (n *node) canonical(dst []byte) []byte {
	switch n.kind {
	case String, Moment:
		return appendQuoted(dst, n.str)
	case Number:
		return append(dst, plainNumber(n.str)...)
	case Array:
		dst = append(dst, '[')
		for i, k := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = k.canonical(dst)
		}
		return append(dst, ']')
	case Object:
		kids := slices.Clone(n.kids)
		slices.SortStableFunc(kids, func(a, b *node) int { return strings.Compare(a.name, b.name) })
		dst = append(dst, '{')
		for i, k := range kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = k.canonical(append(appendQuoted(dst, k.name), ':'))
		}
		return append(dst, '}')
	}
	return append(dst, n.str...)
}

// appendQuoted appends a JSON string. Lone surrogates come back as escapes.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1 && i+2 < len(s) && s[i] == 0xed && s[i+1]&0xe0 == 0xa0 && s[i+2]&0xc0 == 0x80:
			dst = append(dst, `\u`+hex4(rune(s[i]&0xf)<<12|rune(s[i+1]&0x3f)<<6|rune(s[i+2]&0x3f))...)
			n = 3
		case r == utf8.RuneError && n == 1:
			dst = utf8.AppendRune(dst, r)
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			if at := strings.IndexRune("\b\f\n\r\t", r); at >= 0 {
				dst = append(dst, '\\', "bfnrt"[at])
			} else {
				dst = append(dst, `\u`+hex4(r)...)
			}
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return append(dst, '"')
}

// plainNumber rewrites a JSON or TOML number so that equal numbers are equal texts: 60, 60.0, 6e1 and 0x3c are all 60.
// What is no finite number stays as it is.
func plainNumber(s string) string {
	t := strings.TrimPrefix(strings.ReplaceAll(s, "_", ""), "+")
	if len(t) > 2 && t[0] == '0' && strings.IndexByte("xob", t[1]) >= 0 {
		if i, err := strconv.ParseInt(t, 0, 64); err == nil { // TOML's whole numbers have 64 bits
			return strconv.FormatInt(i, 10)
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(t), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil || shift > 1<<30 || shift < -1<<30 {
			return s
		}
	}
	if strings.Trim(whole+fraction, "0123456789") != "" || whole == "" {
		return s // inf, nan
	}
	shift -= len(fraction)
	digits := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	shift += len(digits) - len(short)
	switch {
	case short == "":
		return "0"
	case shift >= 0 && shift <= 20:
		short += strings.Repeat("0", shift)
	case shift != 0:
		short += "e" + strconv.Itoa(shift)
	}
	if negative {
		return "-" + short
	}
	return short
}
