#!/bin/sh
# Gives context with each prompt.
cat > /dev/null
printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"proof-prompt-context-5813"}}'
