package manifest

import (
	"encoding/json"
	"fmt"

	"github.com/hookspan/hookspan/hook"
)

type schema = map[string]any

// Schema returns the JSON Schema (draft 2020-12) of a manifest, made of the same table of keys that
// Parse reads by, and of the guards and agents of v. Its text is the same for the same input.
func Schema(v Vocabulary) []byte {
	events := schema{}
	for _, name := range hook.Names() {
		events[string(name)] = schema{"$ref": "#/$defs/groups"}
	}
	root := schema{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "hookspan manifest",
		"type":                 "object",
		"additionalProperties": false,
		"properties": schema{
			"$schema":     schema{"type": "string"},
			"description": schema{"type": "string"},
			"ask":         words("What an ask becomes where the agent cannot ask; deny if left out.", "deny", "none"),
			"journal":     words("What the journal keeps; summary if left out.", "summary", "full"),
			"hooks": schema{
				"description":          "Events by their common names; an agent's own event by its own name.",
				"type":                 []string{"object", "null"},
				"properties":           events,
				"additionalProperties": schema{"$ref": "#/$defs/groups"},
			},
		},
		"$defs": schema{"groups": groupsSchema(), "handler": handlerSchema(v)},
	}
	b, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return append(b, '\n')
}

func groupsSchema() schema {
	return schema{
		"description": "In order; a rewrite made by one group is what the next one sees.",
		"type":        []string{"array", "null"},
		"items": schema{
			"type":                 "object",
			"additionalProperties": false,
			"required":             []string{"hooks"},
			"properties": schema{
				"matcher": schema{"type": "string", "description": "Exact names split on | or ,; or @kind (@shell @read @write @edit @search @fetch @mcp @subagent @other); " +
					"any other text is an unanchored regular expression (RE2). Left out, empty or *: everything."},
				"hooks": schema{"type": "array", "description": "The handlers of one group run in parallel.", "items": schema{"$ref": "#/$defs/handler"}},
			},
		},
	}
}

func handlerSchema(v Vocabulary) schema {
	props, guards := schema{}, v.Guards()
	for _, k := range handlerKeys() {
		props[k.name] = k.schema()
	}
	typ := props["type"].(schema)
	typ["enum"] = []string{"command", "guard", "http", "mcp_tool", "prompt", "agent"}
	typ["description"] = typ["description"].(string) + " Handlers of type mcp_tool, prompt and agent are skipped."
	props["timeout"].(schema)["maximum"] = maxTimeout.Seconds()
	props["max_continues"].(schema)["maximum"] = maxSentCount
	if names := guardNames(guards); len(names) > 0 {
		props["guard"].(schema)["enum"] = names
	}
	if names := v.AgentNames(); len(names) > 0 {
		props["agents"].(schema)["items"] = schema{"enum": names}
	}
	for _, g := range guards {
		for _, k := range g.Keys {
			props[k.Name] = k.schema(g.Name)
		}
	}
	return schema{
		"type":                 "object",
		"additionalProperties": false,
		"properties":           props,
		"anyOf": []schema{{"required": []string{"command"}}, {"required": []string{"guard"}}, {"required": []string{"url"}},
			{"required": []string{"type"}, "properties": schema{"type": schema{"enum": []string{"mcp_tool", "prompt", "agent"}}}}},
		"allOf": requiredByGuard(guards),
	}
}

// requiredByGuard says which keys a guard needs.
func requiredByGuard(guards []GuardSpec) []schema {
	all := []schema{}
	for _, g := range guards {
		var need []string
		for _, k := range g.Keys {
			if k.Required {
				need = append(need, k.Name)
			}
		}
		if need != nil {
			all = append(all, schema{
				"if":   schema{"required": []string{"guard"}, "properties": schema{"guard": schema{"const": g.Name}}},
				"then": schema{"required": need},
			})
		}
	}
	return all
}

func (k key) schema() schema {
	s := schema{}
	switch k.form {
	case formText:
		s["type"] = "string"
	case formBool:
		s["type"] = "boolean"
	case formSeconds:
		s["type"], s["minimum"] = "number", 0.001
	case formCount:
		s["type"], s["minimum"] = "integer", 1
	case formTexts:
		s["type"], s["items"] = "array", schema{"type": "string"}
	case formWord:
		s["enum"] = k.words
	case formCommand:
		s["type"], s["items"] = []string{"string", "array"}, schema{"type": "string"}
	case formMap:
		s["type"], s["additionalProperties"] = "object", schema{"type": "string"}
	}
	s["description"] = k.doc
	return s
}

func (k GuardKey) schema(guard string) schema {
	s := schema{"description": fmt.Sprintf("Of the guard %s. %s", guard, k.Doc)}
	switch k.Shape {
	case Patterns, Texts:
		s["type"], s["items"], s["minItems"] = "array", schema{"type": "string"}, 1
	case Word:
		s["enum"] = k.Words
	default:
		s["type"] = "string"
	}
	return s
}

func words(doc string, list ...string) schema {
	return schema{"description": doc, "enum": list}
}
