package state

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestDir(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s/hookspan"},
		{"linux", map[string]string{"HOME": "/h"}, "/h/.local/state/hookspan"},
		{"darwin", map[string]string{"HOME": "/h"}, "/h/.local/state/hookspan"},
		{"linux", map[string]string{"XDG_STATE_HOME": "rel/s", "HOME": "/h"}, "/h/.local/state/hookspan"},
		{"linux", map[string]string{"HOME": "h"}, ""},
		{"linux", nil, ""},
		{"windows", map[string]string{"LOCALAPPDATA": "/l", "HOME": "/h"}, "/l/hookspan"},
		{"windows", map[string]string{"USERPROFILE": "/u"}, "/u/AppData/Local/hookspan"},
	} {
		got, err := dirOf(c.goos, func(k string) string { return c.env[k] })
		if got != filepath.FromSlash(c.want) || (err == nil) != (c.want != "") {
			t.Errorf("%s %v: %q %v", c.goos, c.env, got, err)
		}
	}
	if _, err := Dir(func(string) string { return "" }); err == nil {
		t.Error("a place without a variable")
	}
}

// An id never is a file's name, and two odd ids do not share what is remembered.
func TestIDsAreNotFileNames(t *testing.T) {
	parent := t.TempDir()
	s := small(filepath.Join(parent, "state"))
	for i, id := range oddIDs {
		n := s.Session("claude", id)
		if n.Facts() != nil {
			t.Errorf("%.20q shares with another", id)
		}
		if err := n.Note(Facts{FactModel: strconv.Itoa(i)}); err != nil {
			t.Errorf("%.20q: %v", id, err)
		}
		if !n.Once(id) || n.Once(id) {
			t.Errorf("%.20q: once", id)
		}
		n.AddSent(id)
		n.PushNotice(id + "x")
		if c, err := s.Claim(soon(), "claude", id); err != nil {
			t.Error(err)
		} else if _, known := c.Answer(); known {
			t.Errorf("%.20q shares an answer", id)
		} else {
			c.Store(nil)
		}
		s.Append(&Record{Session: id})
	}
	for i, id := range oddIDs {
		n := s.Session("claude", id)
		if n.Facts()[FactModel] != strconv.Itoa(i) || n.Sent(id) != 1 || s.Session("codex", id).Facts() != nil {
			t.Errorf("%.20q: %v", id, n.Facts())
		}
	}
	for path := range files(t, parent) {
		if rel, _ := filepath.Rel(s.dir, path); strings.HasPrefix(rel, "..") && rel != ".." {
			t.Errorf("outside the state folder: %s", path)
		}
		if name := filepath.Base(path); strings.Contains(name, "evil") || strings.Contains(name, "aaaa") {
			t.Errorf("an id in a name: %s", path)
		}
	}
	count := 0
	for n, facts := range s.Sessions() {
		if count++; facts[FactSession] != n.id {
			t.Errorf("%q %q", facts, n.id)
		}
	}
	if count < len(oddIDs)-4 { // ids over 1 KiB are cut in facts, those in broken UTF-8 are mended
		t.Errorf("%d sessions", count)
	}
}

func TestOnceIsOnceAmongMany(t *testing.T) {
	s := small(t.TempDir())
	var first atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if s.Session("a", "s").Once("context") {
				first.Add(1)
			}
		})
	}
	wg.Wait()
	if first.Load() != 1 {
		t.Errorf("%d were first", first.Load())
	}
}

func TestSentCountsByTurn(t *testing.T) {
	s := small(t.TempDir())
	n := s.Session("claude", "s")
	expect := func(turn string, want int) {
		t.Helper()
		if got := s.Session("claude", "s").Sent(turn); got != want {
			t.Errorf("turn %q: %d, want %d", turn, got, want)
		}
	}
	expect("", 0)
	n.AddSent("")
	n.AddSent("")
	n.AddSent("4")
	expect("", 2)
	expect("4", 1)
	expect("5", 0)
	n.MarkWork() // does not reset the count
	expect("", 2)
	n.NewTurn("4")
	expect("4", 1)
	expect("", 2)
	n.NewTurn("")
	expect("", 0)
	expect("4", 1)
	n.AddSent("")
	expect("", 1)
	if got := s.Session("claude", "other").Sent(""); got != 0 {
		t.Errorf("another session: %d", got)
	}
}

func TestWorkedSinceSent(t *testing.T) {
	n := small(t.TempDir()).Session("claude", "s")
	for _, step := range []struct {
		do   func()
		want bool
	}{{func() {}, false}, {n.MarkWork, true}, {n.MarkWork, true}, {func() { n.AddSent("") }, false}, {func() { n.NewTurn("") }, false}, {n.MarkWork, true}} {
		if step.do(); n.Worked() != step.want {
			t.Errorf("worked: %v", n.Worked())
		}
	}
}

