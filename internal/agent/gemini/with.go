package gemini

import "github.com/hookspan/hookspan/internal/agent"

// With starts Gemini CLI with hooks for one session: GEMINI_CLI_SYSTEM_SETTINGS_PATH names a settings file
// of the machine. 0.61.0 reads it only where the file and all folders above it belong to root and nobody
// else may write there (checkPosixStatsSecurity in its bundle), so this is a way for root alone, as in
// most containers. No option, and no other variable, names further settings.
func With() agent.With {
	return agent.With{
		Ways: []agent.Way{{
			Env:   []string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH={dir}/settings.json"},
			Hooks: agent.Carrier{Path: "settings.json", Format: agent.JSONComments, BOM: true, At: []string{"hooks"}},
			Layer: &agent.Layer{
				Var:   "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
				Linux: "/etc/gemini-cli/settings.json", Mac: "/Library/Application Support/GeminiCli/settings.json", Windows: `C:\ProgramData\gemini-cli\settings.json`,
				Beside: "system-defaults.json", BesideVar: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH", Root: true,
			},
		}},
		Not: "Gemini CLI takes settings for one session from a file of the machine only, which must belong to root, with every folder above it. " +
			"Type `hookspan install --agent gemini`, and `hookspan uninstall --agent gemini` afterwards: your settings come back byte for byte",
		Notes: []string{"no hook runs in a folder that Gemini does not trust (GEMINI_CLI_TRUST_WORKSPACE=true trusts it for one session)"},
	}
}
