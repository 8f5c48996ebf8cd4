package state

import (
	"errors"
	"path/filepath"
	"runtime"
)

// Dir returns the folder of everything that hookspan remembers: $XDG_STATE_HOME/hookspan, else
// %LOCALAPPDATA%\hookspan on Windows and ~/.local/state/hookspan elsewhere. env looks a variable up
// (os.Getenv). A relative path in a variable is ignored, as the XDG specification says. The error
// means that no variable names a place.
func Dir(env func(string) string) (string, error) {
	return dirOf(runtime.GOOS, env)
}

func dirOf(goos string, env func(string) string) (string, error) {
	type place struct{ variable, below string }
	places := []place{{"XDG_STATE_HOME", ""}, {"HOME", ".local/state"}}
	if goos == "windows" {
		places = []place{{"XDG_STATE_HOME", ""}, {"LOCALAPPDATA", ""}, {"USERPROFILE", "AppData/Local"}}
	}
	for _, p := range places {
		if base := env(p.variable); filepath.IsAbs(base) {
			return filepath.Join(base, filepath.FromSlash(p.below), "hookspan"), nil
		}
	}
	return "", errors.New("failed to find a place for hookspan's state: set HOME or XDG_STATE_HOME to an absolute path")
}
