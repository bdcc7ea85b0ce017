package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/web/respond"
)

const formType, jsonType = "application/x-www-form-urlencoded", "application/json"

// send has the owner send a body, over whatever version there is.
func (h *house) send(method, address, kind, body string) (int, []byte) {
	h.t.Helper()
	token, _ := h.Identity.Sessions.Issue(h.visitors[len(h.visitors)-1].id)
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.URL+address, strings.NewReader(body))
	h.must(err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", kind)
	request.Header.Set("If-Match", `"1"`)
	response, err := h.browser().client.Do(request)
	h.must(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	h.must(err)
	return response.StatusCode, answer
}

// A body of some kilobytes that holds tens of thousands of fields or values is refused on every route before it is
// taken apart, which would take a hundred times its bytes.
func TestBodies_OfTooManyValuesAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	routes := 0
	for _, route := range h.Site.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if method == http.MethodGet {
			continue
		}
		routes++
		if got, _ := h.send(method, h.address(path), formType, strings.Repeat("a&", 30_000)); got != 413 {
			t.Errorf("%s, a form: %d", route, got)
		}
	}
	if routes < 100 {
		t.Errorf("only %d routes", routes)
	}
	at := fmt.Sprintf("/api/staff/restaurants/%d/", h.restaurant.ID)
	for name, member := range map[string]string{"menu": "items", "seats": "seats"} {
		body := `{"` + member + `": [{}` + strings.Repeat(",{}", 300_000) + `]}`
		if got, _ := h.send(http.MethodPut, at+name, jsonType, body); got != 413 {
			t.Errorf("a %s of 300,000: %d", name, got)
		}
	}
	whole := fmt.Sprintf("/staff/restaurants/%d/setup/picture", h.restaurant.ID)
	if got, _ := h.send(http.MethodPost, whole, formType, strings.Repeat("a&", respond.MaxUpload/2)); got != 413 {
		t.Errorf("a form of 12 MB: %d", got)
	}
}

// However much is wrong with a document, its answer names some.
func TestBodies_AnswersNameSomeFaults(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	at := fmt.Sprintf("/api/staff/restaurants/%d/", h.restaurant.ID)
	item := `{"category": "", "name": {"ko": "", "en": ""}, "description": {"ko": "", "en": ""}, "price": -1,` +
		`"picture": "x", "staySlots": 0, "dailyQuantity": 0, "retired": false}`
	for name, body := range map[string]string{
		"menu":            `{"items": [{}` + strings.Repeat(",{}", 10_000) + `]}`,
		"menu?of=invalid": `{"items": [` + item + strings.Repeat(","+item, 150) + `]}`,
		"closures":        `{"closures": [{}` + strings.Repeat(",{}", 10_000) + `]}`,
		"seats":           `{"floor": {"width": 0, "height": 0, "fixtures": []}, "seats": [{}` + strings.Repeat(",{}", 10_000) + `]}`,
	} {
		name, _, _ = strings.Cut(name, "?")
		_, answer := h.send(http.MethodPut, at+name, jsonType, body)
		var problem struct {
			Code   string
			Fields []struct{ Name string }
		}
		h.must(json.Unmarshal(answer, &problem))
		if problem.Code != "invalid" || len(problem.Fields) < 1 || len(problem.Fields) > respond.MostFields {
			t.Errorf("%s: %s, %d fields", name, problem.Code, len(problem.Fields))
		}
	}
}
