package install

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
)

// askLimit is how long Codex may take for all questions together.
const askLimit = time.Minute

// AskTrust has Codex itself trust our entries in these files: `codex app-server` lists the hooks it has
// found with the hash that it wants (hooks/list), records what it is told to (config/batchWrite, as its
// own dialog does), and is asked again. It returns how many entries are trusted now. Nothing is written
// behind Codex's back; what it has written is noted, for uninstall.
func (e Env) AskTrust(ctx context.Context, a *agent.Agent, files []File, o Options) (trusted int, err error) {
	j, err := e.job(a, o.Scope, true)
	if err != nil {
		return 0, err
	}
	program := e.find(j.setup.Program)
	if program == "" {
		return 0, fmt.Errorf("failed to ask for trust: there is no program %s on PATH", j.setup.Program)
	}
	unlock, err := e.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	note, err := j.noteTrust()
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	srv, err := startServer(ctx, program, e.Project)
	if err != nil {
		return 0, fmt.Errorf("failed to ask %s for trust: %w", program, err)
	}
	trusted, err = srv.trust(e.Project, names(a, &j.setup), files)
	srv.stop()
	if noted := note(); err == nil {
		err = noted
	}
	if err != nil {
		return 0, fmt.Errorf("failed to ask %s for trust: %w", program, err)
	}
	return trusted, nil
}

// noteTrust notes what stands in the file of trust before Codex writes into it; note, what stands there
// afterwards.
func (j *job) noteTrust() (note func() error, err error) {
	s, err := j.trustCarrier()
	if err != nil {
		return nil, err
	}
	if s.file, err = splice.Load(s.path, ""); err != nil {
		return nil, err
	}
	if s.doc, err = read(s.Carrier, s.path, s.file.Bytes); err != nil {
		return nil, err
	}
	rec, err := j.trustRecord(s.file.Target)
	if err != nil {
		return nil, err
	}
	before := s.file.Bytes
	if first, ok := rec.Undo.Exact(before); ok {
		before = first // asked before: both are undone together
	} else {
		rec.Empty = rec.Empty || s.doc.Get(splice.At(s.At...).Key(trustTable)).Kind() == splice.Absent
	}
	if err := j.ledger.save(rec, agent.ScopeUser); err != nil {
		return nil, err
	}
	return func() error {
		now, err := splice.Load(s.path, "")
		if err != nil || equal(now.Bytes, s.file.Bytes) {
			return err
		}
		rec.Undo = written(before, now.Bytes)
		return j.ledger.save(rec, agent.ScopeUser)
	}, nil
}

// server is a running `codex app-server`: one JSON object a line, both ways.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	last   int
	cancel func()
}

// maxLine bounds a line of the server.
const maxLine = 16 << 20

func startServer(ctx context.Context, program, dir string) (*server, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{cmd: exec.CommandContext(ctx, program, "app-server"), cancel: cancel}
	s.cmd.Dir = dir
	s.cmd.WaitDelay = time.Second
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, maxLine)
	hello := map[string]any{"clientInfo": map[string]string{"name": Name, "title": Name, "version": "1"}, "capabilities": map[string]bool{"experimentalApi": true}}
	if err := s.call("initialize", hello, nil); err != nil {
		s.stop()
		return nil, err
	}
	if err := s.send(map[string]any{"method": "initialized"}); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// stop ends the server: it leaves when its input ends, or is ended.
func (s *server) stop() {
	s.in.Close()
	left := make(chan struct{})
	go func() {
		_ = s.cmd.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(2 * time.Second):
		s.cancel()
		<-left
	}
	s.cancel()
}

func (s *server) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(b, '\n'))
	return err
}

// call asks and waits for the answer; what the server says in between is not for us.
func (s *server) call(method string, params, result any) error {
	s.last++
	if err := s.send(map[string]any{"id": s.last, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for s.out.Scan() {
		var m struct {
			ID     *int            `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *struct{ Message string }
		}
		if json.Unmarshal(s.out.Bytes(), &m) != nil || m.ID == nil || *m.ID != s.last || m.Method != "" {
			continue
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
	if err := s.out.Err(); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return fmt.Errorf("%s: it left without an answer", method)
}

// listed is a hook as Codex has found it.
type listed struct {
	Key         string `json:"key"`
	SourcePath  string `json:"sourcePath"`
	Command     string `json:"command"`
	CurrentHash string `json:"currentHash"`
	TrustStatus string `json:"trustStatus"`
}

func (s *server) list(dir string, names []string, files []File) ([]listed, error) {
	var answer struct {
		Data []struct {
			Hooks []listed `json:"hooks"`
		} `json:"data"`
	}
	if err := s.call("hooks/list", map[string]any{"cwds": []string{dir}}, &answer); err != nil {
		return nil, err
	}
	var ours []listed
	for _, d := range answer.Data {
		for _, h := range d.Hooks {
			_, starts := Starts(h.Command, names)
			here := slices.ContainsFunc(files, func(f File) bool { return same(f.Path, h.SourcePath) })
			if starts && here {
				ours = append(ours, h)
			}
		}
	}
	return ours, nil
}

func (s *server) trust(dir string, names []string, files []File) (int, error) {
	ours, err := s.list(dir, names, files)
	if err != nil {
		return 0, err
	}
	if len(ours) == 0 {
		return 0, errors.New("it does not see our entries (is the project trusted, are hooks switched on?)")
	}
	wanted := map[string]any{}
	for _, h := range ours {
		if h.TrustStatus != "trusted" && h.TrustStatus != "managed" {
			wanted[h.Key] = map[string]string{"trusted_hash": h.CurrentHash}
		}
	}
	if len(wanted) > 0 {
		edit := map[string]any{"keyPath": "hooks.state", "value": wanted, "mergeStrategy": "upsert"}
		if err := s.call("config/batchWrite", map[string]any{"edits": []any{edit}, "reloadUserConfig": true}, nil); err != nil {
			return 0, err
		}
		if ours, err = s.list(dir, names, files); err != nil {
			return 0, err
		}
	}
	trusted := 0
	for _, h := range ours {
		if h.TrustStatus == "trusted" || h.TrustStatus == "managed" {
			trusted++
		}
	}
	if trusted < len(ours) {
		return trusted, fmt.Errorf("it has recorded the trust, and still says that %d of %d entries are not trusted", len(ours)-trusted, len(ours))
	}
	return trusted, nil
}
