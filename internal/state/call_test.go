package state

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// roleClaim claims a call, "finds" its answer in 50 ms, and prints what it did.
func roleClaim(s *Store, arg string) {
	c, err := s.Claim(soon(), "call")
	if err != nil {
		fmt.Println("error", err)
		return
	}
	if answer, known := c.Answer(); known {
		fmt.Println("told", string(answer))
		return
	}
	time.Sleep(50 * time.Millisecond)
	c.Store([]byte("by " + arg))
	fmt.Println("found by", arg)
}

// roleHold claims a call or a slot and holds it until it is killed.
func roleHold(s *Store, arg string) {
	if strings.HasPrefix(arg, "slot") {
		_, ok := s.Acquire(soon(), "handler")
		fmt.Println("held", ok)
	} else {
		c, err := s.Claim(soon(), "call")
		fmt.Println("held", err)
		defer c.Release()
	}
	time.Sleep(time.Minute)
}

// hold starts a process that holds something, and returns a function that kills it.
func hold(t *testing.T, s *Store, what string) (kill func()) {
	t.Helper()
	cmd := process(t, s, "hold", what)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "held") {
		t.Fatalf("the holder says %q", line)
	}
	kill = sync.OnceFunc(func() { cmd.Process.Kill(); cmd.Wait() })
	t.Cleanup(kill)
	return kill
}

func TestOneOfManyProcessesFindsTheAnswer(t *testing.T) {
	s := small(t.TempDir())
	found, told := 0, map[string]int{}
	for _, line := range processes(t, 12, s, "claim", "p%") {
		if strings.HasPrefix(line, "found by") {
			found++
		} else {
			told[line]++
		}
	}
	if found != 1 || len(told) != 1 {
		t.Errorf("%d found it, told %v", found, told)
	}
}

func TestOneOfManyGoroutinesFindsTheAnswer(t *testing.T) {
	s := small(t.TempDir())
	var found atomic.Int32
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			c, err := s.Claim(soon(), "claude", strconv.Itoa(i%10))
			if err != nil {
				t.Error(err)
				return
			}
			if answer, known := c.Answer(); !known {
				found.Add(1)
				c.Store(fmt.Append(nil, "answer ", i%10))
			} else if string(answer) != fmt.Sprint("answer ", i%10) {
				t.Errorf("told %q", answer)
			}
		})
	}
	wg.Wait()
	if found.Load() != 10 {
		t.Errorf("%d answers were found, of 10", found.Load())
	}
}

// The death of the one who was finding the answer is noticed at once, and the next one finds it.
func TestDeathOfTheFirst(t *testing.T) {
	s := small(t.TempDir())
	kill := hold(t, s, "call")
	time.AfterFunc(100*time.Millisecond, kill)
	start := time.Now()
	c, err := s.Claim(soon(), "call")
	if err != nil {
		t.Fatal(err)
	}
	if _, known := c.Answer(); known {
		t.Error("there is an answer")
	}
	if took := time.Since(start); took < 50*time.Millisecond || took > 3*time.Second {
		t.Errorf("took %v", took)
	}
	c.Release()
	c.Release()
	if c.Store(nil) == nil {
		t.Error("stored after the release")
	}
}

func TestWaitingForAnAnswerEnds(t *testing.T) {
	s := small(t.TempDir())
	c, _ := s.Claim(soon(), "call")
	defer c.Release()
	start := time.Now()
	if _, err := s.Claim(time.Now().Add(80*time.Millisecond), "call"); err == nil || time.Since(start) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if other, err := s.Claim(time.Now(), "other"); err != nil {
		t.Error(err)
	} else {
		other.Release()
	}
}

