package fakemodel

import (
	"net/http"
	"strings"
)

// writeGemini prints an answer as a Gemini candidate. The verb in the path says whether it is streamed.
func writeGemini(w http.ResponseWriter, r Request, a reply) {
	chunks := geminiChunks(a)
	if strings.HasSuffix(r.Path, ":generateContent") {
		var parts []any
		for _, c := range chunks {
			parts = append(parts, c...)
		}
		writeWhole(w, geminiCandidate(parts, "STOP"))
		return
	}
	s := startSSE(w)
	for i, parts := range chunks {
		var finish any
		if i == len(chunks)-1 {
			finish = "STOP"
		}
		s.event("", geminiCandidate(parts, finish))
	}
}

// geminiChunks are the text and the calls: Gemini sends them one after the other.
func geminiChunks(a reply) [][]any {
	var out [][]any
	if a.text != "" {
		out = append(out, []any{map[string]any{"text": a.text}})
	}
	var calls []any
	for _, c := range a.calls {
		calls = append(calls, map[string]any{"functionCall": map[string]any{"name": c.Name, "args": c.args()}})
	}
	if calls != nil {
		out = append(out, calls)
	}
	return out
}

func geminiCandidate(parts []any, finish any) map[string]any {
	c := map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "index": 0}
	if finish != nil {
		c["finishReason"] = finish
	}
	return map[string]any{"candidates": []any{c}, "modelVersion": "scripted",
		"usageMetadata": map[string]any{"promptTokenCount": 100, "candidatesTokenCount": 7, "totalTokenCount": 107}}
}
