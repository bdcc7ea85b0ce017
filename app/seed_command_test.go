package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/seed"
	"lunchgo/app/token"
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/catalog"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/wallet"
)

func TestSeedCommand_MakesDinersWithTokens(t *testing.T) {
	t.Parallel()
	c := installation(t)
	file := filepath.Join(t.TempDir(), "tokens")
	dbtest.Must(t, os.WriteFile(file, []byte(strings.Repeat("left from before\n", 1000)), 0o644))
	dbtest.Must(t, seedCommand(t.Context(), c, []string{"--diners", "50", "--tokens", file}, &bytes.Buffer{}))
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file has mode %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(file)
	dbtest.Must(t, err)
	d, err := db.Open(t.Context(), pg.Config{URL: c.DatabaseURL})
	dbtest.Must(t, err)
	defer d.Close()
	sessions := identity.NewSessions(token.Secrets{c.Secret}, accounts.NewStore(d), time.Now)
	diners := map[string]bool{}
	for token := range strings.Lines(string(text)) {
		session, err := sessions.Verify(strings.TrimSuffix(token, "\n"))
		if err != nil {
			t.Fatalf("%q: %v", token, err)
		}
		diners[session.UserID] = true
		account, err := wallet.NewStore(d).Find(t.Context(), session.UserID)
		if err != nil || account.Balance != seed.DinerPurse {
			t.Errorf("the wallet holds %d, %v", account.Balance, err)
		}
	}
	if len(diners) != 50 {
		t.Errorf("%d diners, want 50", len(diners))
	}
}

func TestSeedCommand_LoadsTheDemo(t *testing.T) {
	t.Parallel()
	c := installation(t)
	for range 2 { // again changes nothing
		dbtest.Must(t, seedCommand(t.Context(), c, nil, &bytes.Buffer{}))
	}
	d, err := db.Open(t.Context(), pg.Config{URL: c.DatabaseURL})
	dbtest.Must(t, err)
	defer d.Close()
	all, err := catalog.NewStore(d).ListRestaurants(t.Context())
	if err != nil || len(all) < 12 {
		t.Errorf("%d restaurants, %v", len(all), err)
	}
}

func TestSeedCommand_WrongFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--diners 5":                      "go together",
		"--tokens x":                      "go together",
		"--diners -5 --tokens x":          "--diners is 1 to",
		"everything":                      `"everything"`,
		"--country --accounts 0":          "--accounts is 1 to",
		"--country --diners 5 --tokens x": "do not go together",
		"--speed":                         "-speed",
	} {
		var out bytes.Buffer
		if err := seedCommand(t.Context(), Config{}, strings.Fields(args), &out); !errors.Is(err, errUsage) {
			t.Errorf("%s: ended with %v", args, err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %q does not say %s", args, out.String(), want)
		}
	}
	if err := seedCommand(t.Context(), installation(t), []string{"--country"}, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "DEMO") {
		t.Errorf("a country beside real people: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "no", "such", "folder")
	if err := seedCommand(t.Context(), installation(t), []string{"--diners", "5", "--tokens", missing},
		&bytes.Buffer{}); err == nil {
		t.Error("tokens were written to nowhere")
	}
}
