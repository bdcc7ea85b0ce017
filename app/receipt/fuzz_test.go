package receipt_test

import (
	"bytes"
	"testing"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
)

// There is one spelling of each entry.
func FuzzParseEntry(f *testing.F) {
	commitment := receipt.Commit("a").String()
	for _, seed := range []string{"born 5", "enter 1:" + commitment + ",2:" + commitment, "turn 9 1,2", "left 1",
		"closed 1,2", "lost 3", "again 1:" + commitment, "turn 9", "enter ", "left +1", "left 01",
		"left 9007199254740992"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := receipt.ParseEntry(text)
		if err == nil && e.String() != text {
			t.Errorf("%q is read as %q", text, e)
		}
	})
}

// A file is refused, or written again with the same meaning; nothing that was made up verifies.
func FuzzParseReceipt(f *testing.F) {
	s, err := receipt.NewSigner(token.Secrets{"a secret"})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"{}",
		`{"line":"r1-2026-11-21-1900","log":"00","arrival":1,"entries":1,"time":"2026-11-21T10:00:00Z",` +
			`"signature":"AAAA"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := receipt.Parse(text)
		if err != nil {
			return
		}
		file, err := r.File()
		if err != nil {
			return // a year that JSON does not write
		}
		again, err := receipt.Parse(file)
		if err != nil {
			t.Fatalf("%s is not read back: %v", file, err)
		}
		if twice, _ := again.File(); !bytes.Equal(file, twice) {
			t.Errorf("%s, then %s", file, twice)
		}
		if got := receipt.Verify(r, receipt.Log{Line: r.Line, State: receipt.Ended},
			receipt.Check{Keys: s.PublicKeys()}); got.Outcome == receipt.Proven {
			t.Errorf("%s is proven", text)
		}
	})
}

// Verify reads whatever a server answers.
func FuzzParseLog(f *testing.F) {
	s, err := receipt.NewSigner(token.Secrets{"a secret"})
	if err != nil {
		f.Fatal(err)
	}
	commitment := receipt.Commit("a")
	f.Add([]byte(`{"line":"l","state":"ended","entries":["enter 1:` + commitment.String() + `","turn 2 1"]}`))
	f.Add([]byte(`{"line":"l","state":"open"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := receipt.ParseLog(text)
		if err != nil {
			return
		}
		chain := receipt.NewChain(l.Line)
		for _, entry := range l.Entries {
			chain.Append(entry)
		}
		r := []receipt.Receipt{{Line: l.Line, LogID: chain.LogID, Arrival: 1, Ticket: commitment,
			Entries: chain.Entries, Head: chain.Head, Time: start}}
		s.Sign(r)
		if got := receipt.Verify(r[0], l, receipt.Check{Keys: s.PublicKeys()}); got.Outcome == receipt.Proven &&
			len(l.Entries) < 2 {
			t.Errorf("%s proves %+v", text, got)
		}
	})
}
