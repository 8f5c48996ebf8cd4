#!/bin/sh
# Notes the one file that was edited.
cat > /dev/null
printf '%s\n' "$HOOKSPAN_FILE" >> "$CLAUDE_PROJECT_DIR/edited.log"
