//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package state

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }

// roleFull lets files grow to some hundred bytes only, as a disk does that has no more room.
func roleFull(s *Store, arg string) {
	limit := syscall.Rlimit{Cur: 900, Max: 900}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println("no limit:", err)
		return
	}
	failed := 0
	n := s.Session("a", "s")
	for range 5 {
		if s.Append(sample()) != nil {
			failed++
		}
		n.PushNotice(strings.Repeat("notice ", 60))
		n.Note(Facts{"a": strings.Repeat("x", 1+failed)})
		s.PutPlan("h", make([]byte, 2000))
	}
	c, err := s.Claim(soon(), "k")
	if err == nil {
		err = c.Store(make([]byte, 2000))
	}
	fmt.Println(failed, err != nil)
}

// A full disk costs what does not fit, and nothing of what is written later.
func TestFullDisk(t *testing.T) {
	s := small(t.TempDir())
	out := strings.Join(processes(t, 1, s, "full", ""), "\n")
	if strings.HasPrefix(out, "no limit") {
		t.Skip(out)
	}
	if out != "4 true" {
		t.Fatalf("the process says %q", out)
	}
	if _, ok := s.Plan("h"); ok {
		t.Error("a cut plan is believed")
	}
	c, err := s.Claim(time.Now(), "k")
	if err != nil {
		t.Fatal(err)
	}
	if _, known := c.Answer(); known {
		t.Error("a cut answer is believed")
	}
	if err := c.Store([]byte("x")); err != nil {
		t.Error(err)
	}
	if c, _ = s.Claim(time.Now(), "k"); string(c.answer) != "x" {
		t.Errorf("the answer is %q", c.answer)
	}
	if err := s.Append(&Record{Call: "after"}); err != nil {
		t.Fatal(err)
	}
	records, damaged := 0, 0
	last := ""
	for r, err := range s.Records(Filter{}) {
		if err != nil {
			damaged++
			continue
		}
		records++
		last = r.Call
	}
	if records != 2 || damaged != 1 || last != "after" {
		t.Errorf("%d records, %d damaged, last %q", records, damaged, last)
	}
	data, _ := os.ReadFile(s.path("last.json"))
	if r, ok := decode(data); !ok || r.Call != "after" {
		t.Errorf("last.json is %q", data)
	}
	n := s.Session("a", "s")
	if err := n.Note(Facts{"b": "c"}); err != nil || n.Facts()["b"] != "c" {
		t.Errorf("%v %v", err, n.Facts())
	}
	if err := n.PushNotice("later"); err != nil {
		t.Error(err)
	}
	if got := n.TakeNotices(); len(got) == 0 || got[len(got)-1] != "later" {
		t.Errorf("%q", got)
	}
}
