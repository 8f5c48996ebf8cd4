package fakemodel

import "net/http"

// writeChat prints an answer as an OpenAI chat completion.
func writeChat(w http.ResponseWriter, r Request, a reply) {
	calls := chatCalls(a)
	finish := "stop"
	if len(calls) > 0 {
		finish = "tool_calls"
	}
	usage := map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
	if !stream(r) {
		writeWhole(w, map[string]any{"id": a.id("chatcmpl", 0), "object": "chat.completion", "created": 1700000000, "model": a.model,
			"choices": []any{map[string]any{"index": 0, "message": chatMessage(a, calls), "finish_reason": finish}}, "usage": usage})
		return
	}
	s := startSSE(w)
	chunk := func(choices []any, more map[string]any) {
		c := map[string]any{"id": a.id("chatcmpl", 0), "object": "chat.completion.chunk", "created": 1700000000, "model": a.model, "choices": choices}
		for k, v := range more {
			c[k] = v
		}
		s.event("", c)
	}
	delta := func(d map[string]any, finish any) {
		chunk([]any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}}, nil)
	}
	delta(map[string]any{"role": "assistant", "content": a.text}, nil)
	for i, c := range calls {
		c["index"] = i
		delta(map[string]any{"tool_calls": []any{c}}, nil)
	}
	delta(map[string]any{}, finish)
	chunk([]any{}, map[string]any{"usage": usage})
	s.event("", "[DONE]")
}

func chatCalls(a reply) []map[string]any {
	var out []map[string]any
	for i, c := range a.calls {
		call := map[string]any{"id": a.id("call", i), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": string(c.args())}}
		if c.Args == nil {
			call = map[string]any{"id": a.id("call", i), "type": "custom", "custom": map[string]any{"name": c.Name, "input": c.Free}}
		}
		out = append(out, call)
	}
	return out
}

func chatMessage(a reply, calls []map[string]any) map[string]any {
	m := map[string]any{"role": "assistant", "content": a.text}
	if len(calls) > 0 {
		m["tool_calls"] = calls
	}
	return m
}
