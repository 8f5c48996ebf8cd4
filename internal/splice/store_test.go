package splice

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// desk is a scratch home with a store.
type desk struct {
	*testing.T
	home string
	Store
}

func newDesk(t *testing.T) *desk {
	home, err := filepath.EvalSymlinks(t.TempDir())
	do(t, err)
	return &desk{t, home, Store{State: filepath.Join(home, "state"), Root: home}}
}

func (d *desk) path(names ...string) string {
	return filepath.Join(append([]string{d.home}, names...)...)
}

func (d *desk) write(text string, names ...string) string {
	p := d.path(names...)
	do(d.T, os.MkdirAll(filepath.Dir(p), 0o755))
	do(d.T, os.WriteFile(p, []byte(text), 0o644))
	return p
}

func (d *desk) link(to string, names ...string) string {
	p := d.path(names...)
	do(d.T, os.MkdirAll(filepath.Dir(p), 0o755))
	if err := os.Symlink(to, p); err != nil {
		d.Skip(err)
	}
	return p
}

// holds checks a file's text, and that its folder has nothing but the names.
func (d *desk) holds(p, text string, names ...string) {
	d.Helper()
	b, err := os.ReadFile(p)
	if err != nil || string(b) != text {
		d.Fatalf("%s holds %q, not %q (%v)", p, b, text, err)
	}
	d.folder(filepath.Dir(p), append(names, filepath.Base(p))...)
}

func (d *desk) folder(dir string, names ...string) {
	d.Helper()
	entries, err := os.ReadDir(dir)
	do(d.T, err)
	want := map[string]bool{"state": true}
	for _, n := range names {
		want[n] = true
	}
	for _, e := range entries {
		if !want[e.Name()] {
			d.Fatalf("%s was left in %s", e.Name(), dir)
		}
	}
}

func put(text string) func(File) ([]byte, error) {
	return func(File) ([]byte, error) { return []byte(text), nil }
}

func (d *desk) refused(err error, f Fault, says string) {
	d.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Fault != f || !strings.Contains(err.Error(), says) {
		d.Fatalf("not refused with %d, %q: %v", f, says, err)
	}
}

func TestUpdateKeepsModeAndLeavesNothing(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o664, 0o755} {
		d := newDesk(t)
		p := d.write("old", "conf", "s.json")
		do(t, os.Chmod(p, mode))
		r, err := d.Update(t.Context(), p, func(f File) ([]byte, error) {
			if string(f.Bytes) != "old" || !f.Exists || f.Linked || f.Outside || f.Target != p {
				t.Errorf("%+v", f)
			}
			return []byte("new"), nil
		})
		if err != nil || !r.Wrote || string(r.After) != "new" || string(r.Bytes) != "old" {
			t.Fatalf("%+v %v", r, err)
		}
		d.holds(p, "new")
		if info, _ := os.Stat(p); runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("mode %o became %o", mode, info.Mode().Perm())
		}
	}
}

func TestUpdateWithoutAChangeTouchesNothing(t *testing.T) {
	d := newDesk(t)
	p := d.write("same", "conf", "s.json")
	do(t, os.Chtimes(p, time.Unix(1e9, 0), time.Unix(1e9, 0)))
	before, _ := os.Stat(p)
	d.Intent = func(File, []byte) error { t.Error("intent"); return nil }
	r, err := d.Update(t.Context(), p, put("same"))
	after, _ := os.Stat(p)
	if err != nil || r.Wrote || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("%+v %v", r, err)
	}
	// No file, and none wanted: no folder either.
	r, err = d.Update(t.Context(), d.path("none", "s.json"), func(File) ([]byte, error) { return nil, nil })
	if err != nil || r.Wrote {
		t.Errorf("%+v %v", r, err)
	}
	d.folder(d.home, "conf")
}

func TestUpdateMakesFoldersAndTellsWhich(t *testing.T) {
	d := newDesk(t)
	p := d.path("a", "b", "s.json")
	var seen []string
	d.Mode, d.FolderMode = 0o600, 0o700
	d.Intent = func(f File, after []byte) error { seen = f.Missing; return nil }
	r, err := d.Update(t.Context(), p, put("new"))
	do(t, err)
	want := []string{d.path("a"), d.path("a", "b")}
	if strings.Join(r.Made, " ") != strings.Join(want, " ") || strings.Join(seen, " ") != strings.Join(want, " ") {
		t.Errorf("made %v, announced %v", r.Made, seen)
	}
	d.holds(p, "new")
	if info, _ := os.Stat(p); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	r, err = d.Update(t.Context(), p, func(File) ([]byte, error) { return nil, nil })
	if err != nil || !r.Wrote || r.After != nil {
		t.Errorf("%+v %v", r, err)
	}
	d.write("theirs", "a", "mine.txt")
	RemoveFolders(want)
	d.folder(d.path("a"), "mine.txt")
	do(t, os.Remove(d.path("a", "mine.txt")))
	RemoveFolders(want)
	d.folder(d.home)
}

