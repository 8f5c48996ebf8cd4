package engine

import (
	"github.com/hookspan/hookspan/hook"
	"slices"
	"strconv"

	"github.com/hookspan/hookspan/internal/manifest"
)

// job is one handler to run, with the calls that it is run for.
type job struct {
	plan  *manifest.Plan
	h     *manifest.Handler
	at    int    // the number of its group, counted from 1 over all manifests
	key   string // names the handler in the record of a repeated call
	parts []part // one run each; empty = one run for the whole call
}

// skipped is a handler whose matcher hits and that is not run.
type skipped struct {
	plan *manifest.Plan
	name string
	at   int // the number of its group
	why  string
}

const notTrusted = "not trusted"

// next returns the handlers that the event concerns as its input is now, of the groups behind number done.
func (r *run) next(sources []Source, done int) []job {
	jobs, skips := r.choose(sources, done)
	for len(r.skipped) > 0 && r.skipped[len(r.skipped)-1].at > done {
		r.skipped = r.skipped[:len(r.skipped)-1] // was judged on the input before the rewrite
	}
	r.skipped = append(r.skipped, skips...)
	r.tellUntrusted()
	return jobs
}

// choose returns the handlers that the event concerns, and those that are skipped, in the order of the
// manifests, of the groups behind number done.
func (r *run) choose(sources []Source, done int) (jobs []job, skips []skipped) {
	at := 0
	for _, src := range sources {
		for gi := range src.Plan.Groups {
			g := &src.Plan.Groups[gi]
			if at++; at <= done || g.Event != r.ev.Name {
				continue
			}
			hit, parts := r.hits(g)
			if !hit {
				continue
			}
			for hi := range g.Handlers {
				h := &g.Handlers[hi]
				if why := r.skip(g, h, src); why != "" {
					skips = append(skips, skipped{src.Plan, h.Name, at, why})
					continue
				}
				j := job{plan: src.Plan, h: h, at: at, key: src.Plan.Path + "#" + src.Plan.Hash + "/" + strconv.Itoa(gi) + "/" + strconv.Itoa(hi)}
				if h.Type != manifest.Guard && h.Each != manifest.EachCall {
					j.parts = parts
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, skips
}

// words says for people who was skipped, and why.
func words(skips []skipped) []string {
	var list []string
	for _, s := range skips {
		list = append(list, s.name+": "+s.why)
	}
	return list
}

// hits reports whether a group's matcher hits the event, and for a call of files which of them.
func (r *run) hits(g *manifest.Group) (bool, []part) {
	t := r.ev.Tool
	if t == nil || !r.ev.Name.OfTool() {
		return g.Matcher.MatchSubject(r.ev.Subject), nil
	}
	if !t.Patch || len(t.Files) == 0 || g.Matcher.All() {
		return g.Matcher.Match([]string{t.Name}, t.Kind), nil
	}
	var parts []part
	for _, p := range split(r.ev) {
		if g.Matcher.Match([]string{p.name}, p.ev.Tool.Kind) {
			parts = append(parts, p)
		}
	}
	if len(parts) > 0 {
		return true, parts
	}
	return g.Matcher.Match([]string{t.Name}, t.Kind), nil
}

// skip returns why a handler is not run for this event, "" if it is.
func (r *run) skip(g *manifest.Group, h *manifest.Handler, src Source) string {
	if !h.For(r.ev.From.Name) {
		return "not for " + r.ev.From.Name
	}
	if h.If != "" && !h.Applies(r.ev) {
		return "its `if` does not hold"
	}
	if h.Type == manifest.Guard {
		return ""
	}
	if !src.Trusted {
		return notTrusted
	}
	if r.fileless() && !g.Matcher.All() {
		return "the call names no file" // a formatter without a file would take the whole project
	}
	if slices.Contains(r.env.Chain, ChainName(src.Plan, h)) {
		return "runs inside itself"
	}
	return ""
}

// ChainName names a handler among those that we run inside ([Env].Chain). The manifest belongs to it: a
// project's handler that has the name of one of the user's must not switch that one off.
func ChainName(p *manifest.Plan, h *manifest.Handler) string { return h.Name + "@" + p.Path }

// fileless reports whether an edit has happened of which nobody tells the file.
func (r *run) fileless() bool {
	t := r.ev.Tool
	return r.ev.Name == hook.PostToolUse && t != nil && len(t.Files) == 0 && (t.Kind == hook.KindEdit || t.Kind == hook.KindWrite)
}

// tellUntrusted says once a session that a project's programs are not run.
func (r *run) tellUntrusted() {
	for _, s := range r.skipped {
		if s.why != notTrusted || slices.Contains(r.told, s.plan) {
			continue
		}
		r.told = append(r.told, s.plan)
		if r.once("untrusted:" + s.plan.Hash) {
			r.merge.d.Notice = append(r.merge.d.Notice, "hookspan: "+s.plan.Path+" is not trusted, so its programs are not run (its guards are). "+
				"Read it, then run `hookspan trust` in "+s.plan.Dir)
		}
	}
}

func (r *run) once(key string) bool {
	return r.env.Session == nil || r.env.Session.Once(key)
}

// base is the folder that a manifest's paths are relative to.
func (r *run) base(p *manifest.Plan) string {
	if p.Scope == manifest.Project {
		return p.Dir
	}
	if r.ev.Project != "" {
		return r.ev.Project
	}
	return r.ev.Cwd
}
