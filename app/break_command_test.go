package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lunchgo/app/rush"
	"lunchgo/db/dbtest"
)

// A server is killed in the middle of a rush, and nobody loses an answer or a seat. Whether anybody was overtaken it
// only shows: on a machine that is full besides, a server that hears nothing from Redis keeps places by itself
// (docs/faults.md).
func TestBreakCommand_KillsAServer(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs servers")
	}
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.html")
	var out bytes.Buffer
	args := strings.Fields("--diners 200 --over 1s --json server --page " + page)
	ended := breakCommand(t.Context(), Config{}, args, &out)
	if ended != nil && !errors.Is(ended, errBroken) {
		t.Fatalf("%v: %s", ended, out.String())
	}
	var shown rush.Trials
	if err := json.Unmarshal(out.Bytes(), &shown); err != nil || len(shown.Trials) != 1 {
		t.Fatalf("%v: %s", err, out.String())
	}
	got := shown.Trials[0]
	if got.Fault != "server" || got.Diners != 200 || got.Answered != 200 || got.Reserved != 160 || got.Checks == 0 {
		t.Errorf("%+v", got)
	}
	if got.DownSeconds < 3 || got.FaultSeconds <= 0 {
		t.Errorf("nothing was broken: %+v", got)
	}
	if got.GaveUp+got.Lost+got.Unclaimed+got.Oversold > 0 || len(got.Findings) > 0 {
		t.Errorf("a promise was broken: %+v", got)
	}
	text, err := os.ReadFile(page)
	if err != nil || bytes.Contains(text, []byte("Every promise was kept")) != (ended == nil) {
		t.Errorf("the command ends with %v; the page: %v\n%s", ended, err, text)
	}
}

func TestParseBreakFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"": "server redis postgres network", "redis": "redis", "network --json server": "network server",
	} {
		o, err := parseBreakFlags(strings.Fields(args), io.Discard)
		var names []string
		for _, f := range o.faults {
			names = append(names, f.name)
		}
		if got := strings.Join(names, " "); err != nil || got != want || o.json != strings.Contains(args, "--json") {
			t.Errorf("%q: %q, %v", args, got, err)
		}
	}
	for _, args := range []string{"disk", "--diners 1", "--over 0s", "redis --over 5m"} {
		if _, err := parseBreakFlags(strings.Fields(args), io.Discard); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	var help bytes.Buffer
	if _, err := parseBreakFlags([]string{"--help"}, &help); !errors.Is(err, flag.ErrHelp) ||
		!strings.Contains(help.String(), "kill -9 of Redis") {
		t.Errorf("%v: %s", err, help.String())
	}
}

// What an instance did not answer goes to the other one if it is safe to send again; else the client is asked to come
// back.
func TestFront_SendsAgainWhatIsSafe(t *testing.T) {
	t.Parallel()
	breaks := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		panic(http.ErrAbortHandler) // also when it is asked whether it is ready
	}))
	defer breaks.Close()
	answers := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	defer answers.Close()
	for name, test := range map[string]struct {
		instances   []string
		method, key string
		want        int
	}{
		"a read":               {[]string{breaks.URL, answers.URL}, http.MethodGet, "", http.StatusOK},
		"a press with its key": {[]string{breaks.URL, answers.URL}, http.MethodPost, "key", http.StatusOK},
		"a press without one":  {[]string{breaks.URL, breaks.URL}, http.MethodPost, "", http.StatusServiceUnavailable},
		"nobody there":         {[]string{breaks.URL, breaks.URL}, http.MethodGet, "", http.StatusServiceUnavailable},
	} {
		var instances rush.Instances
		for _, url := range test.instances {
			instances = append(instances, &rush.Instance{URL: url})
		}
		f, err := openFront(instances)
		dbtest.Must(t, err)
		for range 10 { // so that each instance is the first one, as good as surely
			request, err := http.NewRequestWithContext(t.Context(), test.method, f.url+"/", strings.NewReader("text"))
			dbtest.Must(t, err)
			if test.key != "" {
				request.Header.Set("Idempotency-Key", test.key)
			}
			response, err := http.DefaultClient.Do(request)
			dbtest.Must(t, err)
			text, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if response.StatusCode != test.want || test.want == http.StatusOK && string(text) != "text" ||
				test.want != http.StatusOK && response.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %s %q", name, response.Status, text)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