func TestAPlanThatFailsLeavesNothing(t *testing.T) {
	d := newDesk(t)
	no := errors.New("no")
	_, err := d.Update(t.Context(), d.path("a", "s.json"), func(File) ([]byte, error) { return nil, no })
	if !errors.Is(err, no) {
		t.Error(err)
	}
	d.Intent = func(File, []byte) error { return no }
	if _, err = d.Update(t.Context(), d.path("a", "s.json"), put("x")); !errors.Is(err, no) {
		t.Error(err)
	}
	d.folder(d.home)
}

func TestEveryFailedStepLeavesTheOldFile(t *testing.T) {
	for _, step := range []string{"planned", "folders", "created", "written", "synced"} {
		for _, exists := range []bool{true, false} {
			d := newDesk(t)
			p := d.path("a", "b", "s.json")
			if exists {
				d.write("old", "a", "b", "s.json")
			}
			d.fault = func(s string) error {
				if s == step {
					return errors.New("no space left")
				}
				return nil
			}
			_, err := d.Update(t.Context(), p, put("new"))
			d.refused(err, IO, "s.json: failed to write")
			if exists {
				d.holds(p, "old")
			} else {
				d.folder(d.home)
			}
		}
	}
}

func TestUpdateWritesThroughLinks(t *testing.T) {
	d := newDesk(t)
	target := d.write("old", "dot", "s.json")
	links := []string{
		d.link("../dot/s.json", "conf", "relative.json"),
		d.link(target, "conf", "absolute.json"),
		d.link("relative.json", "conf", "chain.json"),
		filepath.Join(d.link("dot", "linked"), "s.json"),
	}
	for i, p := range links {
		text := strconv.Itoa(i)
		r, err := d.Update(t.Context(), p, put(text))
		if err != nil || r.Target != target || r.Outside {
			t.Fatalf("%+v %v", r, err)
		}
		d.holds(target, text)
		if b, _ := os.ReadFile(p); string(b) != text {
			t.Errorf("%s holds %q", p, b)
		}
		if i < 3 {
			if info, _ := os.Lstat(p); info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("%s is no link any more", p)
			}
		}
	}
}

func TestBadLinksAreReportedAndKept(t *testing.T) {
	d := newDesk(t)
	do(t, os.Mkdir(d.path("conf"), 0o755))
	for _, p := range []string{
		d.link("none.json", "conf", "dangling.json"),
		d.link("loop.json", "conf", "loop.json"),
		d.link("b.json", "conf", "a.json"), d.link("a.json", "conf", "b.json"),
		filepath.Join(d.link("nowhere", "folder"), "s.json"),
	} {
		before, _ := os.Readlink(p)
		_, err := d.Update(t.Context(), p, put("new"))
		d.refused(err, BadLink, "leads")
		if after, _ := os.Readlink(p); after != before {
			t.Errorf("%s leads to %q", p, after)
		}
	}
}

