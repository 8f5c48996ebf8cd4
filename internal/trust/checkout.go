package trust

import (
	"os"
	"path/filepath"
)

// Checkout returns the root of the checkout that a folder lies in: the nearest folder upwards that
// has a .git, which is a folder, or a file in a linked worktree or submodule. "" if there is none.
func Checkout(dir string) string {
	for dir = real(dir); ; {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// SameCheckout reports whether a manifest stands in the checkout that a registration names with
// --project. Outside of any checkout it must stand in that very folder. Where it stands is what
// counts, not where a link leads to.
func SameCheckout(project, manifest string) bool {
	dir := filepath.Dir(placeOf(manifest))
	root := Checkout(project)
	if root == "" {
		return Checkout(dir) == "" && sameFolder(real(project), dir)
	}
	return sameFolder(root, Checkout(dir))
}

// sameFolder also knows a folder by another spelling, where small and capital letters are one.
func sameFolder(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && x.IsDir() && os.SameFile(x, y)
}
