package staff

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// movedFrom is where a party was until it was moved just now. The address of the page that follows has it.
type movedFrom struct {
	at    time.Time // of the move
	date  booking.Date
	time  booking.TimeOfDay
	end   booking.TimeOfDay // of its stay
	party int
	seats []int64
}

// placeOf is where a party is that is moved now.
func placeOf(res booking.Reservation, now time.Time) movedFrom {
	return movedFrom{now, res.Slot.Date, res.Slot.Time, res.EndTime(), res.PartySize, res.SeatIDs()}
}

// String is m as an address has it.
func (m movedFrom) String() string {
	seats := make([]string, len(m.seats))
	for i, id := range m.seats {
		seats[i] = strconv.FormatInt(id, 10)
	}
	return fmt.Sprintf("%d_%s_%s_%s_%d_%s", m.at.Unix(), m.date, m.time, m.end, m.party, strings.Join(seats, ","))
}

// readMoved reads what an address has; the zero value for nothing, and for what no page has written.
func readMoved(text string) movedFrom {
	parts := strings.Split(strings.Clone(text), "_")
	if len(parts) != 6 {
		return movedFrom{}
	}
	at, atErr := strconv.ParseInt(parts[0], 10, 64)
	date, dateErr := booking.ParseDate(parts[1])
	clock, clockErr := booking.ParseTimeOfDay(parts[2])
	end, endErr := booking.ParseTimeOfDay(parts[3])
	party, partyErr := strconv.Atoi(parts[4])
	if errors.Join(atErr, dateErr, clockErr, endErr, partyErr) != nil {
		return movedFrom{}
	}
	return movedFrom{time.Unix(at, 0), date, clock, end, party, readIDs(strings.FieldsFunc(parts[5], isComma))}
}

// minutes is for how long the party stays.
func (m movedFrom) minutes() int { return (m.end.Minutes() - m.time.Minutes() + 24*60) % (24 * 60) }

func isComma(r rune) bool { return r == ',' }

// moveBack offers to take the move of a party back, for as long as a mark is; nil where nothing is to be taken back.
func (w place) moveBack(res booking.Reservation, name string, m movedFrom, now time.Time, lang string) *views.MoveBack {
	is := placeOf(res, m.at)
	can := w.By.May(team.MoveGuest) && (res.State.IsPresent() || res.State.IsConfirmed())
	if !can || now.Sub(m.at) >= undoTime || m.String() == is.String() {
		return nil
	}
	was := []string{w.timeOf(lang, m.date, m.time, is.date)}
	if seats := respond.SeatMap(w.Restaurant, nil).Labels(m.seats); len(seats) > 0 {
		was = append(was, strings.Join(seats, ", "))
	}
	back := &views.MoveBack{ID: res.ID, Name: name, Was: strings.Join(was, " · "), Date: string(m.date),
		Time: string(m.time), Party: m.party, Seats: m.seats, IdempotencyKey: rand.Text()}
	if m.party == is.party && m.minutes() != is.minutes() { // of another size it stays for as long as that takes
		back.EndTime = string(m.end)
	}
	return back
}
