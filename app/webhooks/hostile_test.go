package webhooks

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// What a hostile endpoint answers costs little: heads are bounded, nothing is unpacked, and who sends its body drop by
// drop is cut off, though it has taken the message.
func TestClient_HostileAnswersCostLittle(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/head", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X", strings.Repeat("x", 1<<20))
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" {
			t.Error("compressed answers are asked for")
		}
		var bomb bytes.Buffer
		z := gzip.NewWriter(&bomb)
		_, _ = io.CopyN(z, strings.NewReader(strings.Repeat("boom", 1<<20)), 4<<20)
		_ = z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb.Bytes())
	})
	mux.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, ".")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-time.After(20 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
	})
	mux.HandleFunc("/early", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			w.WriteHeader(http.StatusEarlyHints)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	send := func(path string) Try {
		return local().Send(t.Context(), server.URL+path, []Secret{NewSecret()}, anyMessage)
	}
	if try := send("/head"); try.Failure != FailureConnect {
		t.Errorf("a head of a megabyte: %+v", try)
	}
	if try := send("/bomb"); try.Status != 200 || strings.Contains(try.Excerpt, "boom") {
		t.Errorf("a bomb: %+v", try)
	}
	if try := send("/drip"); try.Status != 200 || try.Took > 5*time.Second || !strings.HasPrefix(try.Excerpt, ".") {
		t.Errorf("drop by drop: %+v", try)
	}
	if try := send("/early"); try.Failure != FailureConnect || try.Took > 5*time.Second {
		t.Errorf("hints without end: %+v", try)
	}
}

// Neither what an owner types nor what happened writes a header.
func TestClient_NothingTypedIsAHeader(t *testing.T) {
	t.Parallel()
	d := Draft{URL: "https://example.com/", Types: Types(), Description: "till\r\nX-Injected: yes"}
	if faults := d.check(false); len(faults) == 0 && strings.ContainsAny(d.Description, "\r\n") {
		t.Errorf("%q", d.Description)
	}
	var got http.Header
	var path string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, path = r.Header, r.URL.Path
	}))
	defer server.Close()
	try := local().Send(t.Context(), server.URL+"/a%0d%0aX-Injected:%20yes", []Secret{NewSecret()}, anyMessage)
	if !try.Delivered() || got.Get("X-Injected") != "" || path != "/a\r\nX-Injected: yes" {
		t.Errorf("%+v: %q %v", try, path, got)
	}
	m := anyMessage
	m.ID = "evt_1\r\nX-Injected: yes"
	if try := local().Send(t.Context(), server.URL, []Secret{NewSecret()}, m); try.Delivered() {
		t.Errorf("an id of two lines was sent: %v", got)
	}
}
