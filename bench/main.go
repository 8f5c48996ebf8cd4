// Command bench measures what a hook costs: whole processes, interleaved with an empty static Go
// program, minimum and CPU time; and what it costs to register in every agent at once. It is never a
// timed test: machines differ, ratios less so.
//
//	go run ./bench            every agent
//	go run ./bench -n 500     more rounds
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/wire"
)

func main() {
	rounds := flag.Int("n", 300, "rounds")
	only := flag.String("agent", "", "one agent only")
	flag.Parse()
	dir, err := os.MkdirTemp("", "hookspan-bench-")
	check(err)
	defer os.RemoveAll(dir)
	b := &bench{dir: dir}
	b.build()
	cases := b.cases(*only)
	b.run(cases, *rounds)
	report(cases)
	n, cpu := b.install()
	fmt.Printf("\nhookspan install, %d agents, nothing registered before: %.1f ms of CPU, the best of %d runs\n", n, ms(cpu), installs)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is a scratch folder with the two programs, a home and a project.
type bench struct {
	dir string
	env []string
}

// sample is one kind of process that is measured.
type sample struct {
	agent, what string
	argv        []string
	stdin       []byte
	wall, cpu   []time.Duration
	rss         int64 // KiB, the most seen
}

func (b *bench) build() {
	b.write("empty/main.go", "package main\n\nfunc main() {}\n")
	b.write("empty/go.mod", "module empty\n\ngo 1.26\n")
	b.compile(filepath.Join(b.dir, "empty"), ".", "empty.bin")
	b.write("launch/main.go", launcher)
	b.write("launch/go.mod", "module launch\n\ngo 1.26\n")
	b.compile(filepath.Join(b.dir, "launch"), ".", "launch.bin")
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	check(err)
	b.compile(string(bytes.TrimSpace(root)), "./cmd/hookspan", "hookspan")
	b.write("home/.config/hookspan/hookspan.yaml", manifest)
	check(os.MkdirAll(filepath.Join(b.dir, "project", ".git"), 0o755))
	b.env = []string{"HOME=" + filepath.Join(b.dir, "home"), "PATH=/usr/bin:/bin"}
}

// launcher starts a program and prints the most memory that it had resident, in KiB. Measured from
// here it would be ours: the kernel counts what a child shares with its parent before it starts.
const launcher = `package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	pid, err := syscall.ForkExec(os.Args[1], os.Args[1:], &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 2, 2}})
	if err != nil {
		os.Exit(1)
	}
	var usage syscall.Rusage
	syscall.Wait4(pid, nil, 0, &usage)
	os.Stdout.WriteString(strconv.FormatInt(usage.Maxrss, 10))
}
`

// manifest declares ten handlers; the guard concerns edits, the others never match.
const manifest = `hooks:
  PreToolUse:
    - matcher: Read|Write|Edit
      hooks:
        - guard: protect-paths
          paths: [".env", ".env.*", "!.env.example"]
    - matcher: WebFetch
      hooks:
        - command: ./one
        - command: ./two
        - command: ./three
    - matcher: mcp__github__.*
      hooks:
        - command: ./four
        - command: ./five
  PostToolUse:
    - matcher: NotebookEdit
      hooks:
        - command: ./six
        - command: ./seven
  Stop:
    - hooks:
        - command: ./eight
        - command: ./nine
`

func (b *bench) compile(dir, pkg, out string) {
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(b.dir, out), pkg)
	c.Dir, c.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	check(c.Run())
}

func (b *bench) write(name, text string) {
	path := filepath.Join(b.dir, name)
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, []byte(text), 0o644))
}

// cases are the empty program and, for each agent, a call that a guard looks at and one that
// concerns nobody.
func (b *bench) cases(only string) []*sample {
	list := []*sample{{what: "empty program", argv: []string{filepath.Join(b.dir, "empty.bin")}}}
	for _, a := range all.Agents() {
		if only != "" && a.Name != only {
			continue
		}
		edit := b.payload(a, "one guard matches", []agent.Call{
			{Tool: "Write", Input: object(`{"file_path":"` + b.dir + `/project/a.txt","content":"hello"}`)},
			{Tool: "Edit", Input: object(`{"file_path":"` + b.dir + `/project/a.txt","old_string":"a","new_string":"b"}`)}})
		shell := b.payload(a, "nothing matches", []agent.Call{{Tool: "Bash", Input: object(`{"command":"go test ./..."}`)}})
		list = append(list, edit, shell)
	}
	return list
}

func object(s string) wire.Value {
	v, err := wire.Parse([]byte(s))
	check(err)
	return v
}

func (b *bench) payload(a *agent.Agent, what string, calls []agent.Call) *sample {
	for _, c := range calls {
		c.Event, c.Dir = hook.PreToolUse, filepath.Join(b.dir, "project")
		native, payload, ok := a.Sample(c)
		if !ok {
			continue
		}
		argv := []string{filepath.Join(b.dir, "hookspan"), "run", a.Name}
		if native != "" {
			argv = append(argv, native)
		}
		return &sample{agent: a.Name, what: what, argv: argv, stdin: payload}
	}
	check(fmt.Errorf("%s has no call for the case %q", a.Name, what))
	return nil
}

func (b *bench) run(cases []*sample, rounds int) {
	order := slices.Clone(cases)
	for i := range rounds + 5 {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, s := range order {
			b.once(s, i >= 5) // the first rounds warm the caches
		}
	}
	if runtime.GOOS == "linux" {
		for _, s := range cases {
			b.resident(s)
		}
	}
}

func (b *bench) once(s *sample, count bool) {
	c := exec.Command(s.argv[0], s.argv[1:]...)
	c.Env, c.Dir, c.Stdin = b.env, filepath.Join(b.dir, "project"), bytes.NewReader(s.stdin)
	start := time.Now()
	check(c.Run())
	if !count {
		return
	}
	s.wall = append(s.wall, time.Since(start))
	s.cpu = append(s.cpu, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
}

const installs = 40

// install registers in every agent, each time in a home of its own, and returns how many agents there
// are and the least CPU time of the process.
func (b *bench) install() (agents int, least time.Duration) {
	names := all.Names()
	for i := range installs {
		home := filepath.Join(b.dir, "install", strconv.Itoa(i))
		check(os.MkdirAll(home, 0o755))
		c := exec.Command(filepath.Join(b.dir, "hookspan"), "install", "--agent", strings.Join(names, ","))
		c.Env, c.Dir, c.Stderr = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}, home, os.Stderr
		check(c.Run())
		if cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); i == 0 || cpu < least {
			least = cpu
		}
	}
	return len(names), least
}

// resident runs a case a few times through the launcher.
func (b *bench) resident(s *sample) {
	for range 5 {
		c := exec.Command(filepath.Join(b.dir, "launch.bin"), s.argv...)
		c.Env, c.Dir, c.Stdin = b.env, filepath.Join(b.dir, "project"), bytes.NewReader(s.stdin)
		out, err := c.Output()
		check(err)
		n, err := strconv.ParseInt(string(out), 10, 64)
		check(err)
		s.rss = max(s.rss, n)
	}
}

func report(cases []*sample) {
	base := slices.Min(cases[0].wall)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "agent\tcase\tmin ms\tmedian ms\tcpu ms\t× empty\tresident KiB")
	for _, s := range cases {
		low := slices.Min(s.wall)
		slices.Sort(s.wall)
		slices.Sort(s.cpu)
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%d\n", s.agent, s.what, ms(low), ms(s.wall[len(s.wall)/2]),
			ms(s.cpu[len(s.cpu)/2]), float64(low)/float64(base), s.rss)
	}
	t.Flush()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
