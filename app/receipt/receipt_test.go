package receipt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
)

// One signature covers many receipts, and each of them proves by itself.
func TestSigner_SignsAnyNumberTogether(t *testing.T) {
	t.Parallel()
	s := signer(t)
	for _, n := range []int{1, 2, 3, 5, 63, 64, 65, 130} {
		receipts := make([]receipt.Receipt, n)
		for i := range receipts {
			receipts[i] = receipt.Receipt{Line: line, LogID: "x", Arrival: int64(1 + i), Entries: 1, Time: start}
		}
		s.Sign(receipts)
		for i, r := range receipts {
			if !r.SignedBy(s.PublicKeys()[0]) {
				t.Fatalf("receipt %d of %d is not signed", i, n)
			}
			if r.Arrival++; r.SignedBy(s.PublicKeys()[0]) {
				t.Fatalf("receipt %d of %d is signed with another number", i, n)
			}
		}
	}
}

func TestSigner_HasOneKeyForEachSecret(t *testing.T) {
	t.Parallel()
	other, err := receipt.NewSigner(token.Secrets{"another secret"})
	if err != nil {
		t.Fatal(err)
	}
	mine, again := signer(t), signer(t)
	if mine.PublicKeys()[0] != again.PublicKeys()[0] || mine.PublicKeys()[0] == other.PublicKeys()[0] {
		t.Error("the key does not follow the secret")
	}
}

func TestParse_ReadsWhatFileWrites(t *testing.T) {
	t.Parallel()
	receipts, _ := evening(t)
	for _, r := range receipts {
		text, err := r.File()
		if err != nil {
			t.Fatal(err)
		}
		again, err := receipt.Parse(text)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(r) || !again.SignedBy(signer(t).PublicKeys()[0]) {
			t.Errorf("%s: %+v, %v", text, again, err)
		}
	}
}

func TestParse_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{}", "[]", "null", `{"line":"x"}`, strings.Repeat(" ", receipt.MaxSize+1)} {
		if _, err := receipt.Parse([]byte(text)); !errors.Is(err, receipt.ErrReceipt) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestBook_NoticesAnotherLog(t *testing.T) {
	t.Parallel()
	book := receipt.NewBook(line)
	must(t, book.Append([]string{"born 1", "enter 2:" + receipt.Commit("a").String()}))
	if book.From() != 1 || book.Settled() {
		t.Errorf("from %d, settled %v", book.From(), book.Settled())
	}
	for _, texts := range [][]string{nil, {"again 2:" + receipt.Commit("a").String()}} {
		if err := book.Append(texts); !errors.Is(err, receipt.ErrOtherLog) {
			t.Errorf("%v: %v", texts, err)
		}
	}
}

func TestBook_GivesReceiptsOnlyToThoseInTheLog(t *testing.T) {
	t.Parallel()
	book := receipt.NewBook(line)
	must(t, book.Append([]string{"born 1", "enter 2:" + receipt.Commit("a").String()}))
	if r, ok := book.Receipt("a", 2, start); !ok || r.Entries != 2 {
		t.Errorf("got %+v, %v", r, ok)
	}
	for ticket, arrival := range map[string]int64{"b": 2, "a": 3} {
		if r, ok := book.Receipt(ticket, arrival, start); ok {
			t.Errorf("got %+v", r)
		}
	}
}

// What is published ends where nobody waits, and each entry is published once.
func TestBook_PublishesOnlyWhatIsAnswered(t *testing.T) {
	t.Parallel()
	book := receipt.NewBook(line)
	enter, left := "enter 2:"+receipt.Commit("a").String(), "left 2"
	must(t, book.Append([]string{"born 1", enter}))
	if p, ok := book.Unpublished(); ok {
		t.Errorf("got %+v", p)
	}
	must(t, book.Append([]string{enter, left}))
	p, ok := book.Unpublished()
	if !ok || p.From != 0 || len(p.Entries) != 3 || p.LogID != receipt.LogID(line, "born 1") {
		t.Errorf("got %+v, %v", p, ok)
	}
	book.NotePublished(p)
	if p, ok := book.Unpublished(); ok {
		t.Errorf("got %+v", p)
	}
	must(t, book.Append([]string{left, "enter 5:" + receipt.Commit("b").String(), "turn 6 5"}))
	if p, ok := book.Unpublished(); !ok || p.From != 3 || len(p.Entries) != 2 {
		t.Errorf("got %+v, %v", p, ok)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
