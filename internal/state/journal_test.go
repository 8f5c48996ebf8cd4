package state

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// roleAppend writes 150 records. "bounded" keeps the journal at 1 MiB.
func roleAppend(s *Store, arg string) {
	writer, bounded := strings.CutPrefix(arg, "bounded")
	if !bounded {
		s.journalMax = 64 << 20
	}
	for i := range 150 {
		r := sample()
		r.Call = writer + "." + strconv.Itoa(i)
		r.Notes = []string{strings.Repeat("x ", 800)}
		if err := s.Append(r); err != nil {
			fmt.Fprintln(os.Stderr, "append:", err)
			os.Exit(1)
		}
	}
}

func journalBytes(s *Store) (n int64) {
	entries, _ := os.ReadDir(s.path("journal"))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

func calls(t *testing.T, s *Store) (out []string) {
	t.Helper()
	for r, err := range s.Records(Filter{}) {
		if err != nil {
			t.Error(err)
			continue
		}
		out = append(out, r.Call)
	}
	return out
}

// Many processes write over many rotations: no record is lost, none is torn, none stands twice, and
// each writer's own are in order.
func TestNoRecordIsLostByManyWriters(t *testing.T) {
	s := small(filepath.Join(t.TempDir(), "state"))
	const writers = 8
	processes(t, writers, s, "append", "%")
	next := map[string]int{}
	for _, call := range calls(t, s) {
		writer, number, _ := strings.Cut(call, ".")
		if n, _ := strconv.Atoi(number); n != next[writer] {
			t.Fatalf("writer %s: record %d where %d should stand", writer, n, next[writer])
		}
		next[writer]++
	}
	for w, n := range next {
		if n != 150 {
			t.Errorf("writer %s: %d records", w, n)
		}
	}
	if len(next) != writers || len(s.segments()) < 20 {
		t.Errorf("%d writers, %d segments", len(next), len(s.segments()))
	}
	processes(t, writers, s, "append", "bounded%")
	if n := journalBytes(s); n > s.journalMax || n < s.journalMax/2 {
		t.Errorf("the journal holds %d bytes, the bound is %d", n, s.journalMax)
	}
}

func TestNoRecordIsLostByManyGoroutines(t *testing.T) {
	s := small(filepath.Join(t.TempDir(), "state"))
	s.journalMax = 64 << 20
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 100 {
				r := sample()
				r.Call, r.Notes = fmt.Sprint(w, ".", i), []string{strings.Repeat("y ", 500)}
				if err := s.Append(r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got := calls(t, s)
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != 1600 {
		t.Errorf("%d different records of 1600", n)
	}
	if len(s.segments()) == 0 {
		t.Error("nothing was rotated")
	}
}

// A reader that starts at any time sees no record twice and none missing between the first and the last.
func TestReadingWhileSegmentsAreClosed(t *testing.T) {
	s := small(filepath.Join(t.TempDir(), "state"))
	s.journalMax, s.segmentMax = 64<<20, 8<<10
	var writing atomic.Bool
	writing.Store(true)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 1000 {
			r := sample()
			r.Call = strconv.Itoa(i)
			s.Append(r)
		}
		writing.Store(false)
	})
	for more := true; more; {
		more = writing.Load()
		got := calls(t, s)
		for i, call := range got {
			if call != strconv.Itoa(i) {
				t.Fatalf("record %d is %s", i, call)
			}
		}
		if !more && len(got) != 1000 {
			t.Errorf("%d records", len(got))
		}
	}
	wg.Wait()
}

// The size stays bounded even if the current segment was made larger than the whole journal.
func TestJournalIsBounded(t *testing.T) {
	s := small(filepath.Join(t.TempDir(), "state"))
	for range 3 {
		if err := s.Append(sample()); err != nil {
			t.Fatal(err)
		}
		line := sample().line(time.Now())
		f, err := os.OpenFile(s.path("journal", currentName), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(bytes.Repeat(line, int(3*s.journalMax)/len(line)))
		f.Close()
		for range 20 {
			if err := s.Append(sample()); err != nil {
				t.Fatal(err)
			}
		}
		if n := journalBytes(s); n > s.journalMax {
			t.Fatalf("%d bytes, more than %d", n, s.journalMax)
		}
		if n := len(calls(t, s)); n < 20 {
			t.Fatalf("only %d records are left", n)
		}
	}
	for range 4000 {
		s.Append(sample())
	}
	if n := journalBytes(s); n > s.journalMax || n < s.journalMax/2 {
		t.Errorf("%d bytes", n)
	}
}

func TestFilesAreForTheUserOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "state")
	s := small(dir)
	n := s.Session("claude", "s")
	c, err := s.Claim(soon(), "k")
	s.Append(sample())
	c.Store([]byte("x"))
	n.Note(Facts{FactModel: "m"})
	n.PushNotice("x")
	n.Once("k")
	n.AddSent("")
	n.NewTurn("")
	n.MarkWork()
	s.PutPlan("h", []byte("p"))
	s.PutGood("/p", []byte("g"))
	release, _ := s.Acquire(soon(), "h")
	release()
	if err != nil || len(files(t, dir)) < 15 {
		t.Fatal(err, files(t, dir))
	}
	for path, mode := range files(t, filepath.Dir(dir)) {
		if mode.IsDir() && mode.Perm() != 0o700 || !mode.IsDir() && mode.Perm()&^0o600 != 0 {
			t.Errorf("%s has mode %o", path, mode.Perm())
		}
	}
}

