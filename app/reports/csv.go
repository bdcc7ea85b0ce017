package reports

import (
	"io"
	"strconv"

	"lunchgo/app/sheet"
)

// sellOutSeconds is the column that is empty of a slot that was sold out, nobody knows how fast.
const sellOutSeconds = "sell_out_seconds"

func (c Cell) isUntimed() bool { return c.SoldOutSlots > c.TimedSoldOutSlots }

// columns are those of a report's file, by the keys of their headings.
var columns = []struct {
	key  string
	cell func(Cell) int64
}{
	{"capacity", func(c Cell) int64 { return int64(c.Capacity) }},
	{"parties", func(c Cell) int64 { return int64(c.Parties) }},
	{"covers", func(c Cell) int64 { return int64(c.Covers) }},
	{"no_show_parties", func(c Cell) int64 { return int64(c.NoShowParties) }},
	{"no_show_covers", func(c Cell) int64 { return int64(c.NoShowCovers) }},
	{"cancelled_parties", func(c Cell) int64 { return int64(c.CancelledParties) }},
	{"cancelled_covers", func(c Cell) int64 { return int64(c.CancelledCovers) }},
	{"expired_holds", func(c Cell) int64 { return int64(c.ExpiredHolds) }},
	{"abandoned_holds", func(c Cell) int64 { return int64(c.AbandonedHolds) }},
	{"deposits", func(c Cell) int64 { return c.Deposits }},
	{"prepaid", func(c Cell) int64 { return c.Prepaid }},
	{"refunds", func(c Cell) int64 { return c.Refunds }},
	{"refunds_due", func(c Cell) int64 { return c.RefundsDue }},
	{"revenue", func(c Cell) int64 { return c.Revenue() }},
	{"sold_out", func(c Cell) int64 { return int64(c.SoldOutSlots) }},
	{sellOutSeconds, func(c Cell) int64 { return c.SellOutSeconds }},
	{"line_asked", func(c Cell) int64 { return int64(c.Line.Asked()) }},
	{"line_served", func(c Cell) int64 { return int64(c.Line.Served) }},
	{"line_sold_out", func(c Cell) int64 { return int64(c.Line.SoldOut) }},
	{"line_left", func(c Cell) int64 { return int64(c.Line.Left) }},
	{"line_timed_out", func(c Cell) int64 { return int64(c.Line.TimedOut) }},
	{"line_refused", func(c Cell) int64 { return int64(c.Line.Refused) }},
	{"waitlist_joined", func(c Cell) int64 { return int64(c.Waitlist.Joined) }},
	{"waitlist_offered", func(c Cell) int64 { return int64(c.Waitlist.Offered) }},
	{"waitlist_accepted", func(c Cell) int64 { return int64(c.Waitlist.Accepted) }},
	{"paid_by_wallet", func(c Cell) int64 { return c.ByMethod()[0].Paid }},
	{"paid_by_card", func(c Cell) int64 { return c.PaidByCard }},
	{"refunded_to_wallet", func(c Cell) int64 { return c.ByMethod()[0].Refunded }},
	{"refunded_to_card", func(c Cell) int64 { return c.RefundedByCard }},
	{"seat_minutes_open", func(c Cell) int64 { return int64(c.SeatMinutesOpen) }},
	{"seat_minutes_taken", func(c Cell) int64 { return int64(c.SeatMinutesTaken) }},
	{"revenue_per_seat_hour", func(c Cell) int64 { return c.SeatHourRevenue() }},
}

// Columns are the keys of the headings of a report's file, in order.
func Columns() []string {
	keys := []string{"restaurant", "date", "weekday", "time"}
	for _, column := range columns {
		keys = append(keys, column.key)
	}
	return keys
}

// Words are what a report's file calls things: a heading by its key, and a day of the week by its number, Sunday 0.
type Words struct {
	Restaurant string
	Heading    func(key string) string
	Weekday    func(day int) string
}

// WriteCSV writes a report as a file for spreadsheets: a row a slot.
func WriteCSV(w io.Writer, r Report, words Words) error {
	rows := make([][]string, 0, len(r.Cells))
	for _, cell := range r.Cells {
		row := []string{sheet.Text(words.Restaurant), string(cell.Date),
			sheet.Text(words.Weekday(int(cell.Date.Weekday()))), string(cell.Time)}
		for _, column := range columns {
			if text := strconv.FormatInt(column.cell(cell), 10); column.key == sellOutSeconds && cell.isUntimed() {
				row = append(row, "")
			} else {
				row = append(row, text)
			}
		}
		rows = append(rows, row)
	}
	return writeRows(w, Columns(), rows, words)
}

func writeRows(w io.Writer, keys []string, rows [][]string, words Words) error {
	file, err := sheet.New(w, keys, words.Heading)
	if err != nil {
		return err
	}
	return file.Write(rows)
}
