package state

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// roleVariable makes the test program play another process.
const roleVariable = "STATE_TEST_ROLE"

var roles = map[string]func(s *Store, arg string){
	"append": roleAppend, "claim": roleClaim, "hold": roleHold, "slot": roleSlot, "notices": roleNotices, "full": roleFull,
}

func TestMain(m *testing.M) {
	role, rest, found := strings.Cut(os.Getenv(roleVariable), " ")
	if !found {
		os.Exit(m.Run())
	}
	dir, arg, _ := strings.Cut(rest, " ")
	roles[role](small(dir), arg)
}

// small is a store with a small journal.
func small(dir string) *Store {
	s := Open(dir)
	s.journalMax, s.segmentMax = 1<<20, 64<<10
	return s
}

// process starts the test program in a role; its output is taken by lines.
func process(t *testing.T, s *Store, role, arg string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %s", roleVariable, role, s.dir, arg))
	cmd.Stderr = os.Stderr
	return cmd
}

// processes runs n of them side by side and returns what they printed.
func processes(t *testing.T, n int, s *Store, role, arg string) (lines []string) {
	t.Helper()
	type result struct {
		out []byte
		err error
	}
	results := make(chan result)
	for i := range n {
		go func() {
			out, err := process(t, s, role, strings.ReplaceAll(arg, "%", strconv.Itoa(i))).Output()
			results <- result{out, err}
		}()
	}
	for range n {
		r := <-results
		if r.err != nil {
			t.Error(r.err)
		}
		for line := range strings.Lines(string(r.out)) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// files lists the files of a folder with their modes.
func files(t *testing.T, dir string) map[string]os.FileMode {
	t.Helper()
	out := map[string]os.FileMode{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		out[path] = info.Mode()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func soon() time.Time { return time.Now().Add(10 * time.Second) }

// nowhere are stores whose folder cannot be made.
func nowhere(t *testing.T) map[string]*Store {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]*Store{"none": Open(""), "below a file": Open(filepath.Join(file, "state")), "in /proc": Open("/proc/hookspan")}
}

var oddIDs = []string{"", ".", "..", "../../x", "/etc/passwd", "a/b", "s1\n{\"forged\":true}", "s\x00x", `..\..\evil`, "CON", "nul.txt", "a:b", strings.Repeat("a", 10_000), strings.Repeat("a", 10_001), "é", "\xff", " ", "a ", "A"}
