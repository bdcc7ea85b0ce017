package guests

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/sheet"
	"lunchgo/app/team"
)

// exportBatch is how many guests of a file are in memory at once.
const exportBatch = 500

// Listed is a guest as a file has them.
type Listed struct {
	Guest
	Note string // the latest of staff; empty for none
}

// Export is the list of guests that a member of staff has asked for as a file.
type Export struct {
	store      Store
	restaurant booking.Restaurant
	ids        []string
}

// Export begins a file of the guests that a search finds. The log has who asked for it, and how many guests it has.
func (s *Service) Export(ctx context.Context, by team.Staff, r booking.Restaurant, search Search) (Export, error) {
	if err := by.Check(r.ID, team.SeeGuests); err != nil {
		return Export{}, err
	}
	ids, err := s.store.BeginExport(ctx, r.ID, by.UserID(), search)
	return Export{s.store, r, ids}, err
}

// Words are what a file of guests calls things: a heading by its key, and the tags that every restaurant has.
type Words struct {
	Heading func(key string) string
	Tag     func(kind string) string
}

// columns are those of a file of guests, by the keys of their headings. What cannot be known is empty.
var columns = []struct {
	key  string
	cell func(Listed, *time.Location, Words) string
}{
	{"name", func(g Listed, _ *time.Location, _ Words) string { return sheet.Text(g.Name) }},
	{"phone", func(g Listed, _ *time.Location, _ Words) string { return sheet.Text(g.Phone) }},
	{"tags", func(g Listed, _ *time.Location, words Words) string { return sheet.Text(named(g.Tags, words)) }},
	{"allergies", func(g Listed, _ *time.Location, _ Words) string { return sheet.Text(joined(g.Allergies)) }},
	{"note", func(g Listed, _ *time.Location, _ Words) string { return sheet.Text(g.Note) }},
	{"visits", func(g Listed, _ *time.Location, _ Words) string { return strconv.Itoa(g.Visits) }},
	{"no_shows", func(g Listed, _ *time.Location, _ Words) string { return strconv.Itoa(g.NoShows) }},
	{"cancellations", func(g Listed, _ *time.Location, _ Words) string { return strconv.Itoa(g.Cancellations) }},
	{"last_visit", func(g Listed, zone *time.Location, _ Words) string { return dateOf(g.LastVisit, zone) }},
	{"spent", func(g Listed, _ *time.Location, _ Words) string { return spent(g.Guest) }},
}

func joined(words []string) string { return strings.Join(words, ", ") }

func named(tags []string, words Words) string {
	all := make([]string, 0, len(tags))
	for _, tag := range tags {
		if IsKind(tag) {
			tag = words.Tag(tag)
		}
		all = append(all, tag)
	}
	return joined(all)
}

func dateOf(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return string(booking.DateOf(at, zone))
}

func spent(g Guest) string {
	if !g.Consents {
		return ""
	}
	return strconv.FormatInt(g.Spent, 10)
}

// Columns are the keys of the headings of a file of guests, in order.
func Columns() []string {
	keys := make([]string, 0, len(columns))
	for _, column := range columns {
		keys = append(keys, column.key)
	}
	return keys
}

// WriteCSV writes the guests as a file for spreadsheets, each once, the latest visitor first. Who was deleted since it
// was begun is left out.
func (e Export) WriteCSV(ctx context.Context, w io.Writer, words Words) error {
	file, err := sheet.New(w, Columns(), words.Heading)
	for batch := range slices.Chunk(e.ids, exportBatch) {
		if err != nil {
			return err
		}
		err = e.writeBatch(ctx, file, batch, words)
	}
	return err
}

func (e Export) writeBatch(ctx context.Context, file sheet.Writer, ids []string, words Words) error {
	guests, err := e.store.ListExported(ctx, e.restaurant.ID, ids)
	if err != nil {
		return err
	}
	rows := make([][]string, 0, len(guests))
	for _, g := range guests {
		row := make([]string, 0, len(columns))
		for _, column := range columns {
			row = append(row, column.cell(g, e.restaurant.Location, words))
		}
		rows = append(rows, row)
	}
	return file.Write(rows)
}
