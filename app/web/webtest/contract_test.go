package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"lunchgo/app/web/api"
	"lunchgo/db/dbtest"
)

// contract is the API's description, against which every answer is held. Here it is closed: an answer with a member
// that is not described breaks it.
type contract struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	schemas  map[string]*jsonschema.Schema
}

const contractURL = "https://lunchgo.test/openapi.json"

var loadContract = sync.OnceValues(func() (*contract, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Description()))
	if err != nil {
		return nil, err
	}
	c := &contract{doc: parsed.(map[string]any), compiler: jsonschema.NewCompiler(),
		schemas: map[string]*jsonschema.Schema{}}
	c.compiler.AssertFormat()
	c.compiler.AssertContent()
	c.closeAll()
	return c, c.compiler.AddResource(contractURL, c.doc)
})

func theContract(t *testing.T) *contract {
	t.Helper()
	c, err := loadContract()
	dbtest.Must(t, err)
	return c
}

// closeAll forbids members that are not described. Problem stays open, because others are made from it; an answer's own
// schema is closed around it.
func (c *contract) closeAll() {
	for name, schema := range at[map[string]any](c.doc, "components", "schemas") {
		if s := schema.(map[string]any); s["properties"] != nil && name != "Problem" {
			s["unevaluatedProperties"] = false
		}
	}
	closeContents := func(response any) {
		contents, _ := response.(map[string]any)["content"].(map[string]any)
		for _, media := range contents {
			media.(map[string]any)["schema"].(map[string]any)["unevaluatedProperties"] = false
		}
	}
	for _, response := range at[map[string]any](c.doc, "components", "responses") {
		closeContents(response)
	}
	c.eachOperation(func(path, _ string, operation map[string]any) {
		if path == "/api/openapi.json" {
			return
		}
		for _, response := range operation["responses"].(map[string]any) {
			closeContents(response)
		}
	})
}

// eachOperation visits what the description says can be done.
func (c *contract) eachOperation(visit func(path, method string, operation map[string]any)) {
	for path, item := range at[map[string]any](c.doc, "paths") {
		for method, operation := range item.(map[string]any) {
			visit(path, method, operation.(map[string]any))
		}
	}
}

// check holds an answer of the API against the description. What belongs to no operation has to be a problem.
func (c *contract) check(t *testing.T, sent call, got answer) {
	t.Helper()
	pointer, err := c.response(sent, got)
	if err != nil {
		t.Errorf("%s %s: %v; the answer: %s", sent.method, sent.path, err, got.raw)
		return
	}
	if pointer == "" || len(got.raw) == 0 {
		return
	}
	schema, err := c.schema(pointer)
	dbtest.Must(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.raw))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%s %s: %d breaks the description: %v\n%s", sent.method, sent.path, got.status, err, got.raw)
	}
}

// checkEvent holds an event of a stream of the API against the description.
func (c *contract) checkEvent(t *testing.T, path string, e event) {
	pointer, err := c.response(call{method: http.MethodGet, path: path}, answer{status: 200,
		header: http.Header{"Content-Type": {"text/event-stream"}}})
	var schema *jsonschema.Schema
	if err == nil {
		schema, err = c.schema(pointer)
	}
	if err == nil {
		err = schema.Validate(map[string]any{"event": e.name, "id": e.id, "data": e.data})
	}
	if err != nil {
		t.Errorf("%s: the event %+v breaks the description: %v", path, e, err)
	}
}

// response points at the schema that the answer has to obey; empty if it has no body.
func (c *contract) response(sent call, got answer) (string, error) {
	path, _, _ := strings.Cut(sent.path, "?")
	template := c.template(path)
	operation, known := at[map[string]any](c.doc, "paths", template)[strings.ToLower(sent.method)].(map[string]any)
	if !known {
		if got.status != 404 && got.status != 405 {
			return "", fmt.Errorf("status %d of what is not described", got.status)
		}
		return "#/components/schemas/Problem", nil
	}
	pointer := "#/paths/" + escape(template) + "/" + strings.ToLower(sent.method) + "/responses/" +
		strconv.Itoa(got.status)
	response, known := operation["responses"].(map[string]any)[strconv.Itoa(got.status)].(map[string]any)
	if !known {
		return "", fmt.Errorf("status %d is not described", got.status)
	}
	if ref, ok := response["$ref"].(string); ok {
		pointer = ref
		response = at[map[string]any](c.doc, "components", "responses", ref[strings.LastIndexByte(ref, '/')+1:])
	}
	contents, _ := response["content"].(map[string]any)
	if contents == nil {
		if len(got.raw) > 0 {
			return "", fmt.Errorf("status %d has a body", got.status)
		}
		return "", nil
	}
	media, _, err := mime.ParseMediaType(got.header.Get("Content-Type"))
	if err != nil || contents[media] == nil {
		return "", fmt.Errorf("content type %q is not described", got.header.Get("Content-Type"))
	}
	return pointer + "/content/" + escape(media) + "/schema", nil
}

// template is the described path that an address belongs to; one without parameters goes first.
func (c *contract) template(path string) string {
	var fits []string
	for template := range at[map[string]any](c.doc, "paths") {
		if pathFits(template, path) {
			fits = append(fits, template)
		}
	}
	slices.SortFunc(fits, func(a, b string) int { return strings.Count(a, "{") - strings.Count(b, "{") })
	if len(fits) == 0 {
		return ""
	}
	return fits[0]
}

func pathFits(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, got, func(w, g string) bool { return w == g || strings.HasPrefix(w, "{") && g != "" })
}

func (c *contract) schema(pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := c.compiler.Compile(contractURL + pointer)
	if err == nil {
		c.schemas[pointer] = s
	}
	return s, err
}

func escape(token string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D", "+", "%2B").Replace(token)
}

// at walks down a document; the zero value if there is nothing.
func at[T any](doc any, path ...string) T {
	for _, name := range path {
		object, _ := doc.(map[string]any)
		doc = object[name]
	}
	value, _ := doc.(T)
	return value
}

// The examples of the description obey it themselves.
func TestOpenAPI_ExamplesObeyIt(t *testing.T) {
	t.Parallel()
	c := theContract(t)
	checked := 0
	for name, schema := range at[map[string]any](c.doc, "components", "schemas") {
		compiled, err := c.schema("#/components/schemas/" + name)
		dbtest.Must(t, err)
		for _, example := range at[[]any](schema, "examples") {
			checked++
			if err := compiled.Validate(example); err != nil {
				raw, _ := json.Marshal(example)
				t.Errorf("the example of %s: %v\n%s", name, err, raw)
			}
		}
	}
	if checked < 15 {
		t.Errorf("%d examples, want at least 15", checked)
	}
}
