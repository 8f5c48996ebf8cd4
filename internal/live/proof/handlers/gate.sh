#!/bin/sh
# A check that fails once, and passes from then on.
cat > /dev/null
test -e "$CLAUDE_PROJECT_DIR/gate.open" && exit 0
: > "$CLAUDE_PROJECT_DIR/gate.open"
echo 'proof-gate-output-9436'
exit 1
