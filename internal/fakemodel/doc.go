// Package fakemodel is a model that says what a script tells it, over the four wires that coding
// agents speak: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini
// generateContent, each as a stream (SSE) or whole.
//
// It is for driving real agents offline: a [Script] is what the model does, a [Server] plays it to
// whoever asks and keeps every request, so that a test can ask what the model was told.
//
// Invariants: a turn is played once and in order, to main requests only; a side request (a title, a
// quota check, token counting, a list of models, a summary) gets a harmless answer and never consumes
// a turn; every request is kept, those to unknown paths too.
//
// It knows the wires and no agent: what "run a shell command" is called in an agent is told by the
// translate function given to [New]. It opens no socket by itself.
package fakemodel
