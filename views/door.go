package views

import (
	"cmp"
	"time"

	"lunchgo/app/door"
	"lunchgo/views/i18n"
)

// DoorParty is a party at the door as staff see it.
type DoorParty struct {
	Lang string
	door.Party
	Now  time.Time // in the restaurant's time zone
	Next bool      // of those that wait it is the first for which a table is free
}

// CanSeat returns whether a table is free for the party now, if only for a part of its stay.
func (p DoorParty) CanSeat() bool { return p.Place.FitsNow || p.Place.Until != "" }

// ShownName is never empty.
func (p DoorParty) ShownName() string { return cmp.Or(p.Name, i18n.T(p.Lang, "door.nameless")) }

// MinutesSince are those from a moment until now.
func (p DoorParty) MinutesSince(at time.Time) int { return int(p.Now.Sub(at) / time.Minute) }

// TableText says when there is a table for the party.
func (p DoorParty) TableText() string {
	wait, known := p.Place.Wait(p.Now)
	switch {
	case p.Place.FitsNow:
		return i18n.T(p.Lang, "door.table_free")
	case p.Place.Until != "":
		return i18n.T(p.Lang, "door.table_until", "Time", string(p.Place.Until))
	case !known:
		return i18n.T(p.Lang, "door.table_unknown")
	}
	return i18n.T(p.Lang, "door.table_in", "Wait", i18n.Duration(p.Lang, wait), "Time",
		i18n.Time(p.Lang, p.Place.At.In(p.Now.Location())))
}

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
	door.Party               // or DoorOver
	Wait       time.Duration // by the plan of the day
	WaitKnown  bool          // the plan has a table for the party today
	At         time.Time     // when that is free
}

// DoorOver is shown as the state of a party that waited when its day was over.
const DoorOver door.State = "over"

// Announcement is what a screen reader says when the place has changed.
func (s DoorStatus) Announcement() string {
	if s.State == door.Called {
		return i18n.T(s.Lang, "door.called_title")
	}
	return s.AheadText() + ". " + s.WaitText()
}

// AheadText says how many wait in front.
func (s DoorStatus) AheadText() string {
	if s.Place.Ahead == 0 {
		return i18n.T(s.Lang, "door.first")
	}
	return i18n.T(s.Lang, "door.ahead", "Count", s.Place.Ahead)
}

// WaitText says how long the wait is by the plan.
func (s DoorStatus) WaitText() string {
	switch {
	case s.Place.FitsNow:
		return i18n.T(s.Lang, "door.free")
	case !s.WaitKnown:
		return i18n.T(s.Lang, "door.unknown")
	}
	return i18n.T(s.Lang, "door.wait", "Wait", i18n.Duration(s.Lang, s.Wait), "Time", i18n.Time(s.Lang, s.At))
}