func TestALinkOutOfTheRootIsTheCallersToAllow(t *testing.T) {
	d := newDesk(t)
	target := d.write("old", "elsewhere", "s.json")
	p := d.link(target, "home", "s.json")
	inner := filepath.Join(d.link(d.path("elsewhere"), "home", "folder"), "new.json")
	d.Root = d.path("home")
	for _, p := range []string{p, inner} {
		f, err := Load(p, d.Root)
		if err != nil || !f.Outside {
			t.Errorf("%+v %v", f, err)
		}
		_, err = d.Update(t.Context(), p, put("new"))
		d.refused(err, Outside, "leads out of")
	}
	d.holds(target, "old")
	d.AllowOutside = true
	_, err := d.Update(t.Context(), p, put("new"))
	do(t, err)
	d.holds(target, "new")
	sibling := d.write("x", "home-2", "s.json")
	if f, err := Load(sibling, d.Root); err != nil || !f.Outside {
		t.Error("a folder whose name begins alike is not below")
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	d := newDesk(t)
	do(t, os.MkdirAll(d.path("dir.json"), 0o755))
	_, err := d.Update(t.Context(), d.path("dir.json"), put("new"))
	d.refused(err, NotFile, "a folder")
	d.write("x", "file")
	_, err = d.Update(t.Context(), d.path("file", "s.json"), put("new"))
	var e *Error
	if !errors.As(err, &e) {
		t.Error(err)
	}
	p := d.write("", "big.json")
	do(t, os.Truncate(p, MaxSize+1))
	_, err = d.Update(t.Context(), p, put("new"))
	d.refused(err, TooBig, "larger than 16 MiB")
}

func TestAReadOnlyFileStays(t *testing.T) {
	d := newDesk(t)
	p := d.write("old", "s.json")
	do(t, os.Chmod(p, 0o444))
	_, err := d.Check(p)
	d.refused(err, ReadOnly, "chmod u+w")
	_, err = d.Update(t.Context(), p, put("new"))
	d.refused(err, ReadOnly, "chmod u+w")
	d.holds(p, "old")
}

func TestBackupsAreForTheOwnerAloneAndFew(t *testing.T) {
	d := newDesk(t)
	p := d.write("0", "s.json")
	d.Backup = true
	var last Result
	for i := range backupsKept + 3 {
		var err error
		last, err = d.Update(t.Context(), p, put(strconv.Itoa(i+1)))
		do(t, err)
	}
	b, err := os.ReadFile(last.Backup)
	if err != nil || string(b) != strconv.Itoa(backupsKept+2) || !strings.HasPrefix(filepath.Base(last.Backup), BackupPrefix(p)) {
		t.Errorf("%s: %q %v", last.Backup, b, err)
	}
	copies, _ := os.ReadDir(d.path("state", "backups"))
	if len(copies) != backupsKept {
		t.Errorf("%d copies", len(copies))
	}
	for _, name := range []string{"state", "state/backups", "state/locks"} {
		if info, err := os.Stat(d.path(name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if info, _ := os.Stat(last.Backup); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
}

func TestEightWritersLoseNothing(t *testing.T) {
	d := newDesk(t)
	p := d.path("conf", "s.json")
	const writers, rounds = 8, 6
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for r := range rounds {
				_, err := d.Update(t.Context(), p, func(f File) ([]byte, error) {
					doc, err := Parse(f.Path, f.Bytes, JSON)
					if err != nil {
						return nil, err
					}
					err = doc.Append(At("hooks", "Stop"), []byte(`{"w":`+strconv.Itoa(w)+`,"r":`+strconv.Itoa(r)+`}`))
					return doc.Bytes(), err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	f, err := Load(p, "")
	do(t, err)
	doc := later(t, f.Bytes, JSON)
	seen := map[string]bool{}
	for _, v := range doc.Get(At("hooks", "Stop")).Elems() {
		seen[string(v.JSON())] = true
	}
	if len(seen) != writers*rounds || doc.Get(At("hooks", "Stop")).Len() != writers*rounds {
		t.Errorf("%d of %d", len(seen), writers*rounds)
	}
	d.folder(d.path("conf"), "s.json")
}

func TestAForeignWriteInBetweenIsKept(t *testing.T) {
	for _, step := range []string{"planned", "created", "synced", "folders"} {
		for _, foreign := range []string{"", "in place", "deleted", "appears"} {
			d := newDesk(t)
			p := d.path("conf", "s.json")
			if foreign != "appears" {
				d.write("old", "conf", "s.json")
			}
			done := false
			d.fault = func(s string) error {
				if s != step || done {
					return nil
				}
				done = true
				switch foreign {
				case "deleted":
					return os.Remove(p)
				case "in place":
					return os.WriteFile(p, []byte("theirs"), 0o644)
				}
				d.write("theirs", "conf", "other")
				return os.Rename(d.path("conf", "other"), p)
			}
			_, err := d.Update(t.Context(), p, func(f File) ([]byte, error) { return append(f.Bytes, "+ours"...), nil })
			do(t, err)
			want := "theirs+ours"
			if foreign == "deleted" {
				want = "+ours"
			}
			d.holds(p, want)
		}
	}
}

func TestAForeignWriteAtTheLastMomentIsKept(t *testing.T) {
	d := newDesk(t)
	if err := swap(d.write("a", "a"), d.write("b", "b")); err != nil {
		t.Skip("this system cannot swap names: ", err)
	}
	do(t, errors.Join(os.Remove(d.path("a")), os.Remove(d.path("b"))))
	for _, deletes := range []bool{false, true} {
		p := d.write("old", "s.json")
		f, err := Load(p, "")
		do(t, err)
		d.write("theirs", "s.json") // after the last look: straight into the swap
		w := &writer{Store: d.Store, target: p}
		temp := tempName(p)
		if deletes {
			do(t, rename(p, temp))
			if f.unchanged(temp) {
				t.Fatal("it did not notice")
			}
			do(t, moveNew(temp, p))
		} else {
			do(t, w.prepare(f, temp, []byte("ours")))
			do(t, swap(temp, p))
			if err := f.settle(temp, []byte("ours")); !errors.Is(err, errChanged) {
				t.Error(err)
			}
			do(t, os.Remove(temp))
		}
		d.holds(p, "theirs")
	}
}

func TestALateWriteToTheOldFileIsKept(t *testing.T) {
	for step, after := range map[string]func(File) ([]byte, error){
		"swapped": func(f File) ([]byte, error) { return append(f.Bytes, "+ours"...), nil },
		"taken": func(f File) ([]byte, error) {
			if string(f.Bytes) == "old" {
				return nil, nil
			}
			return f.Bytes, nil
		},
	} {
		d := newDesk(t)
		p := d.write("old", "conf", "s.json")
		theirs, err := os.OpenFile(p, os.O_RDWR, 0)
		do(t, err)
		late := false
		d.fault = func(s string) error {
			if s != step || late {
				return nil
			}
			late = true
			_, err := theirs.WriteAt([]byte("theirs"), 0)
			return err
		}
		_, err = d.Update(t.Context(), p, after)
		do(t, err)
		do(t, theirs.Close())
		if !late {
			t.Skip("this system cannot swap names")
		}
		d.holds(p, map[string]string{"swapped": "theirs+ours", "taken": "theirs"}[step])
	}
}

func TestWithoutSwapsAndLinksFilesAreReplacedAllTheSame(t *testing.T) {
	d := newDesk(t)
	d.plain = true
	p := d.write("old", "conf", "s.json")
	_, err := d.Update(t.Context(), p, put("new"))
	do(t, err)
	d.holds(p, "new")
	other := d.path("conf", "t.json")
	if err := moveLinked(p, other); err != nil {
		t.Error(err)
	}
	d.holds(other, "new")
	d.write("x", "conf", "u.json")
	if err := moveLinked(other, d.path("conf", "u.json")); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

func TestWhatCannotBePutBackIsNamed(t *testing.T) {
	d := newDesk(t)
	p := d.path("s.json")
	temp := d.write("theirs", filepath.Base(tempName(p)))
	err := (&File{Path: p, Target: p}).rescue(temp, errors.New("no"))
	kept := strings.TrimSuffix(temp, ".tmp") + ".kept"
	d.refused(err, IO, kept)
	d.holds(kept, "theirs")
	sweep(p)
	d.holds(kept, "theirs")
}

func TestAFileThatNeverRestsIsGivenUp(t *testing.T) {
	d := newDesk(t)
	p := d.write("0", "s.json")
	n := 0
	d.fault = func(s string) error {
		if s == "synced" {
			n++
			return os.WriteFile(p, []byte(strconv.Itoa(n)), 0o644)
		}
		return nil
	}
	_, err := d.Update(t.Context(), p, put("ours"))
	d.refused(err, Busy, "keeps changing")
	d.holds(p, strconv.Itoa(n))
}

func TestAHalfWrittenFileIsReadAgain(t *testing.T) {
	d := newDesk(t)
	p := d.write(`{"a":`, "s.json")
	calls := 0
	_, err := d.Update(t.Context(), p, func(f File) ([]byte, error) {
		if calls++; calls == 1 {
			time.AfterFunc(time.Millisecond, func() { _ = os.WriteFile(p, []byte(`{"a":1}`), 0o644) })
		}
		doc, err := Parse(f.Path, f.Bytes, JSON)
		if err != nil {
			return nil, err
		}
		err = doc.Set(At("b"), []byte("2"))
		return doc.Bytes(), err
	})
	do(t, err)
	d.holds(p, `{"a":1,"b":2}`)
}

func TestALockThatIsHeldEndsInBusy(t *testing.T) {
	d := newDesk(t)
	path := d.path("state", "x.lock")
	unlock, err := Lock(t.Context(), path)
	do(t, err)
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer stop()
	_, err = Lock(ctx, path)
	d.refused(err, Busy, "holds this lock")
	unlock()
	unlock, err = Lock(t.Context(), path)
	do(t, err)
	unlock()
}

func TestOnlyOurOwnStaleFilesAreSwept(t *testing.T) {
	d := newDesk(t)
	p := d.write("old", "conf", "s.json")
	dead := strings.Replace(tempName(p), "-"+strconv.Itoa(os.Getpid())+"-", "-99999999-", 1)
	old, young, other := tempName(p), tempName(p), strings.Replace(tempName(d.path("conf", "t.json")), strconv.Itoa(os.Getpid()), "99999999", 1)
	for _, name := range []string{dead, old, young, other, dead + "x", d.path("conf", ".hookspan-x.tmp"), d.path("conf", "s.json.tmp")} {
		do(t, os.WriteFile(name, nil, 0o600))
	}
	do(t, os.Chtimes(old, time.Unix(1e9, 0), time.Unix(1e9, 0)))
	_, err := d.Update(t.Context(), p, put("old"))
	do(t, err)
	d.holds(p, "old", filepath.Base(young), filepath.Base(other), filepath.Base(dead)+"x", ".hookspan-x.tmp", "s.json.tmp")
	for _, gone := range []string{dead, old} {
		if _, err := os.Stat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
}
