package gemini

import "strings"

// WithoutContext returns a prompt without the context that was said at SessionStart. Headless,
// Gemini puts that in front of the prompt text, where guards and handlers would take it for the
// user's words. said is the very text of the answer; other text stays, whatever it looks like, so
// nothing can be hidden behind a forged <hook_context>.
func WithoutContext(prompt, said string) string {
	const begin, end = "<hook_context>", "</hook_context>\n\n"
	rest, framed := strings.CutPrefix(prompt, begin)
	block, own, closed := strings.Cut(rest, end)
	if !framed || !closed || said == "" {
		return prompt
	}
	// Gemini escapes these two and no other, so the first end mark is Gemini's.
	ours := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(said)
	if block == ours {
		return own
	}
	others, found := withoutPart(block, ours)
	if !found {
		return prompt
	}
	return begin + others + end + own
}

// withoutPart takes one hook's context out of several, which Gemini joins with newlines.
func withoutPart(block, part string) (string, bool) {
	if rest, ok := strings.CutPrefix(block, part+"\n"); ok {
		return rest, true
	}
	if rest, ok := strings.CutSuffix(block, "\n"+part); ok {
		return rest, true
	}
	before, after, ok := strings.Cut(block, "\n"+part+"\n")
	return before + "\n" + after, ok
}