func TestFactsKeepTheLastValue(t *testing.T) {
	s := small(t.TempDir())
	n := s.Session("claude", "child")
	n.Note(Facts{FactParent: "main", FactModel: "a"})
	n.Note(Facts{FactModel: "b", FactState: "working"})
	size := n.size("facts")
	n.Note(Facts{FactModel: "b"})
	if n.size("facts") != size {
		t.Error("an unchanged fact was written")
	}
	n.Note(Facts{FactState: ""})
	got := n.Facts()
	if got[FactParent] != "main" || got[FactModel] != "b" || got[FactAgent] != "claude" || got[FactSession] != "child" || got[FactStarted] == "" {
		t.Errorf("%v", got)
	}
	if _, there := got[FactState]; there {
		t.Error("a deleted fact is there")
	}
	for i := range 600 {
		if err := n.Note(Facts{FactCost: strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if got = n.Facts(); got[FactCost] != "599" || got[FactParent] != "main" || n.size("facts") > 2*factsMax {
		t.Errorf("%v in %d bytes", got, n.size("facts"))
	}
}

func TestFactsOfManyWriters(t *testing.T) {
	s := small(t.TempDir())
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 300 {
				s.Session("a", "s").Note(Facts{"k" + strconv.Itoa(w): strconv.Itoa(i), "pad": strings.Repeat("x", 100+i%7)})
			}
		})
	}
	wg.Wait()
	for w := range 8 {
		if got := s.Session("a", "s").Facts()["k"+strconv.Itoa(w)]; got != "299" {
			t.Errorf("writer %d: %s", w, got)
		}
	}
}

// roleNotices pushes and takes at once, and prints what it took.
func roleNotices(s *Store, arg string) {
	n := s.Session("a", "s")
	for i := range 40 {
		for n.PushNotice(arg+"."+strconv.Itoa(i)) != nil {
			time.Sleep(time.Millisecond)
		}
		if i%3 == 0 {
			for _, text := range n.TakeNotices() {
				fmt.Println(text)
			}
		}
	}
}

func TestEachNoticeIsTakenOnce(t *testing.T) {
	s := small(t.TempDir())
	got := processes(t, 6, s, "notices", "p%")
	got = append(got, s.Session("a", "s").TakeNotices()...)
	all := len(got)
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != 240 || all != 240 {
		t.Errorf("%d notices, %d different, of 240", all, n)
	}
	if s.Session("a", "s").TakeNotices() != nil {
		t.Error("taken again")
	}
}

func TestNoticesAreBounded(t *testing.T) {
	n := small(t.TempDir()).Session("a", "s")
	var err error
	for range 1000 {
		if err = n.PushNotice(strings.Repeat("x", 10_000)); err != nil {
			break
		}
	}
	if err == nil || n.size("notices") > 2*noticesMax {
		t.Errorf("%v, %d bytes", err, n.size("notices"))
	}
	for _, text := range n.Notices() {
		if len(text) > noticeMax+100 {
			t.Errorf("a notice of %d bytes", len(text))
		}
	}
	if got := n.TakeNotices(); len(got) < 10 {
		t.Errorf("%d notices", len(got))
	}
	n.PushNotice("two\nlines\x1b")
	if got := n.TakeNotices(); len(got) != 1 || got[0] != "two\nlines\x1b" {
		t.Errorf("%q", got)
	}
}

func TestSweepRemovesWhatIsOldAndOurs(t *testing.T) {
	s := small(t.TempDir())
	c, _ := s.Claim(soon(), "old")
	c.Store([]byte("x"))
	held, _ := s.Claim(soon(), "held")
	young := s.Session("a", "young")
	young.Once("k")
	s.Session("a", "old").Once("k")
	s.PutPlan("old", []byte("p"))
	s.PutGood("/used", []byte("g"))
	foreign := s.path("calls", "foreign")
	os.WriteFile(foreign, nil, 0o600)
	os.WriteFile(s.path("tmp", tmpPrefix+"x"), nil, 0o600)
	for path := range files(t, s.dir) {
		if !strings.HasPrefix(path, young.dir) {
			os.Chtimes(path, time.Time{}, time.Now().Add(-40*24*time.Hour))
		}
	}
	s.PutGood("/used", []byte("g")) // in use: written again
	s.sweep()
	for path, want := range map[string]bool{
		s.path("calls", hashed("old")): false, s.path("calls", hashed("held")): true, foreign: true, young.dir: true, s.Session("a", "old").dir: false,
		s.path("plans", hashed("old")): false, s.path("good", hashed("/used")): true, s.path("tmp", tmpPrefix+"x"): false,
	} {
		if exists(path) != want {
			t.Errorf("%s: there %v", path, !want)
		}
	}
	held.Release()
}

// A folder of the store that is a link to somebody's files is not swept.
func TestSweepFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	s := small(filepath.Join(dir, "state"))
	victim := filepath.Join(dir, "victim", hashed("x"))
	os.MkdirAll(filepath.Dir(victim), 0o700)
	os.MkdirAll(s.dir, 0o700)
	os.WriteFile(victim, nil, 0o600)
	os.Chtimes(victim, time.Time{}, time.Unix(1, 0))
	for _, folder := range []string{"calls", "sessions", "tmp", "plans", "slots"} {
		if err := os.Symlink(filepath.Dir(victim), s.path(folder)); err != nil {
			t.Skip(err)
		}
	}
	if s.sweep(); !exists(victim) {
		t.Error("deleted through a link")
	}
}

// However many there are, sweeps keep up with the runs.
func TestSweepKeepsUp(t *testing.T) {
	s := small(t.TempDir())
	for i := range 3000 {
		s.claim(s.path("calls", hashed(strconv.Itoa(i))))
	}
	s.now = func() time.Time { return time.Now().Add(time.Hour) }
	for range 60 {
		s.sweep()
	}
	if n := len(files(t, s.path("calls"))); n > 600 {
		t.Errorf("%d are left", n)
	}
}