// A record is one line of valid UTF-8 JSON of at most 256 KiB, whatever stands in it.
func lawRecord(t *testing.T, r *Record) {
	t.Helper()
	line := r.line(time.Now())
	if len(line) > recordMax || line[len(line)-1] != '\n' || !utf8.Valid(line) || !json.Valid(line) {
		t.Fatalf("%d bytes, UTF-8 %v, JSON %v: %.300q", len(line), utf8.Valid(line), json.Valid(line), line)
	}
	for i, c := range string(line[:len(line)-1]) {
		if c < ' ' || hidden(c) {
			t.Fatalf("%U at %d of %.300q", c, i, line)
		}
	}
	back, ok := decode(line)
	if !ok {
		t.Fatalf("not read back: %.300q", line)
	}
	if len(line) < recordMax/2 && len(r.Session) < textMax && utf8.ValidString(r.Session) && back.Session != r.Session {
		t.Fatalf("the session id %q became %q", r.Session, back.Session)
	}
}

func recordOf(s string, payload []byte) *Record {
	many := slices.Repeat([]string{s}, 200)
	return &Record{Agent: s, Surface: s, Version: s, DetectedBy: s, Event: s, Native: s, Session: s, Turn: s, Call: s, Subagent: s, Model: s,
		Project: s, Tool: s, Kind: s, Paths: many, Verdict: s, Reason: s, Took: time.Duration(len(s)), Exit: len(s), Losses: many, Chain: many,
		Repeat: true, Error: s, Manifests: many, Notes: many, Payload: payload, Reply: s,
		Handlers: slices.Repeat([]HandlerRecord{{Name: s, File: s, Verdict: s, Reason: s, Error: s, Lost: many}}, 200)}
}

