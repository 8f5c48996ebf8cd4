package trust

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/state"
)

// folder holds one sealed file per trusted manifest, named by the hash of its place.
const folder = "trust"

// Grants are what people have trusted.
type Grants struct{ s *state.Store }

// Open returns the grants in a state folder.
func Open(s *state.Store) Grants { return Grants{s} }

// Grant is one manifest that was trusted.
type Grant struct {
	Path string    // absolute, links in its folder resolved
	Hash string    // of its bytes, SHA-256 in hex
	When time.Time // UTC
}

// Trusted reports whether these bytes are trusted at this place.
func (g Grants) Trusted(path string, content []byte) bool {
	place := placeOf(path)
	have, ok := g.read(name(place))
	return ok && have.Path == place && have.Hash == hash(content)
}

// Grant trusts these bytes at this place, in place of what was trusted there before.
func (g Grants) Grant(path string, content []byte) error {
	place := placeOf(path)
	text := hash(content) + "\n" + time.Now().UTC().Format(time.RFC3339) + "\n" + place
	if err := g.s.Seal(folder, name(place), []byte(text)); err != nil {
		return fmt.Errorf("failed to remember that %s is trusted: %w", place, err)
	}
	if _, ok := g.read(name(place)); !ok {
		return fmt.Errorf("failed to remember that %s is trusted: the file system of %s keeps no file modes, so nobody could tell a grant from a file that came with a repository; set XDG_STATE_HOME to a folder on another one", place, g.s.Path())
	}
	return nil
}

// Revoke takes the trust in a manifest back. had is false if there was none.
func (g Grants) Revoke(path string) (had bool, err error) {
	n := name(placeOf(path))
	if _, had = g.read(n); !had {
		return false, nil
	}
	if err := g.s.Unlink(folder, n); err != nil {
		return true, fmt.Errorf("failed to take the trust in %s back: %w", path, err)
	}
	return true, nil
}

// List returns the grants by path.
func (g Grants) List() []Grant {
	var list []Grant
	for n := range g.s.Sealed(folder) {
		if grant, ok := g.read(n); ok {
			list = append(list, grant)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

func (g Grants) read(n string) (Grant, bool) {
	b, ok := g.s.Unseal(folder, n)
	if !ok {
		return Grant{}, false
	}
	h, rest, ok1 := strings.Cut(string(b), "\n")
	when, place, ok2 := strings.Cut(rest, "\n")
	t, err := time.Parse(time.RFC3339, when)
	return Grant{Path: place, Hash: h, When: t}, ok1 && ok2 && err == nil
}

// placeOf is the one spelling of where a manifest stands: absolute, with the links of its folder
// resolved. The file's own name is kept even if it is a link: what it names by a relative path, it
// names from the folder that it was found in, so a repository's link to somebody's trusted manifest
// would start the repository's own programs.
func placeOf(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Clean(path)
	}
	return filepath.Join(real(filepath.Dir(abs)), filepath.Base(abs))
}

// real is a folder's path without links, as far as it is there.
func real(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	if r, err := filepath.EvalSymlinks(abs); err == nil {
		return r
	}
	return filepath.Clean(abs)
}

func name(place string) string { return hash([]byte(place))[:32] }

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
