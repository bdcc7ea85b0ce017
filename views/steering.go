package views

import (
	"fmt"
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

// Left is the time until the opening as a clock shows it: 4:05, or 1:04:05.
func (s Steering) Left() string {
	seconds := int(max(s.OpensAt.Sub(s.Now), 0).Seconds())
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// OpeningTime is when a line opens: the time, with its date if that is another day than now.
func (s Steering) OpeningTime(lang string) string {
	at := i18n.Time(lang, s.OpensAt)
	if DateValue(s.OpensAt) != DateValue(s.Now.In(s.OpensAt.Location())) {
		return i18n.Date(lang, s.OpensAt) + " " + at
	}
	return at
}

// Order is the sentence that says in which order an opening serves.
func (s Steering) Order(lang string) string {
	if s.Draw {
		return i18n.T(lang, "steering.by_draw")
	}
	return i18n.T(lang, "steering.by_arrival")
}
