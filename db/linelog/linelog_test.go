package linelog_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/db/dbtest"
	"lunchgo/db/linelog"
	"lunchgo/db/testkit"
)

func part(logID string, from int, entries ...string) receipt.Part {
	return receipt.Part{Line: "r1-2026-11-21-1900", LogID: logID, From: from, Entries: entries}
}

func TestLineLogs_EachEntryIsStoredOnce(t *testing.T) {
	t.Parallel()
	logs := linelog.NewStore(testkit.Setup(t).Pool)
	for _, p := range []receipt.Part{part("a", 0, "born 1", "enter x"), part("a", 0, "other", "other"),
		part("a", 1, "enter x", "turn 3 2")} {
		dbtest.Must(t, logs.StorePart(t.Context(), p))
	}
	got, next, err := logs.FindPart(t.Context(), "r1-2026-11-21-1900", "a", 0)
	if want := part("a", 0, "born 1", "enter x", "turn 3 2"); err != nil || next != 0 ||
		!slices.Equal(got.Entries, want.Entries) {
		t.Errorf("got %+v, %d, %v", got, next, err)
	}
	got, _, err = logs.FindPart(t.Context(), "r1-2026-11-21-1900", "a", 2)
	if err != nil || got.From != 2 || len(got.Entries) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestLineLogs_TheLatestLogIsFoundWithoutItsID(t *testing.T) {
	t.Parallel()
	logs := linelog.NewStore(testkit.Setup(t).Pool)
	for _, id := range []string{"b", "a"} {
		dbtest.Must(t, logs.StorePart(t.Context(), part(id, 0, "log "+id)))
	}
	for id, want := range map[string]string{"": "a", "a": "a", "b": "b"} {
		if got, _, err := logs.FindPart(t.Context(), "r1-2026-11-21-1900", id, 0); err != nil || got.LogID != want {
			t.Errorf("%q: got %+v, %v", id, got, err)
		}
	}
	if _, _, err := logs.FindPart(t.Context(), "r1-2026-11-21-1900", "c", 0); !errors.Is(err, receipt.ErrUnknownLog) {
		t.Errorf("got %v", err)
	}
}

func TestLineLogs_LongLogsComeInPages(t *testing.T) {
	t.Parallel()
	logs := linelog.NewStore(testkit.Setup(t).Pool)
	var entries []string
	for i := range 2*receipt.PageSize + 1 {
		entries = append(entries, fmt.Sprint("left ", i+1))
	}
	dbtest.Must(t, logs.StorePart(t.Context(), part("a", 0, entries...)))
	var read []string
	for pages, from := 1, 0; ; pages++ {
		got, next, err := logs.FindPart(t.Context(), "r1-2026-11-21-1900", "", from)
		if err != nil || pages > 3 {
			t.Fatal(pages, err)
		}
		read = append(read, got.Entries...)
		if from = next; next == 0 {
			break
		}
	}
	if !slices.Equal(read, entries) {
		t.Errorf("read %d of %d", len(read), len(entries))
	}
}

func TestLineLogs_OldOnesAreDeleted(t *testing.T) {
	t.Parallel()
	logs := linelog.NewStore(testkit.Setup(t).Pool)
	dbtest.Must(t, logs.StorePart(t.Context(), part("a", 0, "born 1")))
	dbtest.Must(t, logs.DeleteBefore(t.Context(), time.Now().Add(-time.Hour)))
	if _, _, err := logs.FindPart(t.Context(), "r1-2026-11-21-1900", "a", 0); err != nil {
		t.Errorf("got %v", err)
	}
	dbtest.Must(t, logs.DeleteBefore(t.Context(), time.Now().Add(time.Hour)))
	if _, _, err := logs.FindPart(t.Context(), "r1-2026-11-21-1900", "a", 0); !errors.Is(err, receipt.ErrUnknownLog) {
		t.Errorf("got %v", err)
	}
}