func TestAnswersOfAllKinds(t *testing.T) {
	s := small(t.TempDir())
	for i, answer := range [][]byte{nil, {}, []byte("x"), make([]byte, 1<<20)} {
		c, err := s.Claim(soon(), strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Store(answer); err != nil {
			t.Error(err)
		}
		c, _ = s.Claim(time.Now(), strconv.Itoa(i))
		if got, known := c.Answer(); !known || string(got) != string(answer) {
			t.Errorf("%d: known %v, %d bytes", i, known, len(got))
		}
	}
	c, _ := s.Claim(soon(), "large")
	if c.Store(make([]byte, answerMax+1)) == nil {
		t.Error("an answer without a bound")
	}
	// A damaged answer is no answer.
	os.WriteFile(s.path("calls", hashed("2")), []byte("damaged"), 0o600)
	if c, err := s.Claim(time.Now(), "2"); err != nil || c.known {
		t.Errorf("%v", err)
	}
}

// roleSlot prints whether there was room.
func roleSlot(s *Store, arg string) {
	_, ok := s.Acquire(time.Now().Add(300*time.Millisecond), "handler")
	fmt.Println(ok)
	time.Sleep(time.Second)
}

func TestCopiesOfAHandlerAreLimited(t *testing.T) {
	s := small(t.TempDir())
	ok := 0
	for _, line := range processes(t, MaxCopies+4, s, "slot", "") {
		if line == "true" {
			ok++
		}
	}
	if ok != MaxCopies {
		t.Errorf("%d copies", ok)
	}
	var releases []func()
	for range MaxCopies {
		release, ok := s.Acquire(time.Now(), "handler")
		if !ok {
			t.Fatal("slots of dead processes are taken")
		}
		releases = append(releases, release)
	}
	if _, ok := s.Acquire(time.Now(), "handler"); ok {
		t.Error("one copy too many")
	}
	if release, ok := s.Acquire(time.Now(), "another"); !ok {
		t.Error("another handler has no room")
	} else {
		release()
	}
	time.AfterFunc(50*time.Millisecond, releases[3])
	if _, ok := s.Acquire(soon(), "handler"); !ok {
		t.Error("a released slot is not found")
	}
}

func TestDeathFreesASlot(t *testing.T) {
	s := small(t.TempDir())
	var kills []func()
	for range MaxCopies {
		kills = append(kills, hold(t, s, "slot"))
	}
	if _, ok := s.Acquire(time.Now(), "handler"); ok {
		t.Fatal("no slot is held")
	}
	kills[5]()
	if _, ok := s.Acquire(time.Now().Add(time.Second), "handler"); !ok {
		t.Error("the slot of a dead process is taken")
	}
}

// A call that is swept while it is claimed is still found by one process only.
func TestSweepingWhileClaiming(t *testing.T) {
	s := small(t.TempDir())
	s.now = func() time.Time { return time.Now().Add(time.Hour) } // everything is old
	stop := make(chan struct{})
	var sweeper sync.WaitGroup
	sweeper.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				s.sweep()
			}
		}
	})
	var holders atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				c, err := s.Claim(time.Now().Add(time.Minute), "call")
				if err != nil {
					t.Error(err)
					continue
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold it", n)
				}
				holders.Add(-1)
				c.Release()
			}
		})
	}
	wg.Wait()
	close(stop)
	sweeper.Wait()
}

func TestSealedFilesAreBelievedOnlyAsWritten(t *testing.T) {
	s := small(t.TempDir())
	path := s.path("plans", hashed("h"))
	put := func() {
		t.Helper()
		if err := s.PutPlan("h", []byte("plan")); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Plan("h"); !ok || string(got) != "plan" {
			t.Fatalf("%q %v", got, ok)
		}
	}
	put()
	put() // over a file that may not be written
	for name, spoil := range map[string]func(){
		"writable":   func() { os.Chmod(path, 0o600) },
		"executable": func() { os.Chmod(path, 0o500) },
		"cut":        func() { os.Chmod(path, 0o600); os.Truncate(path, 20); os.Chmod(path, 0o400) },
		"empty":      func() { os.Chmod(path, 0o600); os.Truncate(path, 0); os.Chmod(path, 0o400) },
		"changed": func() {
			data, _ := os.ReadFile(path)
			data[len(data)-1]++
			os.Remove(path)
			os.WriteFile(path, data, 0o400)
		},
		"a link": func() { os.Rename(path, path+"x"); os.Symlink(path+"x", path) },
		"gone":   func() { os.Remove(path) },
	} {
		put()
		spoil()
		if got, ok := s.Plan("h"); ok {
			t.Errorf("%s: believed: %q", name, got)
		}
		os.Remove(path)
	}
	if s.PutPlan("h", make([]byte, sealMax+1)) == nil {
		t.Error("no bound")
	}
	if _, ok := s.Good("/p"); ok {
		t.Error("a good manifest from nowhere")
	}
	s.PutGood("/p", []byte("one"))
	s.PutGood("/p", []byte("two"))
	if got, ok := s.Good("/p"); !ok || string(got) != "two" {
		t.Errorf("%q", got)
	}
}