func TestRecordIsOneBoundedLine(t *testing.T) {
	texts := append(slices.Clone(oddIDs), "\x1b[2J\r\n\t\x7f\u0085\u009b\u2028\u202e\ufeff\u200b\u00ad", strings.Repeat("\x00", 5000), strings.Repeat("\u2028", 5000),
		strings.Repeat("€", 3000), strings.Repeat("\xff", 3000), strings.Repeat("\"\\", 4000), strings.Repeat("word ", 20_000))
	for _, s := range texts {
		lawRecord(t, recordOf(s, nil))
		lawRecord(t, recordOf(s, []byte(s)))
		quoted, _ := json.Marshal(s)
		lawRecord(t, &Record{Session: s, Payload: []byte("{\r\n\t\"a\" : " + string(quoted) + "\n}")})
	}
	lawRecord(t, &Record{Payload: []byte(`{"a":"` + strings.Repeat("x", 9<<20) + `"}`)})
	lawRecord(t, &Record{Payload: []byte(`{"a":"\ud800","b":"` + "\u009b" + `"}`)})
	lawRecord(t, &Record{Payload: []byte(`{"a":`)})
	lawRecord(t, &Record{})
}

func FuzzRecord(f *testing.F) {
	for _, s := range oddIDs {
		f.Add(s, []byte(s))
	}
	f.Fuzz(func(t *testing.T, s string, payload []byte) { lawRecord(t, recordOf(s, payload)) })
}

func TestRecordIsMaskedAndReadBack(t *testing.T) {
	s := small(t.TempDir())
	want := recordOf("x", nil)
	*want = Record{Time: time.Date(2026, 11, 30, 12, 0, 0, 5e6, time.FixedZone("", 3600)), Agent: "codex", Surface: "cli", Version: "1", DetectedBy: "mark", Registered: true,
		Event: "PreToolUse", Native: "PreToolUse", Session: "s\n1", Turn: "4", Call: "c", Subagent: "a1", Model: "m", Project: "/p", Tool: "Bash", Kind: "shell",
		Paths: []string{"/p/a"}, Verdict: "deny", Reason: "r", Took: 1234 * time.Microsecond, Exit: 2, Losses: []string{"l"}, Chain: []string{"h"}, Repeat: true,
		Error: "e", Manifests: []string{"abc"}, Notes: []string{"n"}, Payload: []byte(`{"a":1.50}`), Reply: "out",
		Handlers: []HandlerRecord{{Name: "h", File: "f", Verdict: "deny", Reason: "r2", Took: time.Millisecond, Exit: 1, Error: "e", Lost: []string{"x"}}}}
	if err := s.Append(want); err != nil {
		t.Fatal(err)
	}
	got := s.Latest(Filter{}, 1)[0]
	last, _ := os.ReadFile(s.path("last.json"))
	if string(last) != string(got.Line)+"\n" {
		t.Errorf("last.json is %q", last)
	}
	got.Line = nil
	got.Time, want.Time = got.Time.UTC(), want.Time.UTC()
	if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", *want); a != b {
		t.Errorf("\n%s\n%s", a, b)
	}
	secret := "hunter2hunter2"
	s.Append(&Record{Reason: "password=" + secret, Error: "--token " + secret, Notes: []string{"https://u:" + secret + "@h"}, Paths: []string{"/x?token=" + secret},
		Losses: []string{"Authorization: Bearer " + secret}, Reply: `{"api_key":"` + secret + `"}`, Payload: []byte(`{"tool_input":{"command":"export TOKEN=` + secret + `"},"password":"` + secret + `"}`),
		Handlers: []HandlerRecord{{Reason: "password: " + secret, Error: "password: " + secret, Lost: []string{"password=" + secret}}}})
	s.Append(&Record{Payload: []byte(`not json, password=` + secret)})
	s.Session("a", "s").PushNotice("password=" + secret)
	for path := range files(t, s.dir) {
		if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the secret: %s", path, data)
		}
	}
}

// Whatever was there before, last.json is one record after each event.
func TestLastIsAlwaysOneRecord(t *testing.T) {
	s := small(t.TempDir())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				s.Append(&Record{Reason: strings.Repeat("x", rand.IntN(3000))})
			}
		})
	}
	wg.Wait()
	s.Append(&Record{Reason: "the last"})
	data, _ := os.ReadFile(s.path("last.json"))
	if r, ok := decode(data); !ok || r.Reason != "the last" {
		t.Errorf("%q", data)
	}
}

