// Package manifest finds, reads and validates a hookspan.yaml and compiles it to a [Plan].
//
// A manifest is YAML without anchors, aliases or tags, or JSON when its first character is "{"; a
// block pasted from Claude Code's settings.json is valid. Both become one tree of nodes with line
// and column, which is read once: each fault is a [Problem] that says where, what, and what to write
// instead. A Plan can be encoded and read back fast, so that a run need not parse YAML.
//
// Invariants:
//
//   - a manifest with one error yields no plan: nothing is guarded by half of a rule;
//   - no content makes Parse or DecodePlan panic, loop, or recurse deeper than the limits here;
//   - a matcher that can never match is an error, never a rule that silently does nothing;
//   - DecodePlan(p.Encode()) is p.
//
// The package starts nothing and decides no trust. It must not know any agent: names of tools,
// events and agents come from a [Vocabulary], names and keys of guards from [GuardSpec]s.
package manifest
