package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

type parsedSchema struct {
	Properties map[string]any
	Defs       struct {
		Handler struct{ Properties map[string]map[string]any }
	} `json:"$defs"`
}

func TestSchemaHasEveryKeyThatParseKnows(t *testing.T) {
	var s parsedSchema
	if err := json.Unmarshal(Schema(vocabulary{}), &s); err != nil {
		t.Fatal(err)
	}
	for _, k := range topKeys() {
		if s.Properties[k] == nil {
			t.Errorf("no %q at the top", k)
		}
	}
	props := s.Defs.Handler.Properties
	for _, k := range handlerKeys() {
		if props[k.name] == nil || props[k.name]["description"] == "" {
			t.Errorf("no %q, or without a description", k.name)
		}
	}
	for _, k := range []string{"paths", "access", "use", "also"} {
		if props[k] == nil {
			t.Errorf("no %q of a guard", k)
		}
	}
	if len(props) != len(handlerKeys())+4 {
		t.Errorf("%d keys", len(props))
	}
}

func TestSchemaIsStable(t *testing.T) {
	first := Schema(vocabulary{})
	for range 5 {
		if !bytes.Equal(first, Schema(vocabulary{})) {
			t.Fatal("two texts for the same input")
		}
	}
	if !json.Valid(Schema(nothing{})) {
		t.Error("without a vocabulary it is no JSON")
	}
}

// No key stands twice in the table, and each can be read or says why not.
func TestKeysAreWellFormed(t *testing.T) {
	var names []string
	for _, k := range handlerKeys() {
		if slices.Contains(names, k.name) {
			t.Errorf("%q twice", k.name)
		}
		names = append(names, k.name)
		if (k.read == nil) == (k.ignored == "") || k.doc == "" || k.on == 0 || (k.form == formWord) != (len(k.words) > 0) {
			t.Errorf("%+v", k)
		}
	}
}
