package views

import (
	"time"

	"lunchgo/views/i18n"
)

// DoorParty is a party at the door as staff see it.
type DoorParty struct {
	ID     string
	Number int
	Name   string // as shown: never empty
	Phone  string
	Party  int
	State  string // key of "door.state_<state>"
	Since  int    // minutes for which it waits
	Called int    // minutes since it was called
	Passed int    // how often a later one went first, although it could have sat down
	Next   bool   // of those that wait it is the first for which a table is free
	Free   bool   // a table is free for it
	Until  string // when it would have to leave a table that is free for a shorter stay only, HH:MM; empty: none is
	Wait   string // how long it waits by the plan, as shown; empty where the plan has no table
}

// CanSeat returns whether a table is free for the party now, if only for a part of its stay.
func (p DoorParty) CanSeat() bool { return p.Free || p.Until != "" }

// DoorForm is what staff have typed of a party at the door.
type DoorForm struct {
	Name, Phone, Party string
	Largest            int // party that can wait
	IdempotencyKey     string
	Errors             FieldErrors
}

// StaffDoorParty is a party at the door, with the code for its phone. Component: staff.DoorParty(views.StaffDoorParty).
type StaffDoorParty struct {
	StaffShell
	Address EveningAddress // of the queue
	Party   DoorParty
	URL     string   // of its place, absolute
	QR      [][]bool // of URL
	// CanOverride says that the reader may seat the party over the plan.
	CanOverride bool
}

// Door is a party's place in the queue at a door, on its own phone. Component: pages.Door(views.Door).
type Door struct {
	Layout
	Token   string
	Status  DoorStatus
	Push    Push
	CanMail bool // the reader can ask for a letter
	Mails   bool // and has done so
}

// DoorStatus is the part of the page that the stream updates. Component: pages.DoorStatus(views.DoorStatus).
type DoorStatus struct {
	Lang       string
	Restaurant string
	Number     int
	Party      int
	State      string // "waiting", "called", "seated", "gone", "left" or "over"
	Ahead      int    // parties that came before and wait
	Passed     int
	Wait       time.Duration // by the plan of the day
	WaitKnown  bool          // the plan has a table for the party today
	At         time.Time     // when that is free
	Free       bool          // a table is free for it now
}

// IsOpen returns whether the party waits.
func (s DoorStatus) IsOpen() bool { return s.State == "waiting" || s.State == "called" }

// Announcement is what a screen reader says when the place has changed.
func (s DoorStatus) Announcement() string {
	if s.State == "called" {
		return i18n.T(s.Lang, "door.called_title")
	}
	return s.AheadText() + ". " + s.WaitText()
}

// AheadText says how many wait in front.
func (s DoorStatus) AheadText() string {
	if s.Ahead == 0 {
		return i18n.T(s.Lang, "door.first")
	}
	return i18n.T(s.Lang, "door.ahead", "Count", s.Ahead)
}

// WaitText says how long the wait is by the plan.
func (s DoorStatus) WaitText() string {
	switch {
	case s.Free:
		return i18n.T(s.Lang, "door.free")
	case !s.WaitKnown:
		return i18n.T(s.Lang, "door.unknown")
	}
	return i18n.T(s.Lang, "door.wait", "Wait", i18n.Duration(s.Lang, s.Wait), "Time", i18n.Time(s.Lang, s.At))
}
