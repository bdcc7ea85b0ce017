package reports

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/booking"
)

// A file has a byte order mark, CRLF and quotes, reads back as what was written, and no text of somebody's is a
// formula.
func TestWriteCSV_IsSafeForSpreadsheets(t *testing.T) {
	t.Parallel()
	facts := Facts{Cells: []Cell{{Date: "2030-01-04", Time: "12:00",
		Figures: Figures{Slots: 1, Parties: 2, Covers: 5, Deposits: 20_000, SoldOutSlots: 1}}}}
	r := Build(booking.Restaurant{}, Filter{Period: Last(1, "2030-01-04"), Weekday: -1}, facts)
	for _, hostile := range []string{`=HYPERLINK("http://x","y")`, "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
		"＝1+1", `담"담, 반상`, "담담"} {
		var file bytes.Buffer
		words := Words{Restaurant: hostile, Heading: func(key string) string { return key }, Weekday: func(int) string {
			return hostile
		}}
		if err := WriteCSV(&file, r, words); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		if !strings.HasPrefix(text, "\xef\xbb\xbfrestaurant,date,") || !strings.HasSuffix(text, "\r\n") {
			t.Errorf("%.40q … %q", text, text[len(text)-4:])
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != len(Columns()) {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for _, cell := range []string{rows[1][0], rows[1][2]} {
			if strings.ContainsAny(cell[:1], "=+-@\t\r\n") || strings.HasPrefix(cell, "＝") {
				t.Errorf("%q begins a formula", cell)
			}
			if hostile == `담"담, 반상` && cell != hostile {
				t.Errorf("%q, want %q", cell, hostile)
			}
		}
		if i := slices.Index(rows[0], sellOutSeconds); rows[1][i-1] != "1" || rows[1][i] != "" {
			t.Errorf("sold out %q after %q, want 1 and nothing", rows[1][i-1], rows[1][i])
		}
		if got := strings.Join(rows[1][3:7], " "); got != "12:00 0 2 5" {
			t.Errorf("figures %s", got)
		}
	}
}
