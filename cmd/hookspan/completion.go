package main

import (
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent/all"
)

// completion prints a completion script, made from the verb table.
func completion(c *console, args []string) int {
	args, code, ok := c.parse(c.flags("completion"), args)
	if !ok {
		return code
	}
	if len(args) != 1 {
		return c.wrong("completion takes one shell: bash, zsh, fish or powershell")
	}
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	var events []string
	for _, n := range hook.Names() {
		events = append(events, string(n))
	}
	w := words{verbs: strings.Join(names, " "), agents: strings.Join(all.Names(), " "), events: strings.Join(events, " ")}
	switch args[0] {
	case "bash":
		fmt.Fprintf(c.out, bashScript, w.verbs, w.agents, w.events)
	case "zsh":
		fmt.Fprintf(c.out, "autoload -U +X bashcompinit && bashcompinit\n"+bashScript, w.verbs, w.agents, w.events)
	case "fish":
		fmt.Fprintf(c.out, fishScript, w.verbs, w.verbs, w.agents, w.events)
	case "powershell":
		fmt.Fprintf(c.out, powershellScript, w.verbs, w.agents, w.events)
	default:
		return c.wrong("there is no completion for %q; it takes bash, zsh, fish or powershell", args[0])
	}
	return exitOK
}

type words struct{ verbs, agents, events string }

const bashScript = `_hookspan() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "%s" -- "$cur")); return; fi
  case $prev in
    --agent|with|run) COMPREPLY=($(compgen -W "%s" -- "$cur"));;
    try|--event) COMPREPLY=($(compgen -W "%s" -- "$cur"));;
    *) COMPREPLY=($(compgen -f -- "$cur"));;
  esac
}
complete -F _hookspan hookspan
`

const fishScript = `complete -c hookspan -f
complete -c hookspan -n "not __fish_seen_subcommand_from %s" -a "%s"
complete -c hookspan -l agent -xa "%s"
complete -c hookspan -n "__fish_seen_subcommand_from try" -a "%s"
`

const powershellScript = `Register-ArgumentCompleter -Native -CommandName hookspan -ScriptBlock {
  param($word, $ast, $cursor)
  $words = if ($ast.CommandElements.Count -le 2) { "%s" } else { "%s %s" }
  $words -split ' ' | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`
