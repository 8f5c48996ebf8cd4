package sha256

import (
	"bytes"
	std "crypto/sha256"
	"testing"
)

func TestItGivesWhatTheStandardGives(t *testing.T) {
	b := bytes.Repeat([]byte("hookspan "), 60)
	for n := range b {
		if got, want := Sum256(b[:n]), std.Sum256(b[:n]); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func FuzzItGivesWhatTheStandardGives(f *testing.F) {
	f.Add([]byte("abc"), 1)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		cut = max(0, min(cut, len(b)))
		h := New()
		h.Write(b[:cut])
		middle := h.Sum(nil)
		h.Write(b[cut:])
		want, half := std.Sum256(b), std.Sum256(b[:cut])
		if !bytes.Equal(h.Sum(nil), want[:]) || !bytes.Equal(middle, half[:]) {
			t.Fatalf("%d bytes, cut at %d", len(b), cut)
		}
	})
}
