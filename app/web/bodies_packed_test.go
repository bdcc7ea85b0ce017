package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// packedForm is a form of a megabyte in some hundred bytes, and its content type.
func packedForm(t *testing.T) (body []byte, contentType string) {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	form := multipart.NewWriter(writer)
	field, err := form.CreateFormField("token")
	dbtest.Must(t, err)
	for _, err := range []error{
		func() error { _, err := io.CopyN(field, zeros{}, 1<<20); return err }(), form.Close(), writer.Close()} {
		dbtest.Must(t, err)
	}
	return packed.Bytes(), form.FormDataContentType()
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A body that would have to be unpacked is refused before anything reads it, whatever the route and the coding.
func TestBodies_PackedOnesAreRefusedOnEveryRoute(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	body, contentType := packedForm(t)
	client := h.browser().client
	param, asked := regexp.MustCompile(`:\w+|\*`), 0
	for _, route := range h.Site.Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		if pattern == "/healthz" || pattern == "/readyz" {
			continue // they stand before everything else, and read no body
		}
		for _, codings := range [][]string{{"gzip"}, {"identity"}, {"nonsense, br"}, {"", "gzip"}} {
			request, err := http.NewRequestWithContext(t.Context(), method, h.URL+param.ReplaceAllString(pattern, "1"),
				bytes.NewReader(body))
			h.must(err)
			request.Header.Set("Content-Type", contentType)
			request.Header["Content-Encoding"] = codings
			if codings[0] == "" {
				request.Header.Set("Content-Type", "text/plain") // as a form it is no request
			}
			answer, err := client.Do(request)
			h.must(err)
			h.must(answer.Body.Close())
			if answer.StatusCode != http.StatusUnsupportedMediaType {
				t.Errorf("%s with %q: %d", route, codings, answer.StatusCode)
			}
		}
		asked++
	}
	if asked < 80 {
		t.Errorf("only %d routes were asked", asked)
	}
}
