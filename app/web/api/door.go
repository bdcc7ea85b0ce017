package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func (a *API) doorRoutes() group {
	return group{"door", "Parties that wait at the door for a table.", []operation{
		{route: "GET /staff/restaurants/{restaurant}/door", id: "listDoor",
			right: access.Staff(team.SeeEvening), run: answers(a.staff, a.listDoor),
			summary: "The queue at the door today",
			text: "By number, those that do not wait any more among them. The estimate is when the plan of the day has " +
				"a table for the party, after those before it; it becomes sooner when guests leave early.",
			says: "The parties of today. They are deleted when the day is over; the reservation of one that " +
				"was seated keeps its name and phone."},
		{route: "POST /staff/restaurants/{restaurant}/door", id: "joinDoor",
			right: access.Staff(team.BookForGuest), key: needsKey, run: takes(withKey(a.staff), a.joinDoor),
			summary: "Add a party to the queue at the door",
			status:  201, says: "The party with its number. A repeat with the same key adds nothing.",
			refuses: []string{"door_full", "door_over"}},
		{route: "PATCH /staff/restaurants/{restaurant}/door/{party}", id: "changeDoor",
			right: access.Staff(team.BookForGuest), run: takes(a.staff, a.changeDoor),
			summary: "Call a party at the door, seat it, or mark it as not there",
			text: "To seat it takes a table as a walk-in does, in the same line as all bookings, for now. One host at " +
				"a time can seat a party. waiting takes called and gone back.",
			says: "The party as it is now.",
			refuses: []string{"wrong_state", "door_busy", "door_over", "too_early", "sold_out", "seat_taken", "paused",
				"closed", "fire_limit"}},
	}}
}

// doorRequest is a party at the door.
type doorRequest struct {
	PartySize int    `json:"partySize"`
	Name      string `json:"name,omitempty"`
	Phone     string `json:"phone,omitempty"`
}

// doorPatch is a step with a party at the door.
type doorPatch struct {
	State door.State `json:"state"` // called, seated, gone or waiting
	// Of seated: the named seats; left out or empty, the free seats that fit best are given.
	SeatIDs []int64 `json:"seatIds,omitempty"`
	// Of seated: when the party leaves, if it gets seats for a shorter stay only: the end of one of the slots.
	EndTime string `json:"endTime,omitempty"`
	// Of seated: by right, over the plan, as of a new reservation.
	Override *override `json:"override,omitempty"`
}

// doorParty is a party at the door.
type doorParty struct {
	ID        string     `json:"id"`
	Number    int        `json:"number"` // among those of the day
	Name      string     `json:"name"`   // empty if it said none, as is phone
	Phone     string     `json:"phone"`
	PartySize int        `json:"partySize"`
	State     door.State `json:"state"`    // waiting, called, seated, gone or left
	Ahead     int        `json:"ahead"`    // parties that wait and came before
	TableNow  bool       `json:"tableNow"` // a table is free for its whole stay, after those before it
	// When it would have to leave a table that is free now for a shorter stay only; null if none is.
	TableUntil *booking.TimeOfDay `json:"tableUntil"`
	// When the plan of the day has a table for it; null if it has none, or the party does not wait.
	EstimatedAt *time.Time `json:"estimatedAt"`
	// Later parties that went first, although a table was free for this one.
	Passed        int        `json:"passed"`
	JoinedAt      time.Time  `json:"joinedAt"`      // in UTC, as are the next two
	CalledAt      *time.Time `json:"calledAt"`      // null if it was not called
	EndedAt       *time.Time `json:"endedAt"`       // null while it waits
	ReservationID *string    `json:"reservationId"` // of its table; null for none
	Path          string     `json:"path"`          // of the page on which the party sees its place
}

type doorParties struct {
	Parties []doorParty `json:"parties"` // by number
}

func (a *API) newDoorParty(p door.Party) doorParty {
	return doorParty{ID: p.ID, Number: p.Number, Name: p.Name, Phone: p.Phone, PartySize: p.PartySize, State: p.State,
		Ahead: p.Place.Ahead, TableNow: p.Place.FitsNow, TableUntil: orNull(p.Place.Until),
		EstimatedAt: timeOrNull(p.Place.At), Passed: p.Passed, JoinedAt: p.JoinedAt.UTC(),
		CalledAt: timeOrNull(p.CalledAt), EndedAt: timeOrNull(p.EndedAt), ReservationID: orNull(p.ReservationID),
		Path: views.DoorURL(a.Doors.Links.Seal(p.ID))}
}

func (a *API) listDoor(c *fiber.Ctx, w workplaces.Workplace) (doorParties, error) {
	parties, err := a.Doors.ListForStaff(c.UserContext(), w.By, w.Restaurant)
	return doorParties{list(parties, a.newDoorParty)}, err
}

func (a *API) joinDoor(c *fiber.Ctx, sent keyed[workplaces.Workplace], in doorRequest) (doorParty, error) {
	w := sent.by
	p, err := a.Doors.Join(c.UserContext(), w.By, w.Restaurant,
		door.Party{Key: sent.key, Name: in.Name, Phone: in.Phone, PartySize: in.PartySize})
	if err != nil {
		return doorParty{}, err
	}
	return a.findDoor(c, w, p.ID)
}

func (a *API) findDoor(c *fiber.Ctx, w workplaces.Workplace, id string) (doorParty, error) {
	p, err := a.Doors.Find(c.UserContext(), w.By, w.Restaurant, id)
	return a.newDoorParty(p), err
}

func (a *API) changeDoor(c *fiber.Ctx, w workplaces.Workplace, in doorPatch) (doorParty, error) {
	id, err := param(c, "party"), error(nil)
	if in.State == door.Seated {
		err = a.seatFromDoor(c, w, door.Seating{PartyID: id, SeatIDs: in.SeatIDs, EndTime: in.EndTime,
			Override: in.Override.of(), Nameless: i18n.T(language(c), "guests.walk_in")})
	} else {
		err = a.Doors.Take(c.UserContext(), w.By, w.Restaurant, id, in.State)
	}
	if err != nil {
		return doorParty{}, err
	}
	return a.findDoor(c, w, id)
}

func (a *API) seatFromDoor(c *fiber.Ctx, w workplaces.Workplace, seating door.Seating) error {
	request, err := a.Doors.Seat(c.UserContext(), w.By, w.Restaurant, seating)
	if err != nil {
		return err
	}
	defer request.Close()
	_, err = a.Doors.Finish(c.UserContext(), w.By, request, respond.Settle(c, request.Watch, doorPatience))
	return err
}

// doorPatience is how long a request for a table at the door waits for its turn.
const doorPatience = 3 * time.Second
