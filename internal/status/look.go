package status

import (
	"iter"
	"strconv"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
	"github.com/hookspan/hookspan/internal/wire"
)

// look lets an agent's folder look at this machine.
func (c *checker) look() agent.Look {
	return agent.Look{
		Env: c.env.Get, Project: c.env.Project, Dir: c.env.Dir, OS: c.env.OS, InProject: has(c.out.Scopes, "project"),
		Doc: func(path string) agent.Node {
			doc, _ := readDoc(c.env, atDir(c.env, path))
			if doc == nil {
				return node{}
			}
			return node{doc.Root()}
		},
		Shown: func(path string) string {
			at, err := c.env.Path(atDir(c.env, path))
			if err != nil {
				return path
			}
			return c.env.Shown(at)
		},
	}
}

// node is a value in a settings file as agents' folders see it.
type node struct{ v splice.Value }

func (n node) Get(keys ...string) agent.Node {
	v := n.v
	for _, k := range keys {
		v = v.Get(k)
	}
	return node{v}
}

func (n node) Kind() wire.Kind {
	return [...]wire.Kind{splice.Absent: wire.Absent, splice.Null: wire.Null, splice.Bool: wire.Bool, splice.Number: wire.Number,
		splice.String: wire.String, splice.Moment: wire.Number, splice.Array: wire.Array, splice.Object: wire.Object}[n.v.Kind()]
}

func (n node) Str() string  { return n.v.Str() }
func (n node) True() bool   { return n.v.Bool() }
func (n node) False() bool  { return n.v.Kind() == splice.Bool && !n.v.Bool() }
func (n node) JSON() []byte { return n.v.JSON() }

func (n node) Int() int64 {
	i, _ := strconv.ParseInt(n.v.Text(), 10, 64)
	return i
}

func (n node) Elems() iter.Seq[agent.Node] {
	return func(yield func(agent.Node) bool) {
		for _, v := range n.v.Elems() {
			if !yield(node{v}) {
				return
			}
		}
	}
}

func (n node) Members() iter.Seq2[string, agent.Node] {
	return func(yield func(string, agent.Node) bool) {
		for key, v := range n.v.Members() {
			if !yield(key, node{v}) {
				return
			}
		}
	}
}
