package run

import (
	"encoding/hex"
	"math/rand/v2"

	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/sha256"
)

// A repository can set variables of the user's own hook (Claude Code 2.1.332 hands on the `env` of
// an untrusted project's settings). HOOKSPAN_CHAIN keeps a handler from running inside itself, so it
// could switch a user's program off: the chain is signed with a key that only our state folder holds.
// A chain without a good signature is no chain.

const (
	chainVariable = "HOOKSPAN_CHAIN"
	keyFolder     = "keys"
	keyName       = "chain"
)

// chainOf reads the handlers that we run inside.
func chainOf(env func(string) string, s *store) []string {
	chain := handler.Chain(env(chainVariable))
	if len(chain) < 2 {
		return nil
	}
	key, have := s.Unseal(keyFolder, keyName)
	if !have || chain[0] != signature(key, chain[1:]) {
		return nil
	}
	return chain[1:]
}

// chainWith returns the chain for a handler's program, with its signature in front.
func chainWith(chain []string, name string, s *store) []string {
	names := append(append([]string(nil), chain...), name)
	key, have := s.Unseal(keyFolder, keyName)
	if !have {
		key = make([]byte, 32)
		for i := range key {
			key[i] = byte(rand.Uint32()) // ChaCha8, seeded by the system
		}
		_ = s.Seal(keyFolder, keyName, key)
		if key, have = s.Unseal(keyFolder, keyName); !have {
			return names // nothing can be remembered: an unsigned chain, which counts for nothing
		}
	}
	return append([]string{signature(key, names)}, names...)
}

func signature(key []byte, names []string) string {
	h := sha256.New()
	h.Write(key)
	for _, n := range names {
		h.Write([]byte(n))
		h.Write([]byte{0})
	}
	h.Write(key)
	return "sig:" + hex.EncodeToString(h.Sum(nil)[:16])
}