func TestFilterAndLatestAndLastFired(t *testing.T) {
	s := small(t.TempDir())
	s.segmentMax = 4 << 10
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 100 {
		s.Append(&Record{Time: start.Add(time.Duration(i) * time.Minute), Agent: []string{"claude", "codex"}[i%2], Event: []string{"Stop", ""}[i/2%2], Native: "stop", Session: strconv.Itoa(i % 5), Call: strconv.Itoa(i), Verdict: "none"})
	}
	count := func(f Filter) (n int) {
		for range s.Records(f) {
			n++
		}
		return n
	}
	for want, f := range map[int]Filter{100: {}, 50: {Agent: "codex"}, 20: {Session: "3"}, 10: {Agent: "codex", Session: "3"}, 40: {Since: start.Add(time.Hour)}, 60: {Until: start.Add(time.Hour)}, 0: {Verdict: "deny"}} {
		if got := count(f); got != want {
			t.Errorf("%+v: %d, want %d", f, got, want)
		}
	}
	if got := count(Filter{Event: "Stop"}) + count(Filter{Event: "stop"}); got != 150 {
		t.Errorf("by event: %d", got)
	}
	latest := s.Latest(Filter{Agent: "claude"}, 30)
	if len(latest) != 30 || latest[29].Call != "98" || latest[0].Call != "40" {
		t.Errorf("%d latest, %s to %s", len(latest), latest[0].Call, latest[len(latest)-1].Call)
	}
	if n := len(s.Latest(Filter{}, 1000)); n != 100 {
		t.Errorf("%d", n)
	}
	if got := s.LastFired()[Fired{"codex", "Stop"}]; !got.Equal(start.Add(97 * time.Minute)) {
		t.Errorf("last fired %v", got)
	}
	for range s.Records(Filter{}) {
		break
	}
}

// A damaged line is told and skipped; it does not spoil its neighbours.
func TestDamagedLinesAreTold(t *testing.T) {
	s := Open(t.TempDir())
	s.Append(&Record{Call: "1"})
	f, _ := os.OpenFile(s.path("journal", currentName), os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString("not json\n\n{}\n" + strings.Repeat("x", recordMax+10) + "\n{\"time\":\"2026-01-01T00:00:00Z\",\"agent\":5}\n{\"cut")
	f.Close()
	s.Append(&Record{Call: "2"})
	var got []string
	for r, err := range s.Records(Filter{}) {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, r.Call)
		}
	}
	want := []string{"1", "current.jsonl:2: not a record", "current.jsonl:4: not a record", "current.jsonl:5: a line of more than 262144 bytes", "", "current.jsonl:7: not a record", "2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestFollowSeesWhatIsWritten(t *testing.T) {
	s := small(t.TempDir())
	s.segmentMax = 4 << 10
	s.Append(&Record{Call: "before"})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ready := make(chan struct{})
	go func() {
		<-ready
		for i := range 100 {
			s.Append(&Record{Call: strconv.Itoa(i), Reason: strings.Repeat("x", 100)})
			time.Sleep(5 * time.Millisecond)
		}
	}()
	time.AfterFunc(50*time.Millisecond, func() { close(ready) })
	n := 0
	for r, err := range s.Follow(ctx, Filter{}) {
		if err != nil || r.Call != strconv.Itoa(n) {
			t.Fatalf("%d: %q %v", n, r.Call, err)
		}
		if n++; n == 100 {
			break
		}
	}
	if n != 100 {
		t.Errorf("%d records", n)
	}
	cancel()
	for range s.Follow(ctx, Filter{}) {
		t.Error("a record after the end")
	}
}

