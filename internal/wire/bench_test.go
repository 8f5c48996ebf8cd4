package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// payload is about 1 kB and looks like what an agent sends before a tool call.
var payload = []byte(`{"session_id":"0d9c6b1e-5a5e-4c8e-9c35-5b7c1d7c2f11","transcript_path":"/home/dev/.claude/projects/-home-dev-shop/0d9c6b1e.jsonl","cwd":"/home/dev/shop","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/home/dev/shop/internal/cart/total.go","old_string":"` +
	strings.Repeat(`\tsum += item.Price * item.Count\n`, 8) + `","new_string":"` +
	strings.Repeat(`\tsum = sum.Add(item.Price.Mul(item.Count))\n`, 6) + `","replace_all":false,"limit":12345678901234567890},"tool_use_id":"toolu_01A2b3C4d5E6f7G8h9"}`)

func BenchmarkRead1kB(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(ctx, bytes.NewReader(payload), Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAndDecode1kB(b *testing.B) {
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		v, _, err := Read(context.Background(), bytes.NewReader(payload), Limits{})
		if err != nil {
			b.Fatal(err)
		}
		in := v.Get("tool_input")
		for _, k := range []string{"session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_use_id"} {
			_ = v.Get(k).Str()
		}
		for _, k := range []string{"file_path", "old_string", "new_string"} {
			_ = in.Get(k).Str()
		}
	}
}

func BenchmarkParse1kB(b *testing.B) {
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(payload); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEncodingJSON1kB is the yardstick: a check without decoding.
func BenchmarkEncodingJSON1kB(b *testing.B) {
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		if !json.Valid(payload) {
			b.Fatal("not valid")
		}
	}
}

func BenchmarkRead8MB(b *testing.B) {
	doc := []byte(`{"content":"` + strings.Repeat(`func main() {\n\tprintln(\"grüße\")\n}\n`, 220_000) + `"}`)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(context.Background(), bytes.NewReader(doc), Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWith1kB(b *testing.B) {
	v, err := Parse(payload)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = v.With("tool_name", []byte(`"Write"`))
	}
}
