package webtest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/access"
	"lunchgo/app/web/api"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

var fiberParam = regexp.MustCompile(`:([a-z]+)`)

// Every route is described and every description routed.
func TestOpenAPI_DescribesEveryRouteAndNoOther(t *testing.T) {
	t.Parallel()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	api.New(api.Deps{}).Mount(app, access.NewRoutes(app), respond.OpenGates())
	routed := map[string]bool{}
	for _, route := range app.GetRoutes(true) {
		if route.Method != fiber.MethodHead && route.Path != views.APIDocsURL() { // Fiber adds it to every GET
			routed[route.Method+" "+fiberParam.ReplaceAllString(route.Path, "{$1}")] = true
		}
	}
	described := map[string]bool{}
	theContract(t).eachOperation(func(path, method string, _ map[string]any) {
		described[strings.ToUpper(method)+" "+path] = true
	})
	if !maps.Equal(routed, described) {
		t.Errorf("routed\n%s\ndescribed\n%s", list(routed), list(described))
	}
}

func list(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), "\n") }

func TestOpenAPI_IsServed(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	if got := r.get(t, person{}, "/api/openapi.json").want(t, 200, ""); string(got.raw) != string(api.Description()) ||
		got.text(t, "openapi") != "3.1.0" {
		t.Errorf("served: %.100s", got.raw)
	}
}

func TestOpenAPI_EveryCodeAndReasonHasASentence(t *testing.T) {
	t.Parallel()
	doc := theContract(t).doc
	check := func(prefix string, names []any) {
		if len(names) < 15 {
			t.Errorf("%s: only %d", prefix, len(names))
		}
		for _, name := range names {
			for _, lang := range []string{i18n.Korean, i18n.English} {
				if text := i18n.T(lang, prefix+name.(string), "Min", 1, "Max", 2, "Remaining", 3, "Refund", 4, "Amount",
					5, "Limit", 6, "Inside", 7); !i18n.Has(lang, prefix+name.(string)) ||
					strings.Contains(text, "no value") {
					t.Errorf("%s%s in %s: %q", prefix, name, lang, text)
				}
			}
		}
	}
	check("error.", at[[]any](doc, "components", "schemas", "Problem", "properties", "code", "enum"))
	check("error.field.", at[[]any](doc, "components", "schemas", "FieldProblem", "properties", "reason", "enum"))
}

func TestOpenAPI_IsWhole(t *testing.T) {
	t.Parallel()
	doc := theContract(t).doc
	operations := map[any]bool{}
	theContract(t).eachOperation(func(path, method string, operation map[string]any) {
		if id := operation["operationId"]; id == nil || operations[id] {
			t.Errorf("%s %s: operationId %v is missing or used twice", method, path, id)
		}
		operations[operation["operationId"]] = true
		for _, name := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
			if !slices.ContainsFunc(at[[]any](operation, "parameters"), func(p any) bool {
				return at[string](p, "name") == name[1]
			}) {
				t.Errorf("%s %s: {%s} is not described", method, path, name[1])
			}
		}
	})
	eachReference(doc, func(ref string) {
		if at[map[string]any](doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...) == nil {
			t.Errorf("%s leads nowhere", ref)
		}
	})
}

// Programs that show the description or make clients of it sort operations by their tag.
func TestOpenAPI_EveryOperationHasATag(t *testing.T) {
	t.Parallel()
	c, used, described := theContract(t), map[string]bool{}, map[string]bool{}
	c.eachOperation(func(path, method string, operation map[string]any) {
		tags := at[[]any](operation, "tags")
		if len(tags) != 1 {
			t.Errorf("%s %s has the tags %v, want one", method, path, tags)
			return
		}
		used[tags[0].(string)] = true
	})
	for _, tag := range at[[]any](c.doc, "tags") {
		if described[at[string](tag, "name")] = true; at[string](tag, "description") == "" {
			t.Errorf("%v has no description", tag)
		}
	}
	if !maps.Equal(used, described) {
		t.Errorf("used\n%s\ndescribed\n%s", list(used), list(described))
	}
}

func eachReference(node any, visit func(ref string)) {
	switch n := node.(type) {
	case map[string]any:
		if ref, ok := n["$ref"].(string); ok {
			visit(ref)
		}
		for _, child := range n {
			eachReference(child, visit)
		}
	case []any:
		for _, child := range n {
			eachReference(child, visit)
		}
	}
}
