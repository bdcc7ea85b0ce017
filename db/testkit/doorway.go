package testkit

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/door"
	"lunchgo/app/mail"
	"lunchgo/db/dbtest"
	dbdoor "lunchgo/db/door"
	"lunchgo/db/letters"
)

// Doorway is a restaurant with a queue at its door, and two hosts.
type Doorway struct {
	*Harness
	Store *dbdoor.Store
	Hosts []string
}

// NewDoorway returns the doorway of a test.
func NewDoorway(t *testing.T) Doorway {
	t.Helper()
	h := Setup(t)
	return Doorway{h, dbdoor.NewStore(h.Pool), h.Diners(t, 2, 0)}
}

// Party is a party of two that has not come yet.
func (d Doorway) Party(key string) door.Party {
	return door.Party{RestaurantID: d.Restaurant.ID, Date: d.Slot("19:00").Date, StaffID: d.Hosts[0], Key: key,
		Name: "김하늘", Phone: "010-1234-5678", PartySize: 2}
}

// MustJoin has a party join the queue.
func (d Doorway) MustJoin(t *testing.T, key string) door.Party {
	t.Helper()
	p, err := d.Store.Join(t.Context(), d.Party(key))
	dbtest.Must(t, err)
	return p
}

// Step is what a host does with a party.
func (d Doorway) Step(p door.Party, host int, state door.State) door.Step {
	return door.Step{RestaurantID: p.RestaurantID, PartyID: p.ID, StaffID: d.Hosts[host], State: state,
		ClaimTime: 30 * time.Minute}
}

// Call has a party at the door called, and taken back again if it was.
func (d Doorway) Call(t *testing.T, p door.Party) {
	t.Helper()
	if found, err := d.Store.FindParty(t.Context(), p.ID); err != nil || found.State == door.Called {
		dbtest.Must(t, errors.Join(err, d.Store.Take(t.Context(), d.Step(p, 0, door.Waiting))))
	}
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(p, 0, door.Called)))
}

// CallsOf are the letters to parties that are called, as the post takes them.
func (d Doorway) CallsOf(t *testing.T) (calls []mail.Note) {
	t.Helper()
	notes, err := letters.NewMailStore(d.Pool).TakeMails(t.Context(), 10)
	dbtest.Must(t, err)
	for _, n := range notes {
		if n.Kind == mail.Door {
			calls = append(calls, n)
		}
	}
	return calls
}
