package qwen

import "github.com/hookspan/hookspan/internal/agent"

const trustGate = "folder trust, off by default (security.folderTrust.enabled): project hooks run without any approval"

func places() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "${QWEN_HOME:-~/.qwen}/settings.json", Format: agent.JSONComments, Read: true,
			Note: "key hooks; with a trailing comma the whole file is not loaded, silently headless", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.qwen/settings.json", Format: agent.JSONComments, Read: true,
			Gate: trustGate, Walk: "launch folder only",
			Note: "the same command in two layers runs once", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "${QWEN_CODE_SYSTEM_SETTINGS_PATH:-/etc/qwen-code/settings.json}", Format: agent.JSONComments, Read: true,
			Note: "Linux", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "/Library/Application Support/QwenCode/settings.json", Format: agent.JSONComments, Read: true,
			Note: "macOS", Proof: src()},
		{Scope: agent.ScopeManaged, Path: `C:\ProgramData\qwen-code\settings.json`, Format: agent.JSONComments, Read: true,
			Note: "Windows", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "${QWEN_CODE_SYSTEM_DEFAULTS_PATH:-/etc/qwen-code/system-defaults.json}", Format: agent.JSONComments, Read: true,
			Note: "lowest layer; beside the system file elsewhere", Proof: src()},
		{Scope: agent.ScopePlugin, Path: "${QWEN_HOME:-~/.qwen}/extensions/*/hooks/hooks.json", Format: agent.JSON, Read: true, Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.gemini/settings.json", Format: agent.JSONComments,
			Note: "never read; Gemini's event names are refused", Proof: live()},
	}
}

func switches() []string {
	return []string{"disableAllHooks: true"}
}

func holes() []string {
	return []string{
		"calls of unknown or disabled tools: only PostToolBatch",
		"-p: no SessionEnd, no PermissionRequest",
		"updatedInput is ignored: a rewrite becomes a refusal that says what to run instead",
		"hooks in the front matter of skills and subagents fire as well, while these run",
	}
}
