package stripetest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// failure is the error of an answer.
type failure struct {
	status      int
	Type        string `json:"type"`
	Code        string `json:"code,omitempty"`
	DeclineCode string `json:"decline_code,omitempty"`
	Message     string `json:"message"`
}

func invalid(code string) *failure {
	return &failure{status: http.StatusBadRequest, Type: "invalid_request_error", Code: code, Message: "No."}
}

func missing(*http.Request) (any, *failure) {
	f := invalid("resource_missing")
	f.status = http.StatusNotFound
	return nil, f
}

// answer is what an idempotency key was answered.
type answer struct {
	request string
	status  int // 0 while the first request is served
	body    []byte
}

// ServeHTTP checks who asks.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+Key {
		give(w, encode(nil, &failure{status: http.StatusUnauthorized, Type: "invalid_request_error", Message: "No."}))
		return
	}
	b.mux.ServeHTTP(w, r)
}

// serve answers requests of a route, and repeats the first answer to an idempotency key.
func (b *Bank) serve(route func(*http.Request) (any, *failure)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			give(w, encode(nil, invalid("")))
			return
		}
		key := r.Header.Get("Idempotency-Key")
		if r.Method != http.MethodPost || key == "" {
			give(w, encode(b.locked(route, r)))
			return
		}
		request := r.URL.Path + "?" + r.Form.Encode()
		b.mu.Lock()
		first := b.answers[key]
		if first == nil {
			b.answers[key] = &answer{request: request}
		}
		b.mu.Unlock()
		switch {
		case first == nil:
			done := encode(b.locked(route, r))
			done.request = request
			b.mu.Lock()
			b.answers[key] = done
			b.mu.Unlock()
			give(w, done)
		case first.request != request:
			give(w, encode(nil, &failure{status: http.StatusBadRequest, Type: "idempotency_error", Message: "No."}))
		case first.status == 0:
			give(w, encode(nil, &failure{status: http.StatusConflict, Type: "invalid_request_error",
				Code: "idempotency_key_in_use", Message: "No."}))
		default:
			w.Header().Set("Idempotent-Replayed", "true")
			give(w, first)
		}
	}
}

// locked serves a request while nobody else changes anything, and copies the answer as it is then.
func (b *Bank) locked(route func(*http.Request) (any, *failure), r *http.Request) (any, *failure) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, f := route(r)
	if f != nil {
		return nil, f
	}
	text, _ := json.Marshal(body)
	return json.RawMessage(text), nil
}

func encode(body any, f *failure) *answer {
	if f != nil {
		text, _ := json.Marshal(map[string]any{"error": f})
		return &answer{status: f.status, body: text}
	}
	text, _ := json.Marshal(body)
	return &answer{status: http.StatusOK, body: text}
}

func give(w http.ResponseWriter, a *answer) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", "req_test")
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

// metadata returns the members below a name in a form.
func metadata(r *http.Request, name string) map[string]string {
	found := map[string]string{}
	for key, values := range r.Form { // in any order
		if rest, ok := strings.CutPrefix(key, name+"["); ok {
			found[strings.TrimSuffix(rest, "]")] = values[0]
		}
	}
	return found
}
