package webtest

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// exampleAnswers are how examples are answered that do not come true, since somebody has another password, another link
// no money or no right. Those that are about a thing find none. All others come true.
var exampleAnswers = map[string]string{
	"POST /api/sessions": "wrong_password", "POST /api/links": "link_over", "DELETE /api/account": "invalid",
	"POST /api/account/email": "invalid", "PUT /api/account/password": "invalid",
	"POST /api/wallet/withdrawals": "balance_too_low", "POST /api/waitlist": "seats_available",
	"POST /api/operator/restaurants/{id}/unpublish": "forbidden",
}

// The examples of bodies are understood: sent to a server, for tomorrow and for its restaurant, they come true.
func TestOpenAPI_ExamplesComeTrue(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	c, calls := theContract(t), map[string]map[string]any{}
	c.eachOperation(func(path, method string, operation map[string]any) {
		if schema := at[map[string]any](operation, "requestBody", "content", "application/json", "schema"); schema != nil {
			calls[strings.ToUpper(method)+" "+path] = schema
		}
	})
	order := slices.Sorted(maps.Keys(calls))
	slices.SortStableFunc(order, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	for _, route := range order {
		method, path, _ := strings.Cut(route, " ")
		name := strings.TrimPrefix(at[string](calls[route], "$ref"), "#/components/schemas/")
		body := r.hereAndTomorrow(at[[]any](c.doc, "components", "schemas", name, "examples")[0])
		owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
		address, want := r.addressOf(path), exampleAnswers[route]
		if strings.Contains(address, "{") {
			address, want = pathParam.ReplaceAllString(address, "1"), cmp.Or(want, "not_found")
		}
		headers := map[string]string{"Idempotency-Key": "key-1", "Prefer": "wait=10"}
		if method == http.MethodPut {
			headers["If-Match"] = r.get(t, owner, address).header.Get("ETag")
		}
		got := r.do(t, call{method: method, path: address, as: owner, body: body, headers: headers})
		code := ""
		if got.status >= http.StatusBadRequest {
			code = got.text(t, "code")
		}
		if code != want {
			t.Errorf("%s: %d %s, want %s", route, got.status, got.raw, cmp.Or(want, "it to come true"))
		}
	}
	if len(order) < 35 {
		t.Errorf("only %d examples", len(order))
	}
}

// rank orders calls: those that close something come last.
func rank(route string) string { return map[byte]string{'O': "1", 'A': "2", 'U': "3"}[route[1]] }

// addressOf is a path with what there is for its parameters; others stay.
func (r *harness) addressOf(path string) string {
	return strings.NewReplacer("{restaurant}", fmt.Sprint(r.restaurant.ID), "{date}", string(r.day(1)),
		"{time}", "19:00", "{item}", fmt.Sprint(r.menu[0].ID)).Replace(path)
}

// hereAndTomorrow is an example for the restaurant and its menu, and for tomorrow.
func (r *harness) hereAndTomorrow(example any) any {
	switch example := example.(type) {
	case map[string]any:
		made := map[string]any{}
		for name, value := range example {
			switch made[name] = r.hereAndTomorrow(value); name {
			case "date":
				made[name] = r.day(1)
			case "restaurantId":
				made[name] = r.restaurant.ID
			case "timeZone":
				made[name] = r.restaurant.Location.String() // bookings keep it
			case "menuItemId":
				made[name] = r.menu[0].ID
			}
		}
		return made
	case []any:
		made := []any{}
		for _, value := range example {
			made = append(made, r.hereAndTomorrow(value))
		}
		return made
	}
	return example
}

// The description is a page for people, too.
func TestAPIDocs_ShowEveryOperation(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	for language, title := range map[string]string{"ko": "차례", "en": "Contents"} {
		response, err := agent.Do(r.request(t, call{method: http.MethodGet, path: views.APIDocsURL(),
			headers: map[string]string{"Accept-Language": language}}))
		dbtest.Must(t, err)
		defer response.Body.Close()
		raw, err := io.ReadAll(response.Body)
		dbtest.Must(t, err)
		page := string(raw)
		if response.StatusCode != http.StatusOK || !strings.Contains(page, title) ||
			!strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %.200s", language, response.StatusCode, page)
		}
		theContract(t).eachOperation(func(path, method string, operation map[string]any) {
			if !strings.Contains(page, `id="`+at[string](operation, "operationId")+`"`) {
				t.Errorf("%s %s is not shown", method, path)
			}
		})
		for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
			if !strings.Contains(page, `id="`+link[1]+`"`) {
				t.Errorf("#%s leads nowhere", link[1])
			}
		}
	}
}
