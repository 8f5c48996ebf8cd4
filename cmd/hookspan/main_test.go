package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the command: scripts run the very code that is tested, and nothing else. As
// `agent` it plays an agent: it starts the registered command as agents do.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"hookspan": main,
		"agent":    fakeAgent,
	})
}

// fakeAgent is `agent PAYLOAD COMMAND [ARGS..]`: it hands the payload over and leaves the pipe open, waits for standard output to close, and shows the answer as an agent sees it.
func fakeAgent() {
	payload, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	c := exec.Command(os.Args[2], os.Args[3:]...)
	in, err := c.StdinPipe()
	if err != nil {
		panic(err)
	}
	var out, errOut strings.Builder
	c.Stdout, c.Stderr = &out, &errOut
	if err := c.Start(); err != nil {
		panic(err)
	}
	_, _ = in.Write(bytes.TrimSuffix(payload, []byte("\n"))) // and it stays open
	err = c.Wait()
	in.Close()
	_, _ = io.WriteString(os.Stdout, "exit "+exitText(c, err)+"\n"+out.String())
	_, _ = io.WriteString(os.Stderr, errOut.String())
}

func exitText(c *exec.Cmd, err error) string {
	if err == nil {
		return "0"
	}
	return c.ProcessState.String()[len("exit status "):]
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"journal": journalHas},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Vars = slices.DeleteFunc(env.Vars, func(v string) bool { return strings.HasPrefix(v, "XDG_") })
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".local", "state"))
			for _, dir := range []string{"shop/.git", "home/.config/hookspan"} {
				if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// journalHas is `journal TEXT`: the last record of the journal holds the text.
func journalHas(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.ReadFile(filepath.Join(ts.Getenv("XDG_STATE_HOME"), "hookspan", "last.json"))
	if strings.Contains(b, strings.Join(args, " ")) == neg {
		ts.Fatalf("the last record is %s", b)
	}
}
