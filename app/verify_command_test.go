package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
)

// endedLine is a short log, served two entries a page, and a receipt of its second ticket in a file.
func endedLine(t *testing.T, tamper func(texts []string)) (file, site string) {
	t.Helper()
	signer, err := receipt.NewSigner(token.Secrets{"the secret of the command's test"})
	dbtest.Must(t, err)
	texts := []string{"born 5", "enter 10:" + receipt.Commit("a").String() + ",11:" + receipt.Commit("b").String(),
		"turn 12 10", "turn 13 11"}
	book := receipt.NewBook("r1-2026-11-21-1900")
	dbtest.Must(t, book.Append(texts[:2]))
	r, _ := book.Receipt("b", 11, time.Now().Add(-time.Hour))
	given := []receipt.Receipt{r}
	signer.Sign(given)
	text, err := given[0].File()
	dbtest.Must(t, err)
	file = filepath.Join(t.TempDir(), "receipt.json")
	dbtest.Must(t, os.WriteFile(file, text, 0o600))
	tamper(texts)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		from, _ := strconv.Atoi(req.URL.Query().Get("from"))
		if req.URL.Path != "/api/lines/r1-2026-11-21-1900/log" || req.URL.Query().Get("log") != r.LogID ||
			texts[0] == "" {
			http.NotFound(w, req)
			return
		}
		page := receipt.Log{Line: r.Line, LogID: r.LogID, State: receipt.Ended, PublicKey: signer.PublicKeys()[0],
			From: from, Entries: texts[from:min(from+2, len(texts))]}
		if from+2 < len(texts) {
			page.Next = from + 2
		}
		_ = json.NewEncoder(w).Encode(page)
	}))
	t.Cleanup(server.Close)
	return file, server.URL
}

func TestVerifyCommand_SaysWhetherTheLineWasKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tamper   func(texts []string)
		flags    []string
		want     string
		unproven bool
		fails    bool
	}{
		"served in order": {tamper: func([]string) {}, want: "number 2 of the line"},
		"overtaken":       {tamper: func(texts []string) { texts[2], texts[3] = "turn 12 11", "turn 13 10" }, want: "still waited", fails: true},
		"altered":         {tamper: func(texts []string) { texts[0] = "born 6" }, want: "not the one", fails: true},
		"not published":   {tamper: func(texts []string) { texts[0] = "" }, want: "No log", fails: true, unproven: true},
		"another key": {tamper: func([]string) {}, flags: []string{"--key", strings.Repeat("ab", 32)}, want: "another key",
			fails: true},
		"as JSON": {tamper: func([]string) {}, flags: []string{"--json"}, want: `"outcome":"proven"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, site := endedLine(t, c.tamper)
			var out bytes.Buffer
			err := verifyCommand(t.Context(), Config{}, append(c.flags, file, site), &out)
			if (err != nil) != c.fails || errors.Is(err, errUsage) != c.unproven ||
				!strings.Contains(out.String(), c.want) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}
