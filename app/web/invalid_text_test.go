package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// past are the routes that come before all middleware. They read nothing of a request.
var past = []string{"GET /healthz", "GET /readyz"}

// What no database stores is refused on every route, wherever it stands, in the language of who sent it.
func TestRoutes_RefuseInvalidText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	owner := h.visitors[len(h.visitors)-1]
	token, _ := h.Identity.Sessions.Issue(owner.id)
	client := h.browser().client
	send := func(method, address, kind, body string, header ...string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, h.URL+address, strings.NewReader(body))
		h.must(err)
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", kind)
		request.Header.Set("Accept-Language", "ko")
		if len(header) > 0 {
			request.Header.Set(header[0], header[1])
		}
		response, err := client.Do(request)
		h.must(err)
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		h.must(err)
		if response.StatusCode != 422 || !bytes.Contains(answer, []byte("쓸 수 없는 글자")) && method != http.MethodHead {
			t.Errorf("%s %s %.60q: %d %.300s", method, address, body, response.StatusCode, answer)
		}
	}
	const form, document = "application/x-www-form-urlencoded", "application/json"
	files, filesKind := formWithFiles(t)
	for _, route := range h.Site.Routes() {
		if slices.Contains(past, route) {
			continue
		}
		method, path, _ := strings.Cut(route, " ")
		whole := h.address(path)
		for _, bad := range []string{"%00", "%ff", "%ed%a0%80"} {
			send(method, whole+"?a=1&b="+bad, form, "")
			send(method, whole+"?"+bad, form, "")
			if parameter.MatchString(path) {
				send(method, parameter.ReplaceAllString(path, "1"+bad), form, "")
			}
			if method != http.MethodGet {
				send(method, whole, form, "a=1&b="+bad)
				send(method, whole, form, bad+"=1")
			}
		}
		if method == http.MethodGet {
			continue
		}
		for _, bad := range []string{`{"a": [{"b": "\u0000"}]}`, `{"a": "\ud800"}`, "{\"a\": \"\xff\"}", `{"\u0000": 1}`} {
			send(method, whole, document, bad)
		}
		send(method, whole, filesKind, files)
		send(method, whole, form, "", "Idempotency-Key", "\xff")
		send(method, whole, form, "", "If-Match", "\xff")
	}
}

func formWithFiles(t *testing.T) (body, kind string) {
	t.Helper()
	var sent bytes.Buffer
	form := multipart.NewWriter(&sent)
	for name, value := range map[string]string{"a": "1", "b": "\x00"} {
		dbtest.Must(t, form.WriteField(name, value))
	}
	dbtest.Must(t, form.Close())
	return sent.String(), form.FormDataContentType()
}

// The filters of lists are what reached the database.
func TestFilters_RefuseInvalidText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	owner := h.visitors[slices.IndexFunc(h.visitors, func(v visitor) bool { return v.role == identity.RoleOwner })]
	of := func(format string) string { return fmt.Sprintf(format, h.restaurant.ID) }
	for _, list := range []string{of("/api/staff/restaurants/%d/audit?userId="), of("/api/staff/restaurants/%d/audit?reservationId="),
		of("/api/staff/restaurants/%d/audit?area="), of("/api/staff/restaurants/%d/guests?q="),
		of("/staff/restaurants/%d/guests?q="), of("/staff/restaurants/%d/team/log?person="),
		"/api/lines/x/log?log=", "/api/restaurants?q="} {
		for _, bad := range []string{"%00", "%ff", "a%ed%a0%80b"} {
			_, answer := h.knock(owner, http.MethodGet, list+bad, "") // a 5xx is a fault
			var problem struct {
				Code   string
				Fields []struct{ Name, Reason string }
			}
			if strings.HasPrefix(list, "/api/") && (json.Unmarshal(answer, &problem) != nil || problem.Code != "invalid" ||
				len(problem.Fields) != 1 || problem.Fields[0].Reason != "invalid_text" ||
				!strings.HasSuffix(list, "?"+problem.Fields[0].Name+"=")) {
				t.Errorf("%s%s: %s", list, bad, answer)
			}
		}
	}
}
