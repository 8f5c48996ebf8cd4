#!/bin/sh
# Changes commands that name original.txt.
case $(cat) in
*original.txt*)
	printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo ran > rewritten.txt"}}}'
	;;
esac
