package fakemodel

import (
	"encoding/json"
	"slices"
	"strings"
)

// sideText is a harmless answer to a side request: the smallest value of the schema that it asks
// for, or a sentence.
func sideText(r Request) string {
	if schema := schemaOf(r); schema != nil {
		text, err := json.Marshal(smallest(schema, 0))
		if err == nil {
			return string(text)
		}
	}
	return "A scripted session."
}

// schemaOf is the JSON schema in which a request wants its answer, nil if it wants none.
func schemaOf(r Request) map[string]any {
	var b struct {
		ResponseFormat struct {
			Type       string
			JSONSchema struct{ Schema map[string]any } `json:"json_schema"`
		} `json:"response_format"` // chat
		Text struct {
			Format struct{ Schema map[string]any }
		} // responses
		OutputConfig struct {
			Format struct{ Schema map[string]any }
		} `json:"output_config"` // anthropic
		GenerationConfig struct {
			ResponseJSONSchema map[string]any `json:"responseJsonSchema"`
			ResponseSchema     map[string]any `json:"responseSchema"`
		} `json:"generationConfig"` // gemini
	}
	if json.Unmarshal(r.Body, &b) != nil {
		return nil
	}
	for _, s := range []map[string]any{b.ResponseFormat.JSONSchema.Schema, b.Text.Format.Schema,
		b.OutputConfig.Format.Schema, b.GenerationConfig.ResponseJSONSchema, b.GenerationConfig.ResponseSchema} {
		if s != nil {
			return s
		}
	}
	if strings.HasPrefix(b.ResponseFormat.Type, "json") {
		return map[string]any{"type": "object"}
	}
	return nil
}

// maxSchemaDepth ends schemas that contain themselves.
const maxSchemaDepth = 20

// smallest is a small value that satisfies a JSON schema in either spelling of type names.
func smallest(schema map[string]any, depth int) any {
	if choices, ok := schema["enum"].([]any); ok && len(choices) > 0 {
		// Gemini's next-speaker check: "model" would make it go on by itself.
		if slices.Contains(choices, any("user")) {
			return "user"
		}
		return choices[0]
	}
	if depth > maxSchemaDepth {
		return nil
	}
	switch typeOf(schema) {
	case "array":
		return []any{}
	case "string":
		return "scripted"
	case "number", "integer":
		return 0
	case "boolean":
		return false
	case "null":
		return nil
	}
	out := map[string]any{}
	props, _ := schema["properties"].(map[string]any)
	for name, p := range props {
		if sub, ok := p.(map[string]any); ok {
			out[name] = smallest(sub, depth+1)
		}
	}
	return out
}

func typeOf(schema map[string]any) string {
	switch t := schema["type"].(type) {
	case string:
		return strings.ToLower(t)
	case []any:
		if len(t) > 0 {
			first, _ := t[0].(string)
			return strings.ToLower(first)
		}
	}
	return "object"
}
