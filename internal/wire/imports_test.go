package wire

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// What agents start pays for every import at each tool call; these cost nothing
// that the runtime does not cost already.
func TestImportsStayLight(t *testing.T) {
	allowed := " bytes context errors io iter math math/bits math/rand/v2 strconv time unicode/utf16 unicode/utf8 "
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			if path := strings.Trim(imp.Path.Value, `"`); !strings.Contains(allowed, " "+path+" ") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
