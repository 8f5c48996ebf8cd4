// Package redact masks secrets in texts and JSON before they are stored or shown: in the journal, in
// captures, in what a handler sends away.
//
// A secret is known by the name it stands under (password=..., --token ..., "api_key": ...,
// Authorization: ..., mysql -p...) or by its shape (AKIA..., ghp_..., a JWT, a private key,
// https://user:password@host, a long random token). Names decide in favour of masking; shapes and
// randomness are strict.
//
// # Laws
//
//   - what stands under a secret's name, or has a known shape, is not in the result;
//   - masking twice is masking once;
//   - JSON stays JSON: the same keys in the same order, the same nesting. A masked number becomes a
//     string; a key that is itself a secret is masked as well;
//   - no input panics, and the time grows with the length of the input only.
//
// # What is not masked, by decision
//
//   - git hashes, UUIDs, digests and other tokens of one letter case: nothing tells a hexadecimal
//     key from a commit. It is masked only under a name;
//   - paths, words, identifiers, subresource hashes (sha512-..., h1:...), public keys, certificates,
//     ids of calls and messages (toolu_..., call_...);
//   - base64 of more than 128 characters or of several lines: images, not tokens. Encoded private
//     keys are known by their beginning;
//   - references to a secret: $TOKEN, ${TOKEN}, $(command), process.env.TOKEN, <placeholder>;
//   - true, false, null, type names, and counts under names like max_tokens.
//
// # What it must not know
//
// Agents, files, and what the text is for. No regular expressions: this runs before each tool call.
package redact
