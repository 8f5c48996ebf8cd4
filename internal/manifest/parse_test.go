package manifest

import (
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
)

// onPre puts a handler, in flow YAML, into line 3 of a manifest.
func onPre(handler string) string {
	return "hooks:\n  PreToolUse:\n    - hooks: [" + handler + "]\n"
}

func onStop(handler string) string {
	return "hooks:\n  Stop:\n    - hooks: [" + handler + "]\n"
}

func matching(matcher string) string {
	return "hooks:\n  PreToolUse:\n    - matcher: " + matcher + "\n      hooks: [{ command: x }]\n"
}

// Each wrong manifest has exactly these errors, word for word: people act by them.
func TestErrorsSayWhereWhatAndWhatToWrite(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		// YAML
		{"alias in flow", onPre("{ guard: protect-paths, paths: [*.pem, .env] }"), []string{
			`hookspan.yaml:3:47: *.pem: "*" begins an alias in YAML, and a manifest has none (quote it: "*.pem")`}},
		{"tag in flow", onPre("{ guard: protect-paths, paths: [.env, !.env.example] }"), []string{
			`hookspan.yaml:3:53: !.env.example: "!" begins a tag in YAML, and a manifest has none (quote it: "!.env.example")`}},
		{"alias and tag in block, with comment", "hooks:\n  PreToolUse:\n    - hooks:\n        - guard: protect-paths\n          paths:\n            - *.pem # keys\n            - !.env.example\n", []string{
			`hookspan.yaml:6:15: *.pem: "*" begins an alias in YAML, and a manifest has none (quote it: "*.pem")`,
			`hookspan.yaml:7:15: !.env.example: "!" begins a tag in YAML, and a manifest has none (quote it: "!.env.example")`}},
		{"star", matching("*"), []string{
			`hookspan.yaml:3:16: *: "*" begins an alias in YAML, and a manifest has none (quote it: "*", or leave the key out)`}},
		{"anchor", "hooks: &all\n  Stop: *all\n", []string{
			`hookspan.yaml:1:8: &all: "&" begins an anchor in YAML, and a manifest has none (quote it: "&all")`,
			`hookspan.yaml:2:9: *all: "*" begins an alias in YAML, and a manifest has none (quote it: "*all")`}},
		{"merge key", "hooks:\n  <<: x\n", []string{
			`hookspan.yaml:2:3: "<<" merges maps, which is no part of a manifest (write the keys out)`}},
		{"typed tag", onPre("{ command: !!str x }"), []string{
			`hookspan.yaml:3:26: !!str x: "!" begins a tag in YAML, and a manifest has none (leave it out: a value's own form tells its type)`}},
		{"directive", "%YAML 1.2\n---\nhooks: {}\n", []string{
			`hookspan.yaml:1:1: %YAML 1.2: "%" begins a directive in YAML, and a manifest has none (quote it: "%YAML 1.2")`,
			`hookspan.yaml:2:1: "---" begins another document, and a manifest is one (take the line out)`}},
		{"reserved at", matching("@edit"), []string{
			`hookspan.yaml:3:16: @edit: YAML keeps "@" at the beginning of a word for itself (quote it: "@edit")`}},
		{"backtick", onPre("{ command: `x` }"), []string{
			"hookspan.yaml:3:26: `x`: YAML keeps \"`\" at the beginning of a word for itself (quote it: \"`x`\")"}},
		{"tab", "hooks:\n\tStop: []\n", []string{
			`hookspan.yaml:2:1: a tab cannot indent YAML (indent with spaces)`}},
		{"tab in text", onPre("{ command: a\tb }"), []string{
			`hookspan.yaml:3:26: a tab in text without quotes (quote the text, or write blanks)`}},
		{"two documents", "hooks: {}\n---\nhooks: {}\n", []string{
			`hookspan.yaml:2:1: "---" begins another document, and a manifest is one (take the line out)`}},
		{"two keys", "hooks: {}\nhooks: {}\n", []string{
			`hookspan.yaml:2:1: the key "hooks" is there twice, first in line 1 (a key may stand once in a map)`}},
		{"question mark key", "? hooks\n: {}\n", []string{
			`hookspan.yaml:1:1: a key after "?" is no part of a manifest`}},
		{"colon in text", "hooks:\n  Stop:\n    - hooks:\n        - command: echo a: b\n", []string{
			`hookspan.yaml:4:20: not YAML: mapping value is not allowed in this context (text that holds ": " or follows a quoted word wants quotes around the whole)`}},
		{"no blank after colon", onPre("{ command:x }"), []string{
			`hookspan.yaml:3:24: ":" without a blank behind it (write a blank behind ":", or quote the whole text)`}},
		{"lines run together", "hooks:\n  Stop:\n    - hooks:\n        - command: x\n            timeout\n", []string{
			`hookspan.yaml:4:20: x timeout: text without quotes ends with its line (quote it, write | before it, or look at the indentation)`}},
		{"empty block", "hooks:\n  Stop:\n    - hooks:\n        - command: |\n        - command: x\n", []string{
			`hookspan.yaml:4:20: "|" is followed by no text (indent it deeper than its key)`}},
		{"block with digit", "hooks:\n  Stop:\n    - hooks:\n        - command: |2\n              x\n", []string{
			`hookspan.yaml:4:20: "|2": a digit for the indentation is no part of a manifest (take the digit out, and indent the text like its first line)`}},
		{"list at top", "- hooks\n", []string{`hookspan.yaml:1:1: a manifest must be a map, not a list (begin with "hooks:")`}},
		{"deep brackets", "hooks: " + strings.Repeat("[", 60), []string{`hookspan.yaml:1:58: nested deeper than 50 levels`}},
		{"deep dashes", strings.Repeat("- ", 60) + "x\n", []string{`hookspan.yaml:1:101: nested deeper than 50 levels`}},

		// bytes
		{"UTF-16", "\xff\xfeh\x00", []string{`hookspan.yaml:1:1: the manifest is UTF-16 (save it as UTF-8)`}},
		{"Latin-1", "hooks: {}\n# caf\xe9\n", []string{`hookspan.yaml:2:6: the manifest is not UTF-8 here (save it as UTF-8)`}},
		{"escape character", "hooks: {} # \x1b[0m\n", []string{`hookspan.yaml:1:13: control character 0x1b (take it out)`}},
		{"lone return", "hooks:\r  Stop: []\r", []string{`hookspan.yaml:1:7: control character 0x0d (take it out)`}},
		{"too large", strings.Repeat("#\n", MaxSize), []string{`hookspan.yaml: the manifest is larger than 1048576 bytes`}},

		// JSON
		{"JSON comment", "{\n  \"hooks\": {} // later\n}", []string{
			`hookspan.yaml:2:15: JSON has no comments (write the manifest as YAML, where # begins a comment, or take it out)`}},
		{"JSON trailing comma", "{\"hooks\": {},}", []string{`hookspan.yaml:1:14: JSON allows no comma before "}" (take the comma out)`}},
		{"JSON key twice", "{\"hooks\": {},\n \"hooks\": {}}", []string{
			`hookspan.yaml:2:2: the key "hooks" is there twice (a key may stand once in an object)`}},
		{"JSON deep", "{\"hooks\": " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "}", []string{`hookspan.yaml:1:61: nested deeper than 50 levels`}},

		{"JSON escaped key", `{"a\"b": 1, "hooks": {"Sto\u0070": 1}}`, []string{`hookspan.yaml:1:36: "Stop" must be a list of groups, not a number (write "- " before each group)`}},
		{"quote not closed", "ask: \"deny\n", []string{`hookspan.yaml:1:6: not YAML: could not find end character of double-quoted text`}},
		{"text with quotes in a hint", onPre(`{ command: x, env: A="b" }`), []string{`hookspan.yaml:3:34: "env" must be a list, not text (write a list: ['A="b"'])`}},

		// top and events
		{"event at top", "PreToolUse: []\n", []string{`hookspan.yaml:1:1: unknown key "PreToolUse" (events stand under "hooks")`}},
		{"slip at top", "hook: {}\n", []string{`hookspan.yaml:1:1: unknown key "hook" (did you mean "hooks"?)`}},
		{"unknown at top", "permissions: {}\n", []string{`hookspan.yaml:1:1: unknown key "permissions" (known: hooks, ask, journal, description)`}},
		{"slip at top in JSON", `{"Hooks": {}}`, []string{`hookspan.yaml:1:2: unknown key "Hooks" (did you mean "hooks"?)`}},
		{"ask", "ask: maybe\n", []string{`hookspan.yaml:1:6: "ask" must be deny or none, not "maybe" (known: deny, none)`}},
		{"journal", "journal: ful\n", []string{`hookspan.yaml:1:10: "journal" must be summary or full, not "ful" (did you mean "full"?)`}},
		{"hooks is a list", "hooks: []\n", []string{`hookspan.yaml:1:8: "hooks" must be a map of events, not a list (write an event and its list: PreToolUse: [...])`}},
		{"event case", "hooks: { pretooluse: [] }\n", []string{`hookspan.yaml:1:10: unknown event "pretooluse" (did you mean "PreToolUse"?)`}},
		{"event snake", "hooks: { pre_tool_use: [] }\n", []string{`hookspan.yaml:1:10: unknown event "pre_tool_use" (did you mean "PreToolUse"?)`}},
		{"event slip", "hooks: { PretolUse: [] }\n", []string{`hookspan.yaml:1:10: unknown event "PretolUse" (did you mean "PreToolUse"?)`}},
		{"event of an agent", "hooks: { BeforeTool: [] }\n", []string{`hookspan.yaml:1:10: "BeforeTool" is an agent's own name, and arrives as PreToolUse (write "PreToolUse")`}},
		{"event of nobody", "hooks: { Whatever: [] }\n", []string{
			`hookspan.yaml:1:10: unknown event "Whatever" (events: SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, Notification, Stop, SessionEnd, or an agent's own event)`}},
		{"groups are a map", "hooks:\n  Stop:\n    hooks: []\n", []string{`hookspan.yaml:3:5: "Stop" must be a list of groups, not a map (write "- " before each group)`}},
		{"group is text", "hooks: { Stop: [x] }\n", []string{`hookspan.yaml:1:17: a group must be a map, not text (write matcher: and hooks:)`}},
		{"group without hooks", "hooks:\n  Stop:\n    - matcher: x\n", []string{`hookspan.yaml:3:7: a group needs "hooks" (write hooks: [...] beside matcher)`}},
		{"handler in the place of a group", "hooks:\n  Stop:\n    - command: x\n", []string{
			`hookspan.yaml:3:7: "command" stands on a handler, not on a group (a handler stands in a group: - hooks: [{command: ...}])`}},
		{"handler key on a group", "hooks:\n  PreToolUse:\n    - if: Bash(git *)\n      hooks: [{ command: x }]\n", []string{
			`hookspan.yaml:3:7: "if" stands on a handler, not on a group (move it into each handler under hooks)`}},
		{"slip on a group", "hooks:\n  PreToolUse:\n    - matchers: Bash\n      hooks: [{ command: x }]\n", []string{
			`hookspan.yaml:3:7: unknown key "matchers" (did you mean "matcher"?)`}},
		{"handlers are a map", "hooks:\n  Stop:\n    - hooks:\n        command: x\n", []string{
			`hookspan.yaml:4:9: "hooks" of a group must be a list of handlers, not a map (write "- " before each handler)`}},
		{"handler is text", "hooks: { Stop: [{ hooks: [x] }] }\n", []string{`hookspan.yaml:1:27: a handler must be a map, not text (write a map: { command: ... })`}},

		// what a handler is
		{"nothing to do", onPre("{ timeout: 3 }"), []string{`hookspan.yaml:3:15: a handler needs "command", "guard" or "url"`}},
		{"command by another word", onPre("{ bash: x }"), []string{`hookspan.yaml:3:15: a handler needs "command", "guard" or "url" ("bash": did you mean "command"?)`}},
		{"command misspelt", onPre("{ comand: x }"), []string{`hookspan.yaml:3:15: a handler needs "command", "guard" or "url" ("comand": did you mean "command"?)`}},
		{"http without url", onPre("{ http: https://a.example }"), []string{
			`hookspan.yaml:3:15: a handler needs "command", "guard" or "url" ("http": write url: ..., with type: http or without type)`}},
		{"two deeds", onPre("{ command: x, guard: protect-paths, paths: [a] }"), []string{
			`hookspan.yaml:3:29: a handler has "command" or "guard", not both (make two handlers of it)`}},
		{"type without its key", onPre("{ type: command }"), []string{`hookspan.yaml:3:15: a handler of type "command" needs "command"`}},
		{"type of another key", onPre("{ type: http, command: x }"), []string{`hookspan.yaml:3:29: a handler of type "http" has no "command" (leave type out)`}},
		{"unknown type", onPre("{ type: comand, command: x }"), []string{`hookspan.yaml:3:23: unknown type "comand" (did you mean "command"?)`}},

		// keys of handlers
		{"unknown key", onPre("{ command: x, timeuot: 3 }"), []string{`hookspan.yaml:3:29: unknown key "timeuot" (did you mean "timeout"?)`}},
		{"key of nobody", onPre("{ command: x, zzz: 3 }"), []string{
			`hookspan.yaml:3:29: unknown key "zzz" (known: name, on_failure, agents, each, env, untrusted, mode, gate, max_continues, type, command, args, timeout, if, async, onFailure)`}},
		{"camel case of ours", onStop("{ command: x, maxContinues: 3 }"), []string{`hookspan.yaml:3:29: unknown key "maxContinues" (did you mean "max_continues"?)`}},
		{"key of Copilot", onPre("{ command: x, timeoutSec: 3 }"), []string{`hookspan.yaml:3:29: unknown key "timeoutSec" (did you mean "timeout"? It is in seconds)`}},
		{"key of Cursor", onPre("{ command: x, failClosed: true }"), []string{`hookspan.yaml:3:29: unknown key "failClosed" (write on_failure: block)`}},
		{"matcher on a handler", onPre("{ command: x, matcher: Bash }"), []string{`hookspan.yaml:3:29: unknown key "matcher" ("matcher" stands on the group, beside hooks)`}},
		{"empty command", onPre(`{ command: "" }`), []string{`hookspan.yaml:3:26: "command" is empty (give it a value or leave it out)`}},
		{"command without value", "hooks:\n  Stop:\n    - hooks:\n        - command:\n          timeout: 3\n", []string{`hookspan.yaml:4:19: "command" is empty (give it a value or leave it out)`}},
		{"command is a boolean", onPre("{ command: true }"), []string{`hookspan.yaml:3:26: "command" must be text, not true or false (quote it: "true")`}},
		{"command is a map", onPre("{ command: { run: x } }"), []string{`hookspan.yaml:3:26: "command" must be text, not a map`}},
		{"command is an empty list", onPre("{ command: [] }"), []string{`hookspan.yaml:3:26: "command" is an empty list`}},
		{"number in a command", onPre("{ command: [sleep, 1.10] }"), []string{`hookspan.yaml:3:34: "command[1]" must be text, not a number (quote it: "1.10")`}},
		{"zero byte", onPre(`{ command: "a\0b" }`), []string{`hookspan.yaml:3:26: "command" has a zero byte in it`}},
		{"args with a list", onPre("{ command: [a], args: [b] }"), []string{
			`hookspan.yaml:3:31: "args" goes with a command that is text, not a list (write the arguments into the list)`}},
		{"args is text", onPre("{ command: a, args: b }"), []string{`hookspan.yaml:3:35: "args" must be a list, not text (write a list: ["b"])`}},
		{"timeout as text", onPre(`{ command: x, timeout: "10" }`), []string{`hookspan.yaml:3:38: "timeout" must be a number of seconds, not text (write 10 without quotes)`}},
		{"timeout with unit", onPre(`{ command: x, timeout: 500ms }`), []string{
			`hookspan.yaml:3:38: "timeout" must be a number of seconds, not text (a number of seconds without a unit, for instance 0.5)`}},
		{"timeout in words", onPre(`{ command: x, timeout: long }`), []string{`hookspan.yaml:3:38: "timeout" must be a number of seconds, not text`}},
		{"timeout 0", onPre(`{ command: x, timeout: 0 }`), []string{`hookspan.yaml:3:38: "timeout" must be more than 0 seconds (at least 0.001; leave it out for 60)`}},
		{"timeout negative", onPre(`{ command: x, timeout: -1 }`), []string{`hookspan.yaml:3:38: "timeout" must be more than 0 seconds (at least 0.001; leave it out for 60)`}},
		{"timeout of a week", onPre(`{ command: x, timeout: 604800 }`), []string{`hookspan.yaml:3:38: "timeout" is too long: 604800 seconds (at most 86400)`}},
		{"timeout in hex", onPre(`{ command: x, timeout: 0x10 }`), []string{`hookspan.yaml:3:38: "timeout" must be a number of seconds, not 0x10 (write it as a plain decimal number)`}},
		{"timeout with zeros in front", onPre(`{ command: x, timeout: 010 }`), []string{`hookspan.yaml:3:38: "timeout" must be a number of seconds, not 010 (write it as a plain decimal number)`}},
		{"timeout infinite", onPre(`{ command: x, timeout: .inf }`), []string{`hookspan.yaml:3:38: "timeout" must be a number of seconds, not .inf (write it as a plain decimal number)`}},
		{"yes", onPre(`{ command: x, async: yes }`), []string{`hookspan.yaml:3:36: "async" must be true or false, not the text "yes" (write true)`}},
		{"true in quotes", onPre(`{ command: x, async: "true" }`), []string{`hookspan.yaml:3:36: "async" must be true or false, not text (write true without quotes)`}},
		{"off", onPre(`{ command: x, async: off }`), []string{`hookspan.yaml:3:36: "async" must be true or false, not the text "off" (write false)`}},
		{"one", onPre(`{ command: x, async: 1 }`), []string{`hookspan.yaml:3:36: "async" must be true or false, not a number (write true or false)`}},
		{"on_failure", onPre(`{ command: x, on_failure: continue }`), []string{`hookspan.yaml:3:41: "on_failure" must be block or allow, not "continue" (write allow)`}},
		{"onFailure", onPre(`{ command: x, onFailure: allow }`), []string{`hookspan.yaml:3:40: "onFailure" must be block or continue, not "allow" (write continue)`}},
		{"both spellings", onPre(`{ command: x, on_failure: block, onFailure: block }`), []string{`hookspan.yaml:3:48: "on_failure" and "onFailure" are the same key (keep one of them)`}},
		{"each", onPre(`{ command: x, each: files }`), []string{`hookspan.yaml:3:35: "each" must be file or call, not "files" (did you mean "file"?)`}},
		{"each on Stop", onStop(`{ command: x, each: call }`), []string{`hookspan.yaml:3:29: "each" has no meaning on Stop, which is about no tool (take it out)`}},
		{"mode", onPre(`{ command: x, mode: Warn }`), []string{`hookspan.yaml:3:35: "mode" must be enforce or warn, not "Warn" (did you mean "warn"?)`}},
		{"agents", onPre(`{ command: x, agents: [cluade] }`), []string{`hookspan.yaml:3:38: unknown agent "cluade" (did you mean "claude"?)`}},
		{"agents of nobody", onPre(`{ command: x, agents: [zzz] }`), []string{`hookspan.yaml:3:38: unknown agent "zzz" (known: claude, codex, gemini, opencode)`}},
		{"agents is text", onPre(`{ command: x, agents: claude }`), []string{`hookspan.yaml:3:37: "agents" must be a list, not text (write a list: ["claude"])`}},
		{"agents is empty", onPre(`{ command: x, agents: [] }`), []string{`hookspan.yaml:3:37: "agents" is empty: the handler would never run (leave it out for all agents)`}},
		{"env with values", onPre(`{ command: x, env: { A: b } }`), []string{
			`hookspan.yaml:3:34: "env" is a list of names, it sets no values (list the names that are passed on: [PATH, HOME])`}},
		{"env with a value", onPre(`{ command: x, env: [A=b] }`), []string{`hookspan.yaml:3:35: "A=b" is no name of a variable (write the name alone: PATH)`}},
		{"name", onPre(`{ command: x, name: "a#2" }`), []string{`hookspan.yaml:3:35: "a#2" cannot be a name (letters, digits, blanks and . _ - / +, at most 64 bytes)`}},
		{"gate before a tool", onPre(`{ command: x, gate: true }`), []string{
			`hookspan.yaml:3:29: "gate" has no meaning on PreToolUse, where the agent does not stop (it belongs under Stop or SubagentStop)`}},
		{"max_continues before a tool", onPre(`{ command: x, max_continues: 3 }`), []string{
			`hookspan.yaml:3:29: "max_continues" has no meaning on PreToolUse, where the agent does not stop (it belongs under Stop or SubagentStop)`}},
		{"max_continues 0", onStop(`{ command: x, max_continues: 0 }`), []string{`hookspan.yaml:3:44: "max_continues" must be a whole number, not 0 (from 1 to 100)`}},
		{"max_continues 2.5", onStop(`{ command: x, max_continues: 2.5 }`), []string{`hookspan.yaml:3:44: "max_continues" must be a whole number, not 2.5 (from 1 to 100)`}},
		{"async gate", onStop(`{ command: x, gate: true, async: true }`), []string{
			`hookspan.yaml:3:41: a gate must be waited for, and an async handler is not (take one of them out)`}},

		// guards
		{"unknown guard", onPre(`{ guard: protect-path, paths: [a] }`), []string{`hookspan.yaml:3:24: there is no guard "protect-path" in this version (did you mean "protect-paths"?)`}},
		{"guard of another version", onPre(`{ guard: keep-hooks }`), []string{
			`hookspan.yaml:3:24: there is no guard "keep-hooks" in this version (known: protect-paths, package-manager, prompt-secrets)`}},
		{"guard without its key", onPre(`{ guard: protect-paths }`), []string{`hookspan.yaml:3:17: the guard "protect-paths" needs "paths"`}},
		{"unknown key of a guard", onPre(`{ guard: protect-paths, path: [a] }`), []string{
			`hookspan.yaml:3:17: the guard "protect-paths" needs "paths"`,
			`hookspan.yaml:3:39: unknown key "path" of guard "protect-paths" (did you mean "paths"?)`}},
		{"another guard's key", onPre(`{ guard: protect-paths, paths: [a], use: pnpm }`), []string{
			`hookspan.yaml:3:51: unknown key "use" of guard "protect-paths" (known: guard, name, on_failure, agents, mode, type, timeout, if, onFailure, paths, access)`}},
		{"paths is text", onPre(`{ guard: protect-paths, paths: .env }`), []string{`hookspan.yaml:3:46: "paths" must be a list, not text (write a list: [".env"])`}},
		{"paths is empty", onPre(`{ guard: protect-paths, paths: [] }`), []string{`hookspan.yaml:3:46: "paths" names nothing (a pattern that begins with "!" only excludes from the others)`}},
		{"paths only excludes", onPre(`{ guard: protect-paths, paths: ["!a"] }`), []string{`hookspan.yaml:3:46: "paths" names nothing (a pattern that begins with "!" only excludes from the others)`}},
		{"bad pattern", onPre(`{ guard: protect-paths, paths: ["a[", b] }`), []string{`hookspan.yaml:3:47: "a[" is no valid pattern`}},
		{"word of a guard", onPre(`{ guard: protect-paths, paths: [a], access: writes }`), []string{
			`hookspan.yaml:3:59: "access" must be read or write or any, not "writes" (did you mean "write"?)`}},
		{"empty list of a guard", onPre(`{ guard: package-manager, use: pnpm, also: [] }`), []string{`hookspan.yaml:3:58: "also" is an empty list`}},
		{"async guard", onPre(`{ guard: protect-paths, paths: [a], async: true }`), []string{
			`hookspan.yaml:3:51: "async" has no meaning for a guard (a guard is always waited for: an answer that comes later cannot refuse)`}},
		{"guard per file", onPre(`{ guard: protect-paths, paths: [a], each: call }`), []string{
			`hookspan.yaml:3:51: "each" has no meaning for a guard (a guard always looks at the whole call)`}},
		{"environment of a guard", onPre(`{ guard: protect-paths, paths: [a], env: [A] }`), []string{`hookspan.yaml:3:51: "env" has no meaning for a guard`}},
		{"guard that never acts", onStop(`{ guard: protect-paths, paths: [a] }`), []string{`hookspan.yaml:3:24: the guard "protect-paths" never acts on Stop`}},
		{"guard of an event", onPre(`{ guard: prompt-secrets }`), []string{`hookspan.yaml:3:24: the guard "prompt-secrets" never acts on PreToolUse`}},

		// http
		{"url", onPre(`{ url: "http://evil.example/" }`), []string{
			`hookspan.yaml:3:22: "url": http://evil.example/ is neither https nor on this machine (https, or http on this machine)`}},
		{"headers is a list", onPre(`{ url: "https://a.example", headers: [a] }`), []string{`hookspan.yaml:3:52: "headers" must be a map, not a list (write { Name: value })`}},
		{"header name", onPre(`{ url: "https://a.example", headers: { "a b": c } }`), []string{`hookspan.yaml:3:54: "a b" is no name of a header`}},
		{"header value", onPre(`{ url: "https://a.example", headers: { A: "x\r\nB: c" } }`), []string{`hookspan.yaml:3:57: the header "A" has a line break in it`}},
		{"header number", onPre(`{ url: "https://a.example", headers: { A: 1 } }`), []string{`hookspan.yaml:3:57: "A" must be text, not a number (quote it: "1")`}},
		{"gate over http", onStop(`{ url: "https://a.example", gate: true }`), []string{`hookspan.yaml:3:43: "gate" has no meaning for an http handler (a gate is a command whose exit decides)`}},

		// if
		{"if on Stop", onStop(`{ command: x, if: Bash(git *) }`), []string{
			`hookspan.yaml:3:29: a handler with "if" never runs on Stop: a rule is checked on tool calls only (take it out)`}},
		{"if by an agent's name", onPre(`{ command: x, if: bash(git *) }`), []string{`hookspan.yaml:3:33: "if": "bash" hits no tool: names are case-sensitive (write "Bash")`}},
		{"if open", onPre(`{ command: x, if: "Bash(git" }`), []string{`hookspan.yaml:3:33: "if": "Bash(git" has no closing parenthesis at its end`}},
		{"if with nothing", onPre(`{ command: x, if: Bash() }`), []string{`hookspan.yaml:3:33: "if": "Bash()" has nothing in its parentheses: for every use write Bash`}},
		{"if in words", onPre(`{ command: x, if: tool is Bash }`), []string{
			`hookspan.yaml:3:33: "if": "tool is Bash" is no rule: write Tool or Tool(what), for instance Bash(git *)`}},
		{"if of a host", onPre(`{ command: x, if: WebFetch(example.com) }`), []string{
			`hookspan.yaml:3:33: "if": of WebFetch only the host can be told: write WebFetch(domain:example.com)`}},
		{"if that cannot be told", onPre(`{ command: x, if: WebSearch(cats) }`), []string{
			`hookspan.yaml:3:33: "if": of WebSearch nothing can be told but its use: write WebSearch`}},
		{"if with a bad glob", onPre(`{ command: x, if: "Edit(a[)" }`), []string{`hookspan.yaml:3:33: "if": "a[" is no valid pattern`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, problems := parse(c.in)
			if p != nil {
				t.Fatalf("a plan in spite of an error:\n%s", c.in)
			}
			if got, want := lines(problems), strings.Join(c.want, "\n"); got != want {
				t.Errorf("errors of\n%s\n got %s\nwant %s", short(c.in), got, want)
			}
		})
	}
}

