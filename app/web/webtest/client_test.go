package webtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// call is a request of a program.
type call struct {
	method  string
	path    string
	body    any // JSON; a string is sent as it is
	as      person
	headers map[string]string
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	raw    []byte
	json   map[string]any // of an object
}

// agent keeps no connection open, so that nothing of it outlives a test.
var agent = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// do sends a request and holds the answer, if it is one of the API, against the description.
func (r *harness) do(t *testing.T, c call) answer {
	t.Helper()
	response, err := agent.Do(r.request(t, c))
	dbtest.Must(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	dbtest.Must(t, err)
	a := answer{status: response.StatusCode, header: response.Header, raw: raw}
	_ = json.Unmarshal(raw, &a.json) // pages are none
	if strings.HasPrefix(c.path, "/api/") {
		theContract(t).check(t, c, a)
	}
	return a
}

func (r *harness) request(t *testing.T, c call) *http.Request {
	t.Helper()
	var body io.Reader
	switch b := c.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		dbtest.Must(t, err)
		body = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(t.Context(), c.method, r.URL+c.path, body)
	dbtest.Must(t, err)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.as.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.as.token)
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	return request
}

func (r *harness) get(t *testing.T, as person, path string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodGet, path: path, as: as})
}

func (r *harness) delete(t *testing.T, as person, path string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodDelete, path: path, as: as})
}

// post sends JSON under an idempotency key, if there is one.
func (r *harness) post(t *testing.T, as person, path, key string, body any) answer {
	t.Helper()
	c := call{method: http.MethodPost, path: path, as: as, body: body, headers: map[string]string{}}
	if key != "" {
		c.headers["Idempotency-Key"] = key
	}
	return r.do(t, c)
}

// want fails unless the answer has the status and, for a problem, the code.
func (a answer) want(t *testing.T, status int, code string) answer {
	t.Helper()
	if got, _ := a.json["code"].(string); a.status != status || got != code {
		t.Fatalf("%d %s %.2000s, want %d %s", a.status, got, a.raw, status, code)
	}
	return a
}

// text returns a member of the answer that is a string.
func (a answer) text(t *testing.T, name string) string {
	t.Helper()
	s, ok := a.json[name].(string)
	if !ok || s == "" {
		t.Fatalf("no %s in %s", name, a.raw)
	}
	return s
}

// number returns a member of the answer that is a number.
func (a answer) number(t *testing.T, name string) int {
	t.Helper()
	n, ok := a.json[name].(float64)
	if !ok {
		t.Fatalf("no number %s in %s", name, a.raw)
	}
	return int(n)
}

// list returns a member of the answer that is a list of objects.
func (a answer) list(t *testing.T, name string) []map[string]any {
	t.Helper()
	all, ok := a.json[name].([]any)
	if !ok {
		t.Fatalf("no list %s in %s", name, a.raw)
	}
	objects := make([]map[string]any, len(all))
	for i, one := range all {
		objects[i], _ = one.(map[string]any)
	}
	return objects
}
