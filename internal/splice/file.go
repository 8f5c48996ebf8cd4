package splice

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// File is a settings file as it was at one moment.
type File struct {
	Path    string      // as the caller named it, made absolute
	Target  string      // where the bytes are: all links followed
	Exists  bool        // else the other fields below are zero
	Bytes   []byte      // nil if there is no file
	Mode    fs.FileMode // permission bits
	Linked  bool        // Path itself is a link
	Outside bool        // Target lies outside of the root that Load was given
	Missing []string    // folders that would have to be made, outermost first

	info fs.FileInfo
}

// maxLinks is how many links may lead to a file; the kernel's own limit.
const maxLinks = 40

// Load reads a file through its links. A file that does not exist is no error; one that is not a plain file, is larger
// than MaxSize or cannot be read, and a link that leads nowhere, are: *Error. The root is the folder that links must not
// leave; "" means that they may lead anywhere.
func Load(path, root string) (File, error) {
	f := File{Path: path}
	abs, err := filepath.Abs(path)
	if err != nil {
		return f, &Error{Fault: IO, Path: path, What: "failed to find the file", Err: err}
	}
	f.Path = abs
	if err := f.resolve(); err != nil {
		return f, err
	}
	if root != "" {
		f.Outside = !below(f.Target, root)
	}
	return f, f.read()
}

// resolve follows the links of the path, and lists the folders that are missing.
func (f *File) resolve() error {
	at := f.Path
	for range maxLinks {
		dir, err := f.folder(filepath.Dir(at))
		if err != nil {
			return err
		}
		f.Target = filepath.Join(dir, filepath.Base(at))
		info, err := os.Lstat(f.Target)
		if errors.Is(err, fs.ErrNotExist) {
			if f.Linked {
				return &Error{Fault: BadLink, Path: f.Path, What: "a link that leads nowhere: " + f.Target,
					Hint: "create that file (empty will do), or delete the link"}
			}
			return nil
		}
		if err != nil {
			return f.fault("failed to look at it", err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return nil
		}
		f.Linked = true
		to, err := os.Readlink(f.Target)
		if err != nil {
			return f.fault("failed to read the link", err)
		}
		if at = to; !filepath.IsAbs(to) {
			at = filepath.Join(dir, to)
		}
	}
	return &Error{Fault: BadLink, Path: f.Path, What: "a link that leads to itself", Hint: "delete the link"}
}

// folder resolves the folder of a file as far as it exists.
func (f *File) folder(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", f.fault("failed to follow the links of its folder", err)
	}
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", &Error{Fault: BadLink, Path: f.Path, What: "its folder " + dir + " is a link that leads nowhere",
			Hint: "create the folder it leads to, or delete the link"}
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return "", f.fault("failed to find its folder", err)
	}
	real, err = f.folder(parent)
	if err != nil {
		return "", err
	}
	real = filepath.Join(real, filepath.Base(dir))
	f.Missing = append(f.Missing, real)
	return real, nil
}

// below reports whether a resolved path lies in a folder.
func below(target, root string) bool {
	abs, err := filepath.Abs(root)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(abs, target)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// read takes in the bytes of the target.
func (f *File) read() error {
	info, err := os.Lstat(f.Target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return f.fault("failed to look at it", err)
	}
	if !info.Mode().IsRegular() {
		return &Error{Fault: NotFile, Path: f.Path, What: "this is " + what(info.Mode()) + ", not a file", Hint: "move it away"}
	}
	if info.Size() > MaxSize {
		return readable(f.Path, make([]byte, MaxSize+1))
	}
	in, err := os.OpenFile(f.Target, os.O_RDONLY|nonblock, 0) // a pipe that took its place must not hold us
	if err != nil {
		return f.fault("failed to open it", err)
	}
	defer in.Close()
	if f.info, err = in.Stat(); err != nil || !f.info.Mode().IsRegular() {
		return f.fault("failed to open it as a file", err)
	}
	f.Bytes, err = io.ReadAll(io.LimitReader(in, MaxSize+1))
	if err != nil {
		return f.fault("failed to read it", err)
	}
	if len(f.Bytes) > MaxSize {
		return readable(f.Path, f.Bytes)
	}
	f.Exists, f.Mode = true, f.info.Mode().Perm()
	return nil
}

func what(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// fault wraps an error of the system.
func (f *File) fault(what string, err error) *Error {
	e := &Error{Fault: IO, Path: f.Path, What: what, Err: bare(err)}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Fault, e.Hint = Permission, "check who owns the file and its folder"
	case errors.Is(err, syscall.ENOSPC):
		e.Hint = "the disk is full; nothing was changed"
	}
	return e
}

// bare drops the path that the os package puts before an error: ours stands there already.
func bare(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
