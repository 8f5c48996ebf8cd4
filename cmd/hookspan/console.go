package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// flags makes a verb's flag set; its help comes from the verb table.
func (c *console) flags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// listFlag adds a flag whose value is a list with commas between; a flag that is given again adds to it.
func listFlag(fs *flag.FlagSet, into *string, name, usage string) {
	fs.Func(name, usage, func(s string) error {
		if *into != "" {
			s = *into + "," + s
		}
		*into = s
		return nil
	})
}

// parse reads a verb's arguments; flags may stand before and after the others. ok is false when the
// verb is over: help was shown (code 0) or the usage is wrong (code 2).
func (c *console) parse(fs *flag.FlagSet, args []string) (rest []string, code int, ok bool) {
	for {
		err := fs.Parse(args)
		switch {
		case errors.Is(err, flag.ErrHelp):
			c.help(fs)
			return nil, exitOK, false
		case err != nil:
			return nil, c.wrong("%s: %v; hookspan %s --help", fs.Name(), err, fs.Name()), false
		}
		if fs.NArg() == 0 {
			return rest, 0, true
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

func (c *console) help(fs *flag.FlagSet) {
	for _, v := range verbs() {
		if v.name == fs.Name() {
			fmt.Fprintf(c.out, "hookspan %s %s\n\n%s\n", v.name, v.args, upperFirst(v.about))
		}
	}
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			fmt.Fprintln(c.out)
			first = false
		}
		fmt.Fprintf(c.out, "  --%-12s %s\n", f.Name, f.Usage)
	})
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// table prints rows in columns, without trailing blanks.
func table(w io.Writer, rows [][]string) {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	t.Flush()
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}
