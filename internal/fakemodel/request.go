package fakemodel

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Wire is one of the protocols by which agents speak to models.
type Wire uint8

// The wires. NoWire is a request to a path that belongs to none of them.
const (
	NoWire Wire = iota
	Anthropic
	Responses
	Chat
	Gemini
)

func (w Wire) String() string {
	return [...]string{"none", "anthropic messages", "openai responses", "openai chat", "gemini"}[w]
}

// Kind tells what a request was for.
type Kind uint8

const (
	// Main requests are the agent's loop: they offer tools and consume turns.
	Main Kind = iota
	// Side requests are everything else that the wires know.
	Side
	// Unknown requests went to a path that no wire knows; they were answered 404.
	Unknown
)

// Request is one request as it came.
type Request struct {
	Wire   Wire
	Kind   Kind
	Method string
	Path   string
	Body   json.RawMessage // as sent; nil if it was not JSON
	Turn   int             // the turn that answered it; -1 past the end of the script and for others than Main
	At     time.Time
}

// Text is every text in the request's conversation and instructions: system prompt, messages, tool
// calls and results, decoded and joined by newlines. Definitions of tools are left out.
func (r Request) Text() string {
	var m map[string]json.RawMessage
	if json.Unmarshal(r.Body, &m) != nil {
		return ""
	}
	var out []string
	for _, key := range []string{"system", "systemInstruction", "instructions", "messages", "input", "contents"} {
		out = appendStrings(out, m[key])
	}
	return strings.Join(out, "\n")
}

// News is what the model was told since it last spoke: the texts of all items after the last one
// that is the model's own (tool results, user and system messages).
func (r Request) News() []string {
	items := r.items()
	last := -1
	for i, it := range items {
		if ofModel(it) {
			last = i
		}
	}
	var out []string
	for _, it := range items[last+1:] {
		if text := strings.Join(appendStrings(nil, speech(it)), "\n"); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// Contains reports whether the request's texts contain text.
func (r Request) Contains(text string) bool { return strings.Contains(r.Text(), text) }

// Tools are the names of the tools that the request offers to the model.
func (r Request) Tools() []string {
	var body struct {
		Tools []struct {
			Name                 string
			Function             struct{ Name string }
			FunctionDeclarations []struct{ Name string }
		}
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	var out []string
	for _, t := range body.Tools {
		for _, name := range []string{t.Name, t.Function.Name} {
			if name != "" {
				out = append(out, name)
			}
		}
		for _, f := range t.FunctionDeclarations {
			out = append(out, f.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// items are the conversation, whatever the wire calls it.
func (r Request) items() []json.RawMessage {
	var body struct{ Messages, Input, Contents json.RawMessage }
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	for _, raw := range []json.RawMessage{body.Messages, body.Input, body.Contents} {
		var items []json.RawMessage
		if raw != nil && json.Unmarshal(raw, &items) == nil {
			return items
		}
	}
	return nil
}

// ofModel reports whether an item of a conversation was said by the model.
func ofModel(item json.RawMessage) bool {
	var it struct{ Role, Type string }
	if json.Unmarshal(item, &it) != nil {
		return false
	}
	switch it.Role {
	case "assistant", "model":
		return true
	}
	switch it.Type {
	case "function_call", "custom_tool_call", "reasoning":
		return true
	}
	return false
}

// speech is the part of an item that carries text: not its role, type and ids.
func speech(item json.RawMessage) json.RawMessage {
	var it struct{ Content, Parts, Output json.RawMessage }
	if json.Unmarshal(item, &it) != nil {
		return item
	}
	for _, raw := range []json.RawMessage{it.Content, it.Parts, it.Output} {
		if raw != nil {
			return raw
		}
	}
	return nil
}

// labels are the members that hold no text for the model but the wire's own words.
func label(key string) bool {
	switch key {
	case "type", "role", "id", "call_id", "tool_use_id", "tool_call_id", "status", "signature", "cache_control", "phase":
		return true
	}
	return false
}

// appendStrings adds every string value in v, in order, but for labels.
func appendStrings(out []string, v json.RawMessage) []string {
	dec := json.NewDecoder(strings.NewReader(string(v)))
	return walk(out, dec)
}

// walk reads one value from dec.
func walk(out []string, dec *json.Decoder) []string {
	tok, err := dec.Token()
	if err != nil {
		return out
	}
	switch t := tok.(type) {
	case string:
		if t != "" {
			out = append(out, t)
		}
	case json.Delim:
		if t == '[' {
			for dec.More() {
				out = walk(out, dec)
			}
		}
		if t == '{' {
			out = walkMembers(out, dec)
		}
		_, _ = dec.Token() // the closing delimiter; a broken document ends the walk anyway
	}
	return out
}

func walkMembers(out []string, dec *json.Decoder) []string {
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return out
		}
		if name, _ := key.(string); label(name) {
			walk(nil, dec)
			continue
		}
		out = walk(out, dec)
	}
	return out
}