func TestPurge(t *testing.T) {
	s := small(t.TempDir())
	s.segmentMax = 4 << 10
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if n, err := s.Purge(start); n != 0 || err != nil {
		t.Errorf("nothing to purge: %d %v", n, err)
	}
	for i := range 100 {
		s.Append(&Record{Time: start.Add(time.Duration(i) * time.Minute), Call: strconv.Itoa(i)})
	}
	if n, err := s.Purge(start.Add(30 * time.Minute)); n != 30 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	got := calls(t, s)
	if len(got) != 70 || got[0] != "30" || got[69] != "99" {
		t.Errorf("%d left: %v", len(got), got)
	}
	if n, err := s.Purge(time.Now()); n != 70 || err != nil || len(calls(t, s)) != 0 || exists(s.path("last.json")) {
		t.Errorf("%d %v", n, err)
	}
	if err := s.Append(sample()); err != nil || len(calls(t, s)) != 1 {
		t.Error(err)
	}
}

// Without a usable folder everything tells an error or answers with nothing; nothing is created elsewhere.
func TestWithoutAFolder(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for name, s := range nowhere(t) {
		n := s.Session("claude", "s")
		_, err := s.Claim(time.Now(), "k")
		for i, err := range []error{err, s.Append(sample()), n.Note(Facts{"a": "b"}), n.PushNotice("x"), s.PutPlan("h", nil), s.PutGood("p", nil), s.Seal("x", "y", nil)} {
			if err == nil {
				t.Errorf("%s: no error from %d", name, i)
			}
		}
		n.AddSent("")
		n.NewTurn("")
		n.MarkWork()
		s.Sweep()
		s.sweep()
		if first, again := n.Once("k"), n.Once("k"); !first || !again || n.Sent("") != Uncounted || n.Worked() || n.Facts() != nil || n.TakeNotices() != nil || n.Notices() != nil {
			t.Errorf("%s: a session", name)
		}
		if release, ok := s.Acquire(time.Now(), "h"); !ok {
			t.Errorf("%s: no slot", name)
		} else {
			release()
		}
		if _, ok := s.Plan("h"); ok {
			t.Errorf("%s: a plan", name)
		}
		for _, err := range s.Records(Filter{}) {
			if err == nil {
				t.Errorf("%s: a record", name)
			}
		}
		for range s.Sessions() {
			t.Errorf("%s: a session", name)
		}
		if got := s.Latest(Filter{}, 5); got != nil {
			t.Errorf("%s: %v", name, got)
		}
		if _, err := s.Purge(time.Now()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		for range s.Follow(ctx, Filter{}) {
			t.Errorf("%s: a record", name)
		}
		cancel()
	}
	if got := files(t, here); len(got) != 1 {
		t.Errorf("files in the working folder: %v", got)
	}
}

// A pipe, a folder or a link where a file should be costs an error, never a wait, and nothing is
// written through a link.
func TestForeignThingsInTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no pipes or links in folders there")
	}
	for _, put := range []func(path string) error{
		func(path string) error { return os.Mkdir(path, 0o700) },
		mkfifo,
		func(path string) error { return os.Symlink(filepath.Dir(filepath.Dir(path))+"/victim", path) },
	} {
		dir := t.TempDir()
		s := small(dir)
		victim := filepath.Join(dir, "victim")
		os.WriteFile(victim, []byte("mine"), 0o600)
		n := s.Session("a", "s")
		for _, path := range []string{s.path("journal", currentName), s.path("last.json"), n.path("facts"), n.path("notices"), s.path("calls", hashed("k")), s.path("plans", hashed("h"))} {
			os.MkdirAll(filepath.Dir(path), 0o700)
			if err := put(path); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		s.Append(sample())
		for range s.Records(Filter{}) {
		}
		n.Note(Facts{"a": "b"})
		n.PushNotice("x")
		n.TakeNotices()
		n.Facts()
		if c, err := s.Claim(time.Now(), "k"); err == nil {
			c.Store([]byte("x"))
		}
		s.Plan("h")
		s.sweep()
		if data, _ := os.ReadFile(victim); string(data) != "mine" {
			t.Errorf("written through a link: %q", data)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	}
}
