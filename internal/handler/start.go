package handler

import (
	"fmt"
	"os"
)

// Start starts the program in a session of its own and does not wait for it. Nothing of ours ends it, and
// nobody reads what it prints: an agent would wait for pipes of its own that stay open. Its input is a
// file without a name, since we are gone before a program has read a pipe that is full.
func (c Command) Start() error {
	argv, path, err := c.resolve()
	if err != nil {
		return err
	}
	in, err := inputFile(c.Stdin)
	if err != nil {
		return fmt.Errorf("failed to write its input: %w", err)
	}
	defer in.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("failed to start it: %w", err)
	}
	defer null.Close()
	p, g, err := startGroup(path, argv, c.Dir, c.Env, []*os.File{in, null, null})
	if err != nil {
		return startError(path, c.Dir, err)
	}
	g.close()
	_ = p.Release()
	return nil
}

// inputFile holds a text and is gone when nobody has it open any more.
func inputFile(text []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "hookspan-input-*")
	if err != nil {
		return nil, err
	}
	if f, err = unnamed(f); err != nil {
		return nil, err
	}
	if _, err = f.Write(text); err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