// Warnings leave the plan in force.
func TestWarningsNameWhatIsIgnored(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", []string{`hookspan.yaml: the manifest is empty`}},
		{"only a comment", "# later\n", []string{`hookspan.yaml: the manifest is empty`}},
		{"no handlers", "hooks:\n", []string{`hookspan.yaml: the manifest has no handlers that run`}},
		{"no group", "hooks:\n  Stop:\n", []string{`hookspan.yaml: the manifest has no handlers that run`}},
		{"empty group", "hooks: { Stop: [{ hooks: [] }] }\n", []string{`hookspan.yaml: the manifest has no handlers that run`, `hookspan.yaml:1:26: the group has no handlers`}},
		{"prompt handler", onStop(`{ type: prompt, prompt: "done?" }, { command: x }`), []string{
			`hookspan.yaml:3:15: handlers of type "prompt" do not run here: this one is skipped (the agent itself can run it from its own settings)`}},
		{"mcp_tool and agent handlers", onStop(`{ type: mcp_tool, server: a, tool: b }, { type: agent, prompt: p, model: m }, { command: x }`), []string{
			`hookspan.yaml:3:15: handlers of type "mcp_tool" do not run here: this one is skipped (the agent itself can run it from its own settings)`,
			`hookspan.yaml:3:55: handlers of type "agent" do not run here: this one is skipped (the agent itself can run it from its own settings)`}},
		{"Claude's keys", onPre(`{ type: command, command: x, shell: bash, once: true, statusMessage: s, asyncRewake: true, rewakeMessage: m, rewakeSummary: s, continueOnBlock: true }`), []string{
			`hookspan.yaml:3:44: "shell" is ignored: commands run in sh; on Windows in Git's sh, else in PowerShell`,
			`hookspan.yaml:3:57: "once" is ignored: the handler runs every time, as in Claude's settings`,
			`hookspan.yaml:3:69: "statusMessage" is ignored: only Claude could show it`,
			`hookspan.yaml:3:87: "asyncRewake" is ignored: the handler is waited for, as in claude -p`,
			`hookspan.yaml:3:106: "rewakeMessage" is ignored: it goes with asyncRewake`,
			`hookspan.yaml:3:124: "rewakeSummary" is ignored: it goes with asyncRewake`,
			`hookspan.yaml:3:142: "continueOnBlock" is ignored: it belongs to handlers of a type that does not run here`}},
		{"Claude's keys of other types", onPre(`{ command: x, model: m, prompt: p, server: s, tool: t, input: {} }`), []string{
			`hookspan.yaml:3:29: "model" is ignored: it belongs to handlers of a type that does not run here`,
			`hookspan.yaml:3:39: "prompt" is ignored: it belongs to handlers of a type that does not run here`,
			`hookspan.yaml:3:50: "server" is ignored: it belongs to handlers of a type that does not run here`,
			`hookspan.yaml:3:61: "tool" is ignored: it belongs to handlers of a type that does not run here`,
			`hookspan.yaml:3:70: "input" is ignored: it belongs to handlers of a type that does not run here`}},
		{"async http", onPre(`{ type: http, url: "https://a.example", async: true }`), []string{
			`hookspan.yaml:3:55: "async" is ignored: it has no meaning for an http handler`}},
		{"header variable", onPre(`{ url: "https://a.example", headers: { A: "Bearer $TOKEN ${B}" }, allowedEnvVars: [B] }`), []string{
			`hookspan.yaml:3:43: $TOKEN in the header A is sent empty (add it to allowedEnvVars)`}},
		{"milliseconds", onPre(`{ command: x, timeout: 5000 }`), []string{`hookspan.yaml:3:38: "timeout" is in seconds: 5000 is 1h23m20s (for milliseconds write 5)`}},
		{"async that blocks", onPre(`{ command: x, async: true, on_failure: block }`), []string{
			`hookspan.yaml:3:29: a failure of an async handler blocks nothing, since nobody waits for it`}},
		{"more than Claude continues", onStop(`{ command: x, max_continues: 20 }`), []string{
			`hookspan.yaml:3:29: Claude Code ends the turn after 8 in a row, whatever is written here`}},
		{"matcher on Stop", "hooks:\n  Stop:\n    - matcher: Bash\n      hooks: [{ command: x }]\n", []string{
			`hookspan.yaml:3:16: matcher "Bash" is ignored: Stop has nothing to match (leave it out)`}},
		{"if that the matcher forbids", "hooks:\n  PreToolUse:\n    - matcher: Write\n      hooks: [{ command: x, if: Bash(git *) }]\n", []string{
			`hookspan.yaml:4:33: the handler never runs: "if" wants Bash, and the matcher "Write" lets none through`}},
		{"settings of Claude's", `{"permissions": {"allow": []}, "disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}`, []string{
			`hookspan.yaml:1:2: "permissions" is ignored (other settings of Claude's stay in Claude's file)`,
			`hookspan.yaml:1:32: "disableAllHooks" is ignored (to switch a manifest off, remove it)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := lines(mustParse(t, c.in).Warnings), strings.Join(c.want, "\n"); got != want {
				t.Errorf("warnings of\n%s\n got %s\nwant %s", c.in, got, want)
			}
		})
	}
}

// The reason is the JSON reader's; place and hint are ours.
func TestJSONFaultsHaveAPlace(t *testing.T) {
	for in, at := range map[string]string{"{ hooks: {} }": "1:3", "{\"hooks\": {": "1:12", "{\n \"a\": é}": "2:7", "{} x": "1:4"} {
		_, problems := parse(in)
		if got := lines(problems); !strings.HasPrefix(got, "hookspan.yaml:"+at+": not JSON: ") || !strings.HasSuffix(got, "(a file that begins with { is read as JSON)") {
			t.Errorf("%q: %s", in, got)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	if _, problems := parse("hooks:\n" + strings.Repeat("  x: *y\n", 3000)); len(problems) != maxProblems {
		t.Errorf("%d problems", len(problems))
	}
	if _, problems := parse("hooks: [" + strings.Repeat("1,", maxTokens) + "]"); len(problems) != 1 || !strings.Contains(problems[0].Msg, "more than") {
		t.Errorf("problems: %s", lines(problems))
	}
}

func TestEveryKeyOfAHandlerIsObeyed(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Handler
	}{
		{`{ command: go test ./... }`, Handler{Name: "go", Shell: "go test ./...", Timeout: time.Minute}},
		{`{ command: [gofmt, -w, .] }`, Handler{Name: "gofmt", Argv: []string{"gofmt", "-w", "."}, Timeout: time.Minute}},
		{`{ command: "/opt/a b/run", args: [] }`, Handler{Name: "run", Argv: []string{"/opt/a b/run"}, Timeout: time.Minute}},
		{`{ type: command, command: x, args: ["$HOME", " "] }`, Handler{}},
		{`{ command: x, timeout: 0.5, onFailure: block, async: true }`, Handler{Name: "x", Shell: "x", Timeout: time.Second / 2, OnFailure: Block, Async: true}},
		{`{ command: x, on_failure: allow, mode: warn, each: call, untrusted: true, env: [], agents: [codex, claude], name: a/b c }`,
			Handler{Name: "a/b c", Shell: "x", Timeout: time.Minute, Mode: Warn, Each: EachCall, Untrusted: true, Env: []string{}, Agents: []string{"codex", "claude"}}},
		{`{ command: x, env: [PATH, "ProgramFiles(x86)"], mode: enforce, each: file, untrusted: false }`,
			Handler{Name: "x", Shell: "x", Timeout: time.Minute, Env: []string{"PATH", "ProgramFiles(x86)"}}},
		{`{ command: x, if: "Bash(git push *)" }`, Handler{Name: "x", Shell: "x", Timeout: time.Minute, If: "Bash(git push *)"}},
		{`{ guard: protect-paths, access: read, paths: [.env, "!.env.example"] }`, Handler{Name: "protect-paths", Type: Guard, Guard: "protect-paths",
			Options: []Option{{"paths", []string{".env", "!.env.example"}}, {"access", []string{"read"}}}, Timeout: time.Minute, OnFailure: Block}},
		{`{ type: guard, guard: package-manager, use: pnpm, also: [bun], on_failure: allow }`, Handler{Name: "package-manager", Type: Guard, Guard: "package-manager",
			Options: []Option{{"use", []string{"pnpm"}}, {"also", []string{"bun"}}}, Timeout: time.Minute}},
		{`{ url: "https://u:p@hooks.example:8443/x?y", headers: { Authorization: "Bearer $T", X-A: "" }, allowedEnvVars: [T] }`, Handler{Name: "hooks.example-8443", Type: HTTP,
			URL: "https://u:p@hooks.example:8443/x?y", Headers: []Header{{"Authorization", "Bearer $T"}, {"X-A", ""}}, AllowedEnvVars: []string{"T"}, Timeout: time.Minute}},
		{`{ type: http, url: "http://127.0.0.1:1/" }`, Handler{Name: "127.0.0.1-1", Type: HTTP, URL: "http://127.0.0.1:1/", Timeout: time.Minute}},
	} {
		if c.want.Name == "" {
			if _, problems := parse(onPre(c.in)); len(problems) == 0 {
				t.Errorf("%s: a blank argument is no error", c.in)
			}
			continue
		}
		got := handlerOf(t, "PreToolUse", c.in)
		c.want.Line = 1
		if string(encoded(got)) != string(encoded(c.want)) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.in, got, c.want)
		}
	}
}

func encoded(h Handler) []byte {
	return (&Plan{Groups: []Group{{Handlers: []Handler{h}}}}).Encode()
}

func TestGatesHaveALimitAndOthersTheAgents(t *testing.T) {
	for in, want := range map[string]int{
		`{ command: x }`:                               0,
		`{ command: x, gate: true }`:                   3,
		`{ command: x, gate: true, max_continues: 7 }`: 7,
		`{ command: x, max_continues: 2 }`:             2,
	} {
		if h := handlerOf(t, "Stop", in); h.MaxContinues != want {
			t.Errorf("%s: %d, want %d", in, h.MaxContinues, want)
		}
	}
}

func TestHandlersAreNamedAfterWhatTheyDo(t *testing.T) {
	for in, want := range map[string]string{
		`go test ./...`: "go",
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/check style.sh x`: "check",
		`'/opt/my tools/check' x`:                              "check",
		`A=1 B="x y" ./run.sh`:                                 "run.sh",
		`C:\tools\check.exe /x`:                                "check.exe",
		`[ -f x ] && y`:                                        "command",
		`$(which x)`:                                           "which",
		`{ a; }`:                                               "command",
		`ünïcode`:                                              "ünïcode",
		`python3 -u "$HOOKSPAN_DIR"/guards/check.py --strict`: "check.py",
		`sh ./run.sh`:                  "run.sh",
		`python3 -c 'import os'`:       "python3",
		`python3 -c 'a.b()'`:           "python3",
		`bash -ec 'a.b c'`:             "bash",
		`python3 -m guard`:             "python3",
		`bash`:                         "bash",
		`shellcheck x.sh`:              "shellcheck",
		`a` + strings.Repeat("b", 100): "a" + strings.Repeat("b", 63),
	} {
		d := &draft{Handler: Handler{Shell: in}}
		if got := d.derivedName(); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
		if got := d.derivedName(); got != cleanName(got) {
			t.Errorf("%s: %q could not be written as a name", in, got)
		}
	}
}

func TestNamesAreUniqueInAnEvent(t *testing.T) {
	p := mustParse(t, `hooks:
  Stop:
    - hooks: [{ command: go vet }, { command: go test, name: go }, { command: x }]
    - hooks: [{ command: go run . }]
  PreToolUse:
    - hooks: [{ command: go vet }]
`)
	var got []string
	for _, g := range p.Groups {
		for _, h := range g.Handlers {
			got = append(got, h.Name)
		}
	}
	if s := strings.Join(got, " "); s != "go go#2 x go#3 go" {
		t.Error(s)
	}
}

func TestOrderAndLinesAreThoseOfTheFile(t *testing.T) {
	p := mustParse(t, `# first line
ask: none
journal: full
description: rules of the shop
hooks:
  Stop:
    - hooks:
        - command: a
        - command: b
  AfterModel:
    - matcher: x
      hooks: [{ command: c }]
  PreToolUse:
    - hooks: [{ command: d }]
    - matcher: Bash
      hooks:
        - guard: protect-paths
          paths: [a]
`)
	type place struct {
		event         hook.Name
		name          string
		group, inFile int
	}
	want := []place{{"Stop", "a", 7, 8}, {"Stop", "b", 7, 9}, {"AfterModel", "c", 11, 12}, {"PreToolUse", "d", 14, 14}, {"PreToolUse", "protect-paths", 15, 17}}
	for _, g := range p.Groups {
		for _, h := range g.Handlers {
			if got := (place{g.Event, h.Name, g.Line, h.Line}); got != want[0] {
				t.Errorf("got %v, want %v", got, want[0])
			}
			want = want[1:]
		}
	}
	if p.Ask != "none" || p.Journal != "full" || len(p.Warnings) > 0 {
		t.Errorf("ask %q journal %q warnings %s", p.Ask, p.Journal, lines(p.Warnings))
	}
}

// The same manifest in YAML, in JSON, with a byte order mark and with Windows line ends is one plan.
func TestSyntaxDoesNotMatter(t *testing.T) {
	yaml := "hooks:\n  PreToolUse:\n    - matcher: Bash|Edit\n      hooks:\n        - command: \"echo \\\"h\\u00e9\\\"\"\n          timeout: 2.5\n          async: true\n"
	json := "\n { \"hooks\" : { \"PreToolUse\" : [\n\n {\"matcher\":\"Bash|Edit\",\"hooks\":[\n{\"command\":\"echo \\\"h\\u00e9\\\"\",\"timeout\":25e-1,\"async\":true}]}] } }\n\t"
	want := mustParse(t, yaml)
	for _, in := range []string{"\ufeff" + yaml, strings.ReplaceAll(yaml, "\n", "\r\n"), "---\n" + yaml[:0] + yaml, yaml + "...\n", json, "\ufeff" + json, strings.ReplaceAll(json, "\n", "\r\n")} {
		got := mustParse(t, in)
		got.Hash = want.Hash
		for i := range got.Groups {
			got.Groups[i].Line = want.Groups[i].Line
			got.Groups[i].Handlers[0].Line = want.Groups[i].Handlers[0].Line
		}
		if string(got.Encode()) != string(want.Encode()) {
			t.Errorf("%q:\n got %+v\nwant %+v", in, got, want)
		}
	}
}

func TestPlanIsOfThisFile(t *testing.T) {
	in := []byte("hooks: { Stop: [{ matcher: x, hooks: [{ command: y }] }] }\n")
	p, problems := Parse("/home/dev/shop/hookspan.yaml", in, nil)
	if len(problems) > 0 {
		t.Fatal(lines(problems))
	}
	if p.Path != "/home/dev/shop/hookspan.yaml" || p.Dir != "/home/dev/shop" || p.Hash != HashOf(in) || p.Scope != User {
		t.Errorf("%+v", p)
	}
	p.At("/home/dev/tree/hookspan.yaml", Project)
	if p.Dir != "/home/dev/tree" || p.Scope != Project || p.Warnings[0].Path != "/home/dev/tree/hookspan.yaml" {
		t.Errorf("%+v", p)
	}
}

// Without a vocabulary names are not judged, but nothing that it would have to allow is allowed.
func TestWithoutVocabulary(t *testing.T) {
	for in, fine := range map[string]bool{
		onPre(`{ command: x, agents: [whoever] }`):    true,
		matching("run_shell_command"):                 true,
		onPre(`{ guard: protect-paths, paths: [a] }`): false,
		onPre(`{ url: "https://a.example" }`):         false,
		"hooks: { BeforeTool: [] }\n":                 false,
		matching("bash"):                              false,
	} {
		if _, problems := Parse("hookspan.yaml", []byte(in), nil); (len(problems) == 0) != fine {
			t.Errorf("%s: %s", in, lines(problems))
		}
	}
}
