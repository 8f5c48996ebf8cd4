package splice

import "testing"

func FuzzUndoIsIdentity(f *testing.F) {
	seeds(f, func(path string, text []byte) {
		for i := range formats {
			f.Add(text, uint8(i), "hooks")
		}
	})
	f.Fuzz(func(t *testing.T, text []byte, format uint8, key string) {
		checkUndo(t, text, formats[int(format)%len(formats)], key)
		checkLate(t, text, formats[int(format)%len(formats)])
		checkBeside(t, text, formats[int(format)%len(formats)])
	})
}

func FuzzEditKeepsForeignBytes(f *testing.F) {
	seeds(f, func(path string, text []byte) {
		for i := range formats {
			f.Add(text, uint8(i), uint(7), true)
			f.Add(text, uint8(i), uint(3), false)
		}
	})
	f.Fuzz(func(t *testing.T, text []byte, format uint8, n uint, remove bool) {
		checkEdit(t, text, formats[int(format)%len(formats)], n, remove)
	})
}

func FuzzParseNeverPanics(f *testing.F) {
	seeds(f, func(path string, text []byte) {
		for i := range formats {
			f.Add(text, uint8(i))
		}
	})
	f.Fuzz(func(t *testing.T, text []byte, format uint8) {
		d, err := Parse("f.x", text, formats[int(format)%len(formats)])
		if err != nil {
			tame(t, err)
			return
		}
		d.root.check(t, text)
	})
}

// check holds a tree to the text: spans lie in their parents, in order.
func (n *node) check(t *testing.T, text []byte) {
	if n == nil {
		return
	}
	if n.start < 0 || n.end < n.start || n.end > len(text) || len(n.ends) > len(n.items) {
		t.Fatalf("bad span %v", n.span)
	}
	at := n.start
	for i, item := range n.items {
		if item.start <= at || item.end > n.end {
			t.Fatalf("bad item %v in %v", item, n.span)
		}
		if at = item.end; i < len(n.ends) {
			if n.ends[i] < at || text[n.ends[i]] != ',' {
				t.Fatalf("bad comma at %d", n.ends[i])
			}
			at = n.ends[i]
		}
	}
	for _, k := range n.kids {
		k.check(t, text)
	}
}
