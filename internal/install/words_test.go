package install

import "testing"

// An entry is ours by the program that it starts, wherever a shell would look for one, and by nothing else.
func TestStartsOnlyWhatAShellWouldStart(t *testing.T) {
	names := []string{"antigravity", "agy"}
	ours := map[string]Started{
		"/opt/hookspan run agy":                     {Program: "/opt/hookspan"},
		"hookspan run antigravity Stop":             {Program: "hookspan", Native: "Stop"},
		"'/my tools/hookspan' run agy Stop":         {Program: "/my tools/hookspan", Native: "Stop"},
		`"/my tools/hookspan" run agy Stop`:         {Program: "/my tools/hookspan", Native: "Stop"},
		`/my\ tools/hookspan run agy Stop`:          {Program: "/my tools/hookspan", Native: "Stop"},
		`C:\tools\hookspan.exe run agy Stop`:        {Program: `C:\tools\hookspan.exe`, Native: "Stop"},
		`& 'C:/my tools/hookspan.exe' run agy Stop`: {Program: "C:/my tools/hookspan.exe", Native: "Stop"},
		`"C:\my tools\hookspan.exe" run agy`:        {Program: `C:\my tools\hookspan.exe`},
		"sh -c 'command -v hookspan >/dev/null 2>&1 || exit 0; exec hookspan run agy Stop --project ..'": {
			Program: "hookspan", Native: "Stop", Project: true},
		"if (Get-Command hookspan -ErrorAction SilentlyContinue) { hookspan run agy Stop --project .; exit $LASTEXITCODE }": {
			Program: "hookspan", Native: "Stop", Project: true},
		"cd /shop && A=1 timeout 5 hookspan run agy Stop 2>/tmp/log": {Program: "hookspan", Native: "Stop"},
		"env FOO=bar hookspan run agy --project=x":                   {Program: "hookspan", Project: true},
		"command hookspan run agy":                                   {Program: "hookspan"},
		"if true; then hookspan run agy Stop; fi":                    {Program: "hookspan", Native: "Stop"},
		`bash -lc "sh -c 'hookspan run agy Stop'"`:                   {Program: "hookspan", Native: "Stop"},
	}
	for command, want := range ours {
		if got, ok := Starts(command, names); !ok || got != want {
			t.Errorf("Starts(%q) = %+v, %v; want %+v", command, got, ok, want)
		}
	}
	for _, command := range []string{
		"", "hookspan", "hookspan run", "hookspan run claude Stop", "hookspan log --since 1h", "hookspan explain --json < /dev/null",
		"/home/dev/hookspan-notes/mine.sh", "/home/dev/bin/hookspanner run agy", "/opt/not-hookspan run agy",
		"echo hookspan run agy Stop", `echo "hookspan run agy"`, "true # hookspan run agy Stop", "cat > hookspan run agy",
		"grep hookspan run agy", "command -v hookspan run agy", "sh -c 'echo hookspan run agy'", "sh script.sh hookspan run agy",
		"printf '%s' hookspan\\ run\\ agy", "/opt/hookspan --user-own-use", "/opt/hookspan run --user-own-use agy",
		"'unclosed hookspan run agy",
	} {
		if got, ok := Starts(command, names); ok {
			t.Errorf("Starts(%q) = %+v; it does not start us", command, got)
		}
	}
}

func TestStartsArgvReadsNoShell(t *testing.T) {
	if _, ok := StartsArgv([]string{"/opt/hookspan", "run", "agy", "Stop"}, []string{"agy"}); !ok {
		t.Error("the exec form is not known as ours")
	}
	if _, ok := StartsArgv([]string{"/bin/echo", "hookspan run agy"}, []string{"agy"}); ok {
		t.Error("an argument of echo is taken for ours")
	}
}

// What is registered is known as ours, in every agent, scope and shell.
func TestWhatIsRegisteredIsKnownAsOurs(t *testing.T) {
	for _, program := range []string{"/opt/tools/hookspan", "/my tools/hookspan", "/it's/hookspan", "/dév/a(b)&c/hookspan", "C:/my tools/hookspan.exe"} {
		e := scratch(t)
		e.Program = program
		for _, os := range []string{"linux", "windows"} {
			e.OS = os
			for _, a := range registrable(t) {
				checkOurs(t, e, program, a)
			}
		}
	}
}
