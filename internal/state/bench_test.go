package state

import (
	"strconv"
	"testing"
	"time"
)

func sample() *Record {
	return &Record{Agent: "claude", DetectedBy: "registration", Registered: true, Event: "PreToolUse", Native: "PreToolUse",
		Session: "7f2c0000-0000-4000-8000-000000000001", Call: "toolu_01", Tool: "Bash", Kind: "shell", Project: "/home/dev/shop",
		Paths: []string{"/home/dev/shop/a.go"}, Verdict: "deny", Reason: "recursive deletion of /home/dev/shop",
		Took:     2300 * time.Microsecond,
		Handlers: []HandlerRecord{{Name: "dangerous-commands", Verdict: "deny", Took: 120 * time.Microsecond}}}
}

func BenchmarkAppend(b *testing.B) {
	s := Open(b.TempDir())
	for b.Loop() {
		if err := s.Append(sample()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendLine leaves last.json out.
func BenchmarkAppendLine(b *testing.B) {
	s := Open(b.TempDir())
	line := sample().line(s.now())
	for b.Loop() {
		if err := s.appendLine(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecordLine(b *testing.B) {
	r, now := sample(), time.Now()
	for b.Loop() {
		r.line(now)
	}
}

func BenchmarkLastJSON(b *testing.B) {
	s := Open(b.TempDir())
	line := sample().line(s.now())
	for b.Loop() {
		if err := s.writeLast(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClaim(b *testing.B) {
	s := Open(b.TempDir())
	n := 0
	for b.Loop() {
		c, err := s.Claim(time.Now(), "claude", "s", strconv.Itoa(n))
		n++
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Store([]byte(`{"exit":0}`)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClaimAnswered(b *testing.B) {
	s := Open(b.TempDir())
	c, _ := s.Claim(time.Now(), "k")
	c.Store([]byte(`{"exit":0}`))
	for b.Loop() {
		c, err := s.Claim(time.Now(), "k")
		if _, ok := c.Answer(); err != nil || !ok {
			b.Fatal(err)
		}
	}
}

func BenchmarkAcquire(b *testing.B) {
	s := Open(b.TempDir())
	for b.Loop() {
		release, ok := s.Acquire(time.Now(), "fmt")
		if !ok {
			b.Fatal("no slot")
		}
		release()
	}
}
