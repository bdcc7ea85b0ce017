package booking

import (
	"slices"
	"strings"

	"lunchgo/app/refusal"
)

// Companion is what somebody who comes along tells the restaurant by the link of a reservation.
type Companion struct {
	Name      string `json:"name"`      // by which the kitchen tells them apart; may be empty
	Allergies string `json:"allergies"` // for the kitchen
	Party     int    `json:"party"`     // the party size when it was said; 0 of the oldest
}

// MaxCompanionName is the most characters of a companion's name.
const MaxCompanionName = 50

// ErrCompanionsFull says that as many have said something as come along.
var ErrCompanionsFull = refusal.New(refusal.Conflict, "companions_full", "booking: as many companions as come along")

// Check returns *InvalidError for a companion who says nothing, or nothing that can be shown.
func (c Companion) Check() error {
	faults := append(CheckLines("name", c.Name, MaxCompanionName), CheckNote("allergies", c.Allergies)...)
	if strings.TrimSpace(c.Allergies) == "" {
		faults = append(faults, FieldError{Field: "allergies", Reason: "required"})
	}
	return Invalid(faults)
}

// ExpectsCompanions says whether those who come along see when and where, and can tell the restaurant something.
func (r Reservation) ExpectsCompanions() bool { return r.State.IsConfirmed() && r.PartySize > 1 }

// AddCompanion is the reservation with one who comes along. Who says the same again is one. What was said while the
// party was larger stays for the kitchen, but takes nobody's place: who of them still comes is not known. Returns
// ErrWrongState and ErrCompanionsFull.
func (r Reservation) AddCompanion(c Companion) (Reservation, error) {
	ofParty := 0
	for _, other := range r.Companions {
		if other.Party <= r.PartySize {
			ofParty++
		}
	}
	switch {
	case !r.ExpectsCompanions():
		return r, ErrWrongState
	case slices.ContainsFunc(r.Companions, c.saysSame):
		return r, nil
	case ofParty >= r.PartySize-1:
		return r, ErrCompanionsFull
	}
	c.Party = r.PartySize
	r.Companions = append(slices.Clone(r.Companions), c)
	return r, nil
}

// RemoveCompanion is the reservation without what one who comes along has said, if it was said.
func (r Reservation) RemoveCompanion(c Companion) Reservation {
	r.Companions = slices.DeleteFunc(append([]Companion{}, r.Companions...), c.saysSame) // stored as a list, never null
	return r
}

// saysSame returns whether two say the same under one name.
func (c Companion) saysSame(other Companion) bool {
	return c.Name == other.Name && c.Allergies == other.Allergies
}

// PartyAllergies are those of the whole party, for the kitchen: what its diner has stated, and its companions by name.
func (r Reservation) PartyAllergies() string {
	var all []string
	if r.Allergies != "" {
		all = append(all, r.Allergies)
	}
	for _, c := range r.Companions {
		all = append(all, c.String())
	}
	return strings.Join(all, " · ")
}

// String is a companion in a line.
func (c Companion) String() string {
	if c.Name == "" {
		return c.Allergies
	}
	return c.Name + ": " + c.Allergies
}
