package views

import (
	"fmt"
	"strconv"
	"time"

	"lunchgo/views/i18n"
)

// Steering is what a restaurant has set of a slot's line, as diners see it. A zero OpensAt means that it is open.
type Steering struct {
	Paused  bool
	Reason  string    // why it is paused or closed; may be empty
	Notice  string    // what the restaurant says to all who wait; may be empty
	OpensAt time.Time // in the restaurant's zone; in the future, or zero
	Draw    bool      // places are drawn at the opening
	Now     time.Time // the server's clock, which sets the countdown in the browser
}

// Opens returns whether the opening is still ahead.
func (s Steering) Opens() bool { return !s.OpensAt.IsZero() }

// Draws returns whether places are still being drawn.
func (s Steering) Draws() bool { return s.Draw && s.Opens() }

// Left is the time until the opening as a clock shows it: 4:05, 1:04:05, or 12일 1:04:05.
func (s Steering) Left(lang string) string {
	seconds := int(max(s.OpensAt.Sub(s.Now), 0).Seconds())
	if seconds >= 3600 {
		clock := fmt.Sprintf("%d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
		if days := seconds / 86400; days > 0 {
			return DaysLeft(lang, strconv.Itoa(days)) + " " + clock
		}
		return clock
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// DaysLeft is a number of days before the clock of a countdown; "#" stands for that number in the browser.
func DaysLeft(lang, days string) string { return i18n.T(lang, "steering.days", "N", days) }

// OpeningTime is when a line opens: the time, with its date if that is another day than now.
func (s Steering) OpeningTime(lang string) string {
	at := i18n.Time(lang, s.OpensAt)
	if s.opensToday() {
		return at
	}
	return i18n.Date(lang, s.OpensAt) + " " + at
}

// OpeningDay is when a line opens, for where there is little room: the time, or the date if that is another day.
func (s Steering) OpeningDay(lang string) string {
	if s.opensToday() {
		return i18n.Time(lang, s.OpensAt)
	}
	return i18n.Date(lang, s.OpensAt)
}

func (s Steering) opensToday() bool {
	return DateValue(s.OpensAt) == DateValue(s.Now.In(s.OpensAt.Location()))
}

// Order is the sentence that says in which order an opening serves.
func (s Steering) Order(lang string) string {
	if s.Draw {
		return i18n.T(lang, "steering.by_draw")
	}
	return i18n.T(lang, "steering.by_arrival")
}
