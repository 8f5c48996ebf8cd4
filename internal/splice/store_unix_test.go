//go:build unix

package splice

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// child runs one of the TestChild functions in a process of its own.
func child(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	do(t, err)
	c := exec.Command(exe, "-test.run=^"+name+"$")
	c.Env = append(os.Environ(), append(env, "SPLICE_CHILD="+name)...)
	return c
}

func isChild(t *testing.T, name string) {
	if os.Getenv("SPLICE_CHILD") != name {
		t.Skip("started by other tests")
	}
}

// TestChildDies updates a file and kills itself at a step.
func TestChildDies(t *testing.T) {
	isChild(t, "TestChildDies")
	s := Store{State: os.Getenv("SPLICE_STATE")}
	s.fault = func(step string) error {
		if step == os.Getenv("SPLICE_STEP") {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	_, err := s.Update(t.Context(), os.Getenv("SPLICE_FILE"), func(File) ([]byte, error) {
		if text := os.Getenv("SPLICE_TEXT"); text != "" {
			return []byte(text), nil
		}
		return nil, nil
	})
	do(t, err)
}

func TestKilledAtAnyStepLeavesTheOldFileOrTheNew(t *testing.T) {
	for _, step := range []string{"planned", "folders", "created", "written", "synced", "swapped", "taken"} {
		for _, c := range []struct{ before, after string }{{"old", "new text"}, {"", "new text"}, {"old", ""}} {
			d := newDesk(t)
			p := d.path("conf", "s.json")
			if c.before != "" {
				d.write(c.before, "conf", "s.json")
			}
			out, err := child(t, "TestChildDies", "SPLICE_STATE="+d.State, "SPLICE_FILE="+p, "SPLICE_STEP="+step, "SPLICE_TEXT="+c.after).CombinedOutput()
			var killed *exec.ExitError
			if err != nil && (!errors.As(err, &killed) || killed.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL) {
				t.Fatalf("%v\n%s", err, out)
			}
			now, _ := os.ReadFile(p)
			if string(now) != c.before && string(now) != c.after {
				t.Fatalf("killed at %s: %q", step, now)
			}
			_, err = d.Update(t.Context(), p, put("again"))
			do(t, err)
			d.holds(p, "again")
		}
	}
}

// TestChildRuns changes a file to and fro until it is killed.
func TestChildRuns(t *testing.T) {
	isChild(t, "TestChildRuns")
	s := Store{State: os.Getenv("SPLICE_STATE")}
	os.Stdout.WriteString("go\n")
	for i := 0; ; i++ {
		_, err := s.Update(t.Context(), os.Getenv("SPLICE_FILE"), put(strings.Repeat(string(rune('a'+i%2)), 5000)))
		do(t, err)
	}
}

func TestKilledAtAnyMomentLeavesAWholeFile(t *testing.T) {
	d := newDesk(t)
	p := d.write("start", "conf", "s.json")
	for range 12 {
		c := child(t, "TestChildRuns", "SPLICE_STATE="+d.State, "SPLICE_FILE="+p)
		out, err := c.StdoutPipe()
		do(t, err)
		do(t, c.Start())
		_, _ = out.Read(make([]byte, 3))
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		do(t, c.Process.Kill())
		_ = c.Wait()
		now, err := os.ReadFile(p)
		if whole := len(now) == 5000 && len(bytes.Trim(now, string(now[:1]))) == 0; err != nil || !whole && string(now) != "start" {
			t.Fatalf("%d bytes, %v", len(now), err)
		}
	}
	_, err := d.Update(t.Context(), p, put("end"))
	do(t, err)
	d.holds(p, "end")
}

func TestPipesAndSecondNamesAreRefused(t *testing.T) {
	d := newDesk(t)
	do(t, syscall.Mkfifo(d.path("s.json"), 0o644))
	_, err := d.Update(t.Context(), d.path("s.json"), put("new"))
	d.refused(err, NotFile, "a pipe")
	p := d.write("old", "a.json")
	do(t, os.Link(p, d.path("b.json")))
	_, err = d.Update(t.Context(), p, put("new"))
	d.refused(err, HardLink, "second name")
	d.holds(p, "old", "b.json", "s.json")
}

// TestChildIsNobody does what a user without rights does.
func TestChildIsNobody(t *testing.T) {
	isChild(t, "TestChildIsNobody")
	home := os.Getenv("SPLICE_FILE")
	d := &desk{t, home, Store{State: home + "/state", Root: home}}
	do(t, os.Mkdir(d.path("closed"), 0o755))
	locked := d.write("old", "closed", "s.json")
	do(t, os.Chmod(d.path("closed"), 0o555))
	_, err := d.Check(locked)
	d.refused(err, Permission, "s.json: its folder")
	_, err = d.Update(t.Context(), locked, put("new"))
	d.refused(err, Permission, "s.json: its folder")
	d.holds(locked, "old")
	_, err = d.Update(t.Context(), d.path("closed", "deeper", "s.json"), put("new"))
	d.refused(err, Permission, "s.json: its folder")
	hidden := d.write("old", "hidden.json")
	do(t, os.Chmod(hidden, 0))
	_, err = d.Update(t.Context(), hidden, put("new"))
	d.refused(err, Permission, "hidden.json: failed to open it")
	foreign := d.path("roots.json") // writable for us, but another's
	if _, err := os.Stat(foreign); err == nil {
		_, err = d.Update(t.Context(), foreign, put("new"))
		d.refused(err, Owner, "owner")
	}
	closed := Store{State: d.path("closed", "state")}
	_, err = closed.Update(t.Context(), d.write("old", "t.json"), put("new"))
	d.refused(err, Permission, "lock")
	do(t, os.Chmod(d.path("closed"), 0o755))
}

func TestWithoutRightsNothingIsLost(t *testing.T) {
	d := newDesk(t)
	c := child(t, "TestChildIsNobody", "SPLICE_FILE="+d.home, "HOME="+d.home)
	if os.Geteuid() == 0 {
		if runtime.GOOS != "linux" {
			t.Skip("root may do everything")
		}
		const nobody = 65534
		do(t, os.WriteFile(d.path("roots.json"), []byte("old"), 0o666))
		do(t, os.Chmod(d.path("roots.json"), 0o666))
		for dir := d.home; strings.Count(dir, "/") > 1; dir = dir[:strings.LastIndex(dir, "/")] {
			do(t, os.Chmod(dir, 0o755))
		}
		do(t, os.Chown(d.home, nobody, nobody))
		c.Path, c.Dir = "/proc/self/exe", d.home
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestChildFillsTheDisk writes where no file may grow beyond 4 kB: that fails as a full disk does.
func TestChildFillsTheDisk(t *testing.T) {
	isChild(t, "TestChildFillsTheDisk")
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	small := limit
	small.Cur = 4096
	do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	s := Store{State: os.Getenv("SPLICE_STATE")}
	_, err := s.Update(t.Context(), os.Getenv("SPLICE_FILE"), put(strings.Repeat("x", 100_000)))
	do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	(&desk{T: t}).refused(err, IO, "s.json: failed to write beside it")
}

func TestAFullDiskLosesNothing(t *testing.T) {
	d := newDesk(t)
	p := d.write("old", "conf", "s.json")
	if out, err := child(t, "TestChildFillsTheDisk", "SPLICE_STATE="+d.State, "SPLICE_FILE="+p).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d.holds(p, "old")
}

func TestOwnerAndAttributesAreKept(t *testing.T) {
	d := newDesk(t)
	p := d.write("old", "s.json")
	set := keepAttributeForTest(p)
	if os.Geteuid() == 0 {
		do(t, os.Chown(p, 1234, 2345))
	}
	_, err := d.Update(t.Context(), p, put("new"))
	do(t, err)
	info, _ := os.Stat(p)
	if st := info.Sys().(*syscall.Stat_t); os.Geteuid() == 0 && (st.Uid != 1234 || st.Gid != 2345) {
		t.Errorf("owner is %d:%d", st.Uid, st.Gid)
	}
	if set && !hasAttributeForTest(p) {
		t.Error("an attribute is gone")
	}
}
