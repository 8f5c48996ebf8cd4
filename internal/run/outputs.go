package run

import (
	"encoding/base64"
	"errors"

	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/wire"
)

// encodeOutputs writes what programs printed, for the second registration of the same call. The
// bytes are any bytes, so they are kept in base64.
func encodeOutputs(outs map[string]engine.Output) []byte {
	var all wire.ObjectWriter
	for key, out := range outs {
		var o wire.ObjectWriter
		o.StrIf("out", base64.StdEncoding.EncodeToString(out.Stdout))
		o.StrIf("err", base64.StdEncoding.EncodeToString(out.Stderr))
		o.Int("exit", int64(out.Exit))
		o.StrIf("signal", out.Signal)
		o.Bool("much", out.TooMuch)
		o.Bool("late", out.TimedOut)
		o.Bool("changed", out.Changed)
		if out.StartErr != nil {
			o.Str("start", out.StartErr.Error())
		}
		all.Raw(key, o.Bytes())
	}
	return all.Bytes()
}

func decodeOutputs(b []byte) (map[string]engine.Output, bool) {
	v, err := wire.Parse(b)
	if err != nil || v.Kind() != wire.Object {
		return nil, false
	}
	outs := map[string]engine.Output{}
	for key, o := range v.Members() {
		var out engine.Output
		out.Stdout, _ = base64.StdEncoding.DecodeString(o.Get("out").Str())
		out.Stderr, _ = base64.StdEncoding.DecodeString(o.Get("err").Str())
		exit, _ := o.Get("exit").Int()
		out.Exit, out.Signal = int(exit), o.Get("signal").Str()
		out.TooMuch, _ = o.Get("much").Bool()
		out.TimedOut, _ = o.Get("late").Bool()
		out.Changed, _ = o.Get("changed").Bool()
		if s := o.Get("start").Str(); s != "" {
			out.StartErr = errors.New(s)
		}
		outs[key] = out
	}
	return outs, true
}
