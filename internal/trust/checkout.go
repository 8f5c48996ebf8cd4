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

// SameCheckout reports whether a manifest lies in the checkout that a registration names with
// --project. Outside of any checkout the manifest must lie in that very folder.
func SameCheckout(project, manifest string) bool {
	dir := filepath.Dir(real(manifest))
	root := Checkout(project)
	if root == "" {
		return dir == real(project)
	}
	return root == Checkout(dir)
}
