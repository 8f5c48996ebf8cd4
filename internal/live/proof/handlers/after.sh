#!/bin/sh
# Tells the model something about commands that name allowed.txt, after they have run.
case $(cat) in
*allowed.txt*)
	printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"proof-tool-context-2290"}}'
	;;
esac
