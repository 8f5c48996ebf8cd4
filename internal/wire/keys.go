package wire

import (
	"math/bits"
	"math/rand/v2"
)

// keyRef is a key in the scanner's text: offsets of what stands between the
// quotes. Offsets fit because Limits.Bytes is at most maxBytes.
type keyRef struct {
	start, end uint32
	hash       uint32 // of the decoded key
	escaped    bool
}

// keys holds the keys of all open objects, the innermost last.
type keys struct {
	refs         []keyRef
	seed         uint64 // secret, so that no payload can aim at collisions; 0 = not drawn yet
	mine, theirs []byte // scratch for decoded keys
}

// keySet is one object's part of keys.
type keySet struct {
	first int      // index of its first key in refs
	table []uint32 // open addressing: index in refs + 1, 0 is free; nil while the object is small
}

// linearKeys is how many keys an object may have before it gets a table. Below,
// comparing hashes one by one is faster and needs no memory.
const linearKeys = 32

func (k *keys) open() keySet { return keySet{first: len(k.refs)} }

func (k *keys) close(set keySet) { k.refs = k.refs[:set.first] }

// add reports false if the set already has the key.
func (k *keys) add(text []byte, set *keySet, ref keyRef) bool {
	if k.seed == 0 {
		k.seed = rand.Uint64() | 1
	}
	key := decoded(&k.mine, text, ref)
	ref.hash = hash(k.seed, key)
	if set.table == nil {
		return k.addLinear(text, set, ref, key)
	}
	if 2*(len(k.refs)-set.first+1) > len(set.table) {
		k.grow(set, 2*len(set.table))
	}
	slot := k.find(text, set, ref, key)
	if set.table[slot] != 0 {
		return false
	}
	k.refs = append(k.refs, ref)
	set.table[slot] = uint32(len(k.refs))
	return true
}

func (k *keys) addLinear(text []byte, set *keySet, ref keyRef, key []byte) bool {
	for _, old := range k.refs[set.first:] {
		if old.hash == ref.hash && k.same(text, old, key) {
			return false
		}
	}
	k.refs = append(k.refs, ref)
	if len(k.refs)-set.first > linearKeys {
		k.grow(set, 4*linearKeys)
	}
	return true
}

// find returns the slot that holds the key, or the free one where it belongs.
func (k *keys) find(text []byte, set *keySet, ref keyRef, key []byte) uint32 {
	mask := uint32(len(set.table) - 1)
	for slot := ref.hash & mask; ; slot = (slot + 1) & mask {
		at := set.table[slot]
		if at == 0 {
			return slot
		}
		if old := k.refs[at-1]; old.hash == ref.hash && k.same(text, old, key) {
			return slot
		}
	}
}

// grow makes the table size slots, a power of two, big.
func (k *keys) grow(set *keySet, size int) {
	set.table = make([]uint32, size)
	mask := uint32(size - 1)
	for i := set.first; i < len(k.refs); i++ {
		slot := k.refs[i].hash & mask
		for set.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		set.table[slot] = uint32(i + 1)
	}
}

func (k *keys) same(text []byte, old keyRef, key []byte) bool {
	return string(decoded(&k.theirs, text, old)) == string(key)
}

// decoded returns the key without escapes; lone surrogates stay different from
// each other, so that only keys which are equal to every parser are duplicates.
func decoded(scratch *[]byte, text []byte, ref keyRef) []byte {
	raw := text[ref.start:ref.end]
	if !ref.escaped {
		return raw
	}
	*scratch = unescape((*scratch)[:0], raw, keepSurrogates)
	return *scratch
}

// hash folds eight bytes at a time with a 128-bit product.
func hash(seed uint64, b []byte) uint32 {
	h := seed ^ uint64(len(b))
	for len(b) >= 8 {
		h = fold(h^load(b[:8]), seed)
		b = b[8:]
	}
	h = fold(h^load(b), seed)
	h = fold(h, 0x9e3779b97f4a7c15)
	return uint32(h ^ h>>32)
}

func load(b []byte) uint64 {
	var x uint64
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
