package guests

import (
	"bytes"
	"context"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// listed is a store of guests for files; all else of it panics.
type listed struct {
	Store
	guests map[string]Listed
}

// ListExported implements Store.
func (s listed) ListExported(_ context.Context, _ int64, ids []string) (found []Listed, err error) {
	for _, id := range ids {
		if g, ok := s.guests[id]; ok {
			found = append(found, g)
		}
	}
	return found, nil
}

// written is what a file of guests has, row by row.
func written(t *testing.T, e Export) [][]string {
	t.Helper()
	var file bytes.Buffer
	dbtest.Must(t, e.WriteCSV(t.Context(), &file, Words{Heading: func(key string) string { return key },
		Tag: func(kind string) string { return "<" + kind + ">" }}))
	text, begins := strings.CutPrefix(file.String(), "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !begins {
		t.Fatalf("%.40q, %v", file.String(), err)
	}
	return rows
}

// A file has what is known of each guest. Money of who has not agreed is not known; dates are the restaurant's; nothing
// that somebody has typed is a formula.
func TestExport_HasWhatIsKnown(t *testing.T) {
	t.Parallel()
	visit := time.Date(2030, 1, 4, 20, 0, 0, 0, time.UTC) // the next day in Seoul
	store := listed{guests: map[string]Listed{
		"agrees": {Guest{Name: "김하늘", Phone: "010-9876-5432", Visits: 3, NoShows: 1, Cancellations: 2,
			LastVisit: visit, Spent: 40_000, Consents: true, Allergies: []string{"땅콩", "새우"},
			Tags: []string{"vip", "wine"}},
			"likes \"tea\""},
		"hostile": {Guest{Name: "=1+1", Phone: "+82 10 1234 5678", Allergies: []string{"@SUM(A1)"}, Tags: []string{"-2+3"}},
			"\t=cmd|' /C calc'!A0"},
	}}
	rows := written(t, Export{store, booking.Restaurant{Location: time.FixedZone("KST", 9*60*60)},
		[]string{"agrees", "deleted", "hostile"}})
	want := [][]string{Columns(),
		{"김하늘", "010-9876-5432", "<vip>, wine", "땅콩, 새우", "likes \"tea\"", "3", "1", "2", "2030-01-05", "40000"},
		{"'=1+1", "'+82 10 1234 5678", "'-2+3", "'@SUM(A1)", "'\t=cmd|' /C calc'!A0", "0", "0", "0", "", ""}}
	for i := range max(len(rows), len(want)) {
		if i >= len(rows) || i >= len(want) || strings.Join(rows[i], "|") != strings.Join(want[i], "|") {
			t.Fatalf("rows %q, want %q", rows, want)
		}
	}
}

// A file that takes more than one batch has each guest once, in order.
func TestExport_GoesOnBatchByBatch(t *testing.T) {
	t.Parallel()
	e, store := Export{}, listed{guests: map[string]Listed{}}
	for i := range 2*exportBatch + 1 {
		id := strconv.Itoa(i)
		e.ids, store.guests[id] = append(e.ids, id), Listed{Guest: Guest{Name: id}}
	}
	e.store = store
	rows := written(t, e)[1:]
	for i, row := range rows {
		if row[0] != e.ids[i] {
			t.Fatalf("row %d is of %s", i, row[0])
		}
	}
	if len(rows) != len(e.ids) {
		t.Errorf("%d rows, want %d", len(rows), len(e.ids))
	}
}
