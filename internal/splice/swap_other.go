//go:build !linux && !darwin

package splice

import "errors"

// swap is for systems that can exchange two names in one step; this one cannot.
func swap(string, string) error { return errors.ErrUnsupported }

// moveNew renames a file to a name that is free; fs.ErrExist if it is not.
func moveNew(from, to string) error { return moveLinked(from, to) }
