package state

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hookspan/hookspan/internal/sha256"
)

// Store is the state folder. Its methods may be called by many goroutines and processes at once.
type Store struct {
	dir string
	now func() time.Time

	journalMax, segmentMax int64 // bytes
}

// Open returns the store in dir, without touching the disk. An empty dir is a store that remembers
// nothing: what writes returns an error, what reads finds nothing.
func Open(dir string) *Store {
	return &Store{dir: dir, now: time.Now, journalMax: journalMax, segmentMax: segmentMax}
}

// Path returns the state folder, "" for a store that remembers nothing.
func (s *Store) Path() string { return s.dir }

var errNowhere = errors.New("there is no state folder")

// path returns the path of a file of the store. Without a state folder it is one that no system
// takes, never one below the working folder.
func (s *Store) path(names ...string) string {
	if s.dir == "" {
		return "\x00"
	}
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// hashed makes a file name of ids. Lengths are hashed too, so that ("a","bc") is not ("ab","c").
func hashed(ids ...string) string {
	h := sha256.New()
	var size [8]byte
	for _, id := range ids {
		binary.BigEndian.PutUint64(size[:], uint64(len(id)))
		h.Write(size[:])
		h.Write([]byte(id)) // io.WriteString would look for a method at every start
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// open opens a file of the store, and makes its folder if flag may create the file. It never
// follows a link, and never waits for the other end of a pipe that somebody put there.
func (s *Store) open(path string, flag int) (*os.File, error) {
	if s.dir == "" {
		return nil, errNowhere
	}
	f, err := openFile(path, flag)
	if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		f, err = openFile(path, flag)
	}
	return f, err
}

// stat returns what is known of an open file; anything but a plain file is an error.
func stat(f *os.File) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a plain file", f.Name())
	}
	return info, nil
}

// read returns the content of a file of at most max bytes.
func (s *Store) read(path string, max int64) ([]byte, fs.FileInfo, error) {
	f, err := s.open(path, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := stat(f)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > max {
		return nil, nil, fmt.Errorf("%s holds %d bytes, more than %d", path, info.Size(), max)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // cut since we asked for its size
	}
	return data[:n], info, err
}

// attempts bounds how often something is tried again because another process moved the file away.
const attempts = 8

// append adds data to a file with one write. If the file was deleted meanwhile, which would lose
// the data, it is written again.
func (s *Store) append(path string, data []byte) error {
	for range attempts {
		f, err := s.open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		gone := deleted(f)
		f.Close()
		if err != nil || !gone {
			return err
		}
	}
	return fmt.Errorf("%s is deleted over and over", path)
}

const tmpPrefix = "hookspan-"

// replace puts a file in place with one rename: a reader sees the old content or the new one.
func (s *Store) replace(path string, data []byte, mode fs.FileMode) error {
	tmp := s.path("tmp", tmpPrefix+strconv.FormatUint(rand.Uint64(), 36))
	f, err := s.open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0o600 {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = s.move(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
}

// move renames a file, making the new name's folder.
func (s *Store) move(from, to string) error {
	err := rename(from, to)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return rename(from, to)
}

// claim creates an empty file. Of many processes one is first. It writes no data, so it works on a
// full disk, as a rule.
func (s *Store) claim(path string) (first bool, err error) {
	f, err := s.open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}

// exists reports whether there is something of that name.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
