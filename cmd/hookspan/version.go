package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is set by the release build (-ldflags -X main.release=v1.2.3).
var release string

// version prints the version and what it was built with.
func version(c *console, args []string) int {
	if rest, code, ok := c.parse(c.flags("version"), args); !ok {
		return code
	} else if len(rest) > 0 {
		return c.wrong("version takes no arguments; hookspan version --help")
	}
	v := release
	if v == "" {
		v = "development"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			v = info.Main.Version
		}
	}
	fmt.Fprintf(c.out, "hookspan %s (%s %s/%s)\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}
