// Package trust answers one question: may this project's manifest start programs?
//
// Yes, if a person has trusted these very bytes at this very place (as direnv does), or if the same
// checkout's own registration called us, told by --project in the registered command. Scripts that a
// manifest names are not hashed: a trusted manifest is as good as what it starts.
//
// Invariant: no environment variable takes part, and a grant for one checkout says nothing about
// another, a linked worktree included (Codex 0.171.0 loads the main checkout's hooks in a worktree).
//
// A variable may say where the state folder is; what a repository put there is not believed, since
// grants are sealed files (package state).
//
// It knows no agent and does not read manifests: the caller hands over the bytes that it parses.
package trust
