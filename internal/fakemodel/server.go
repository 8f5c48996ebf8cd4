package fakemodel

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// maxBody bounds a request's body in bytes; agents send their whole conversation each time.
const maxBody = 64 << 20

// Server plays a script. It is an [http.Handler]; its methods may be called at any time.
type Server struct {
	answers []answer

	mu       sync.Mutex
	requests []Request
	next     int // the turn that the next main request gets
}

// New makes a server that plays script. translate puts an action into the agent's own words; it may be
// nil when the script holds raw calls only. An action that the agent has no tool for is an error here,
// not in the middle of a run.
func New(script Script, translate func(Action) (ToolCall, error)) (*Server, error) {
	answers, err := translated(script, translate)
	if err != nil {
		return nil, err
	}
	return &Server{answers: answers}, nil
}

// Requests are the main requests so far, in order.
func (s *Server) Requests() []Request {
	var out []Request
	for _, r := range s.All() {
		if r.Kind == Main {
			out = append(out, r)
		}
	}
	return out
}

// All are the requests of every kind so far, in order.
func (s *Server) All() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Contains reports whether main request i (from 0) contains text; false if there was no such request.
func (s *Server) Contains(i int, text string) bool {
	main := s.Requests()
	return i >= 0 && i < len(main) && main[i].Contains(text)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := readBody(req)
	if err != nil {
		http.Error(w, fmt.Sprintf(`{"error":{"message":%q}}`, err), http.StatusBadRequest)
		s.keep(Request{Kind: Unknown, Method: req.Method, Path: req.URL.Path, Turn: -1, At: time.Now()})
		return
	}
	r := Request{Method: req.Method, Path: req.URL.Path, Turn: -1, At: time.Now()}
	if json.Valid(body) {
		r.Body = body
	}
	ep := route(req.Method, req.URL.Path)
	r.Wire, r.Kind = ep.wire, ep.kind
	if r.Kind == Main && !offersTools(r) {
		r.Kind = Side
	}
	reply, n := s.turn(&r)
	reply.n, reply.model = n, modelOf(r)
	ep.write(w, r, reply)
}

// turn keeps r and finds its answer; n numbers the request, from 1.
func (s *Server) turn(r *Request) (reply reply, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Kind == Main {
		reply.answer = answer{text: Epilogue}
		if s.next < len(s.answers) {
			reply.answer, r.Turn = s.answers[s.next], s.next
			s.next++
		}
	}
	if r.Kind == Side {
		reply.answer = answer{text: sideText(*r)}
	}
	s.requests = append(s.requests, *r)
	return reply, len(s.requests)
}

func (s *Server) keep(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

// reply is what a wire prints.
type reply struct {
	answer
	n     int    // the request's number, for ids
	model string // as the request named it
}

// id names the i-th item of a reply; ids are unique in a session, as real ones are.
func (r reply) id(prefix string, i int) string { return fmt.Sprintf("%s_%04d%02d", prefix, r.n, i) }

// endpoint is where a path leads.
type endpoint struct {
	wire  Wire
	kind  Kind
	write func(http.ResponseWriter, Request, reply)
}

// route finds the endpoint by the end of the path: agents put their base URL's path before it.
func route(method, path string) endpoint {
	path = strings.TrimRight(path, "/")
	switch {
	case method == http.MethodHead:
		return endpoint{kind: Side, write: fixed(``)}
	case method == http.MethodGet && strings.HasSuffix(path, "/models"):
		return endpoint{kind: Side, write: fixed(`{"object":"list","data":[],"models":[]}`)}
	case method != http.MethodPost:
		return endpoint{kind: Unknown, write: notFound}
	case strings.HasSuffix(path, "/messages/count_tokens"):
		return endpoint{Anthropic, Side, fixed(`{"input_tokens":1000}`)}
	case strings.HasSuffix(path, "/messages"):
		return endpoint{Anthropic, Main, writeAnthropic}
	case strings.HasSuffix(path, "/responses"):
		return endpoint{Responses, Main, writeResponses}
	case strings.HasSuffix(path, "/responses/compact"):
		return endpoint{Responses, Side, fixed(`{"output":[]}`)}
	case strings.HasSuffix(path, "/chat/completions"):
		return endpoint{Chat, Main, writeChat}
	case strings.HasSuffix(path, ":countTokens"):
		return endpoint{Gemini, Side, fixed(`{"totalTokens":1000}`)}
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		return endpoint{Gemini, Main, writeGemini}
	}
	return endpoint{kind: Unknown, write: notFound}
}

func fixed(body string) func(http.ResponseWriter, Request, reply) {
	return func(w http.ResponseWriter, _ Request, _ reply) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

func notFound(w http.ResponseWriter, r Request, _ reply) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	writeJSON(w, map[string]any{"type": "error", "error": map[string]any{
		"type": "not_found_error", "message": "the scripted model knows no " + r.Method + " " + r.Path}})
}

// readBody reads and unpacks a request's body.
func readBody(req *http.Request) ([]byte, error) {
	var src io.Reader = req.Body
	switch enc := req.Header.Get("Content-Encoding"); enc {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(req.Body)
		if err != nil {
			return nil, fmt.Errorf("failed to unpack the request: %w", err)
		}
		src = z
	default:
		return nil, fmt.Errorf("failed to unpack the request: the scripted model does not know the encoding %q", enc)
	}
	body, err := io.ReadAll(io.LimitReader(src, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("failed to read the request: %w", err)
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("failed to read the request: more than %d bytes", maxBody)
	}
	return bytes.TrimSpace(body), nil
}

// stream says whether the request wants events, and modelOf which model it names.
func stream(r Request) bool {
	var b struct{ Stream bool }
	return json.Unmarshal(r.Body, &b) == nil && b.Stream
}

func modelOf(r Request) string {
	var b struct{ Model string }
	if json.Unmarshal(r.Body, &b) != nil || b.Model == "" {
		return "scripted"
	}
	return b.Model
}

// offersTools tells the agent's loop from side requests: those offer no tools, or want an answer in a
// form of their own. (Claude's titles and summaries, OpenCode's titles, Gemini's routing and
// next-speaker checks.)
func offersTools(r Request) bool {
	return len(r.Tools()) > 0 && schemaOf(r) == nil
}

// sse writes server-sent events.
type sse struct{ w http.ResponseWriter }

func startSSE(w http.ResponseWriter) sse {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	return sse{w}
}

// event writes one event; name "" leaves the event line out. A reader that is gone is not our error.
func (s sse) event(name string, v any) {
	if name != "" {
		_, _ = io.WriteString(s.w, "event: "+name+"\n")
	}
	_, _ = io.WriteString(s.w, "data: ")
	if text, ok := v.(string); ok {
		_, _ = io.WriteString(s.w, text+"\n")
	} else {
		writeJSON(s.w, v)
	}
	_, _ = io.WriteString(s.w, "\n")
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// writeJSON writes v and a newline, without escaping < > and &: shell commands stay readable in dumps.
func writeJSON(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // v is built here from maps and strings; the reader may be gone
}

func writeWhole(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	writeJSON(w, v)
}
