package evening

import (
	"slices"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/guests"
)

// When something asks for attention.
const (
	// LateAfter is how long after its slot began a party that has not come is late.
	LateAfter = 15 * time.Minute
	// soon is how long before its slot the allergies of a party are pointed out.
	soon = time.Hour
	// nearlySoldOut is the share of a slot's covers, one in so many, below which the rest is nearly nothing.
	nearlySoldOut = 10
	// longLine is how many wait at least in a line that is pointed out when it grows.
	longLine = 10
)

// AlertKind is what asks for attention.
type AlertKind string

// What asks for attention.
const (
	AlertLate      AlertKind = "late"
	AlertAllergies AlertKind = "allergies"
	AlertGrowing   AlertKind = "growing"
	AlertNearly    AlertKind = "nearly_sold_out"
	AlertAuditor   AlertKind = "auditor"
)

// Alert is one kind of what asks for attention, with the parties or slots that do, or what the auditor found.
type Alert struct {
	Kind     AlertKind
	Parties  []Party
	Slots    []Slot
	Concerns []audit.Concern
}

// IsLate says whether the party is expected and should have come a while ago, at now.
func (p Party) IsLate(now time.Time) bool {
	return p.IsExpected() && !now.Before(p.Start.Add(LateAfter)) && now.Before(p.End)
}

// comesSoon says whether the party has no table yet and comes within the next hour, or should have come.
func (p Party) comesSoon(now time.Time) bool {
	return (p.IsExpected() || p.IsPresent() && p.Attendance.SeatedAt.IsZero()) &&
		!now.Before(p.Start.Add(-soon)) && now.Before(p.End)
}

// hasAllergies says whether the party has stated an allergy, or the tags of its guest do.
func (p Party) hasAllergies() bool {
	return p.PartyAllergies() != "" || slices.ContainsFunc(p.Tags, guests.IsAllergy)
}

// Alerts returns what asks for attention, the most urgent first. before are the slots as they were about a minute ago,
// by which a line grows; nil where that is not known.
func (e Evening) Alerts(before []Slot) []Alert {
	late, allergies := Alert{Kind: AlertLate}, Alert{Kind: AlertAllergies}
	for _, p := range e.Parties {
		if p.IsLate(e.Now) {
			late.Parties = append(late.Parties, p)
		}
		if p.hasAllergies() && p.comesSoon(e.Now) {
			allergies.Parties = append(allergies.Parties, p)
		}
	}
	growing, nearly := Alert{Kind: AlertGrowing}, Alert{Kind: AlertNearly}
	for _, s := range e.Slots {
		if s.State(e.Restaurant, e.Now) == SlotOpen && s.Left*nearlySoldOut <= s.Capacity {
			nearly.Slots = append(nearly.Slots, s)
		}
		if s.Line.Waiting >= longLine && grows(s, before) {
			growing.Slots = append(growing.Slots, s)
		}
	}
	var alerts []Alert
	for _, a := range []Alert{late, allergies, growing, nearly, {Kind: AlertAuditor, Concerns: e.Concerns}} {
		if len(a.Parties)+len(a.Slots)+len(a.Concerns) > 0 {
			alerts = append(alerts, a)
		}
	}
	return alerts
}

func grows(s Slot, before []Slot) bool {
	for _, was := range before {
		if was.Key == s.Key {
			return s.Line.Waiting > was.Line.Waiting
		}
	}
	return false
}
