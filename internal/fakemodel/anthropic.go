package fakemodel

import (
	"encoding/json"
	"net/http"
)

// writeAnthropic prints an answer as an Anthropic message.
func writeAnthropic(w http.ResponseWriter, r Request, a reply) {
	blocks := anthropicBlocks(a)
	stop := "end_turn"
	if len(a.calls) > 0 {
		stop = "tool_use"
	}
	message := func(content []map[string]any, stop any, out int) map[string]any {
		return map[string]any{"id": a.id("msg", 0), "type": "message", "role": "assistant", "model": a.model,
			"content": content, "stop_reason": stop, "stop_sequence": nil,
			"usage": map[string]any{"input_tokens": 100, "output_tokens": out, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
	}
	if !stream(r) {
		writeWhole(w, message(blocks, stop, 20))
		return
	}
	s := startSSE(w)
	typed := func(name string, v map[string]any) {
		v["type"] = name
		s.event(name, v)
	}
	typed("message_start", map[string]any{"message": message([]map[string]any{}, nil, 1)})
	for i, b := range blocks {
		start, delta := anthropicParts(b)
		typed("content_block_start", map[string]any{"index": i, "content_block": start})
		typed("content_block_delta", map[string]any{"index": i, "delta": delta})
		typed("content_block_stop", map[string]any{"index": i})
	}
	typed("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": 20}})
	typed("message_stop", map[string]any{})
}

func anthropicBlocks(a reply) []map[string]any {
	var out []map[string]any
	if a.text != "" {
		out = append(out, map[string]any{"type": "text", "text": a.text})
	}
	for i, c := range a.calls {
		out = append(out, map[string]any{"type": "tool_use", "id": a.id("toolu", i), "name": c.Name, "input": c.args()})
	}
	return out
}

// anthropicParts splits a block into its empty start and its one delta.
func anthropicParts(block map[string]any) (start, delta map[string]any) {
	if block["type"] == "text" {
		return map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": block["text"]}
	}
	input, _ := block["input"].(json.RawMessage)
	start = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
	return start, map[string]any{"type": "input_json_delta", "partial_json": string(input)}
}
