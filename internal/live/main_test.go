package live

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// programs are what the test binary can be when it is started by a test: `live.test NAME args`.
var programs = map[string]func(args []string) int{"ask-model": askModel}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && programs[os.Args[1]] != nil {
		os.Exit(programs[os.Args[1]](os.Args[2:]))
	}
	os.Exit(m.Run())
}

// askModel is an agent of a few lines: it posts args[1] to args[0] and prints the answer.
func askModel(args []string) int {
	resp, err := http.Post(args[0], "application/json", strings.NewReader(args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(os.Stdout, resp.Body); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
