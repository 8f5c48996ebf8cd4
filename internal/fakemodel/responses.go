package fakemodel

import "net/http"

// writeResponses prints an answer as an OpenAI response.
func writeResponses(w http.ResponseWriter, r Request, a reply) {
	items := responseItems(a)
	response := func(status string, output []map[string]any) map[string]any {
		return map[string]any{"id": a.id("resp", 0), "object": "response", "created_at": 1700000000, "model": a.model,
			"status": status, "output": output, "parallel_tool_calls": true, "error": nil, "incomplete_details": nil,
			"usage": map[string]any{"input_tokens": 100, "output_tokens": 10, "total_tokens": 110,
				"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}}
	}
	if !stream(r) {
		writeWhole(w, response("completed", items))
		return
	}
	s := responseStream{sse: startSSE(w)}
	s.typed("response.created", map[string]any{"response": response("in_progress", []map[string]any{})})
	for i, it := range items {
		s.item(i, it)
	}
	s.typed("response.completed", map[string]any{"response": response("completed", items)})
}

func responseItems(a reply) []map[string]any {
	var out []map[string]any
	if a.text != "" {
		out = append(out, map[string]any{"type": "message", "id": a.id("msg", 0), "status": "completed", "role": "assistant",
			"content": []map[string]any{{"type": "output_text", "text": a.text, "annotations": []any{}}}})
	}
	for i, c := range a.calls {
		it := map[string]any{"status": "completed", "call_id": a.id("call", i), "name": c.Name}
		if c.Args == nil {
			it["type"], it["id"], it["input"] = "custom_tool_call", a.id("ctc", i), c.Free
		} else {
			it["type"], it["id"], it["arguments"] = "function_call", a.id("fc", i), string(c.Args)
		}
		out = append(out, it)
	}
	return out
}

// responseStream numbers the events of one response.
type responseStream struct {
	sse
	n int
}

func (s *responseStream) typed(name string, v map[string]any) {
	v["type"], v["sequence_number"] = name, s.n
	s.n++
	s.event(name, v)
}

// item prints one output item: its empty start, its text in one piece, its end.
func (s *responseStream) item(i int, it map[string]any) {
	at := func(more map[string]any) map[string]any {
		more["output_index"], more["item_id"] = i, it["id"]
		return more
	}
	open := map[string]any{}
	for k, v := range it {
		open[k] = v
	}
	open["status"] = "in_progress"
	piece := func(field, event string) {
		open[field] = ""
		s.typed("response.output_item.added", map[string]any{"output_index": i, "item": open})
		s.typed(event+".delta", at(map[string]any{"delta": it[field]}))
		s.typed(event+".done", at(map[string]any{field: it[field]}))
	}
	switch it["type"] {
	case "function_call":
		piece("arguments", "response.function_call_arguments")
	case "custom_tool_call":
		piece("input", "response.custom_tool_call_input")
	default:
		s.message(i, it, open, at)
	}
	s.typed("response.output_item.done", map[string]any{"output_index": i, "item": it})
}

func (s *responseStream) message(i int, it, open map[string]any, at func(map[string]any) map[string]any) {
	part := it["content"].([]map[string]any)[0]
	open["content"] = []any{}
	s.typed("response.output_item.added", map[string]any{"output_index": i, "item": open})
	empty := map[string]any{"type": "output_text", "text": "", "annotations": []any{}}
	s.typed("response.content_part.added", at(map[string]any{"content_index": 0, "part": empty}))
	s.typed("response.output_text.delta", at(map[string]any{"content_index": 0, "delta": part["text"]}))
	s.typed("response.output_text.done", at(map[string]any{"content_index": 0, "text": part["text"]}))
	s.typed("response.content_part.done", at(map[string]any{"content_index": 0, "part": part}))
}
