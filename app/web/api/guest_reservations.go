package api

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/lineup"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views/i18n"
)

// guestRequest is what staff book for a guest without an account.
type guestRequest struct {
	Date string `json:"date"`
	Time string `json:"time"`
	// When it leaves, if it gets seats for a shorter stay only: the end of one of the slots of its stay.
	EndTime string `json:"endTime,omitempty"`
	// At most what the restaurant seats; staff are not bound by the sizes that diners can book.
	PartySize int `json:"partySize"`
	// Of who comes. A walk-in may have none.
	Name   string         `json:"name,omitempty"`
	Phone  string         `json:"phone,omitempty"` // empty if it is not known
	Source booking.Source `json:"source"`
	Seated bool           `json:"seated,omitempty"` // a walk-in sits down at once
	Items  []orderLine    `json:"items,omitempty"`
	// Named seats that the party wants, in any order: enough places for all, several only where partners join them,
	// and none that could be left out. All of them or none are reserved; 409 seat_taken. Left out or empty, the free
	// seats that fit best are given.
	SeatIDs   []int64 `json:"seatIds,omitempty"`
	Note      string  `json:"note,omitempty"`      // for the restaurant
	Allergies string  `json:"allergies,omitempty"` // for the kitchen
	// By phone only: the reservation is held, at the longest until the slot begins, until the guest has paid the
	// deposit by a link that a letter to email brings. Left out, it costs nothing and is confirmed at once.
	PayWithin booking.PayWithin `json:"payWithin,omitempty"`
	Email     string            `json:"email,omitempty"` // required with payWithin
	// Seats the party over the plan, should the plan have no seats for it: at a table that is taken soon, or although
	// all covers are given. Never beyond the fire limit: 409 fire_limit.
	Override *override `json:"override" required:"false"`
}

// override is why staff seat a party over the plan.
type override struct {
	Reason string `json:"reason"`
}

func (o *override) of() *booking.Override {
	if o == nil {
		return nil
	}
	return &booking.Override{Reason: o.Reason}
}

// newOverride is null for a party that is in the plan.
func newOverride(g reserve.Guest) *override {
	if g.Override == "" {
		return nil
	}
	return &override{Reason: g.Override}
}

func (in guestRequest) draft(restaurantID int64, lang string) booking.GuestDraft {
	d := booking.GuestDraft{Name: in.Name, Phone: in.Phone, Source: in.Source, Seated: in.Seated, EndTime: in.EndTime,
		PayWithin: in.PayWithin, Email: in.Email, Language: lang,
		Draft: booking.Draft{RestaurantID: restaurantID, Date: in.Date, Time: in.Time, PartySize: in.PartySize,
			Note: in.Note, Allergies: in.Allergies, SeatIDs: in.SeatIDs}}
	if d.Name == "" && d.Source == booking.WalkIn {
		d.Name = i18n.T(lang, "guests.walk_in")
	}
	d.Override = in.Override.of()
	for _, line := range in.Items {
		d.Items = append(d.Items, booking.DraftItem(line))
	}
	return d
}

// guestReservation is a reservation as staff see it.
type guestReservation struct {
	reservation
	ShortID string `json:"shortId"` // short enough to be said at the door
	// Of who comes; empty for a diner who has deleted their account.
	Name   string         `json:"name"`
	Phone  string         `json:"phone"`
	Source booking.Source `json:"source"`
	// null for a party that is in the plan
	Override *override `json:"override"`
	// When the diner, reminded, said that the party comes; null if not.
	ComingAt *time.Time `json:"comingAt"`
	// null for what is not marked, as are the next two
	ArrivedAt *time.Time `json:"arrivedAt"`
	SeatedAt  *time.Time `json:"seatedAt"`
	EndedAt   *time.Time `json:"endedAt"`
	// What the restaurant said of its cancellation.
	CancelReason string   `json:"cancelReason"`
	Tags         []string `json:"tags"` // of the guest
}

func newGuestReservation(lang string, g reserve.Guest) guestReservation {
	return guestReservation{reservation: newReservation(lang, g.Reservation), ShortID: g.Code(), Name: g.Name,
		Phone: g.Phone, Source: g.Source, Override: newOverride(g), ComingAt: timeOrNull(g.ComingAt),
		ArrivedAt: timeOrNull(g.Attendance.ArrivedAt), SeatedAt: timeOrNull(g.Attendance.SeatedAt),
		EndedAt:      timeOrNull(g.Attendance.EndedAt),
		CancelReason: g.CancelReason, Tags: orEmpty(g.Tags)}
}

func (a *API) bookGuest(c *fiber.Ctx, sent keyed[team.Staff], in guestRequest) error {
	by := sent.by
	draft := in.draft(by.RestaurantID(), language(c))
	watch, _, err := a.Bookings.BookGuest(c.UserContext(), by, sent.key, draft)
	if err != nil {
		return err
	}
	defer watch.Close()
	return a.answer(c, watch, func(ctx context.Context, result waiting.Result) error {
		g, err := a.Bookings.GuestByID(ctx, by, result.ReservationID)
		if err != nil {
			return err
		}
		if !reserve.MatchesGuest(g.Reservation, draft) && g.Changes == 0 {
			return booking.ErrKeyReused
		}
		return c.Status(fiber.StatusCreated).JSON(newGuestReservation(speak(c), g))
	})
}

// guestPatch is what staff do with a reservation. Members that are missing or null stay as they are.
type guestPatch struct {
	// confirmed, or an earlier mark, takes the marks since then back; confirmed also waives the deposit that staff
	// asked for.
	State  *booking.State `json:"state" required:"false"`
	Reason string         `json:"reason,omitempty"` // of a cancellation, for the diner
	Date   *string        `json:"date" required:"false"`
	Time   *string        `json:"time" required:"false"`
	// When it leaves, if it gets seats for a shorter stay only: the end of one of the slots of its stay. The end of the
	// whole stay gives back what was shortened. Left out, it stays for as long as before, or as its size takes.
	EndTime   string `json:"endTime,omitempty"`
	PartySize *int   `json:"partySize" required:"false"`
	// Named seats that the party wants, in any order: enough places for all, several only where partners join them,
	// and none that could be left out. All of them or none are reserved; 409 seat_taken. Left out or empty, the free
	// seats that fit best are given.
	SeatIDs []int64 `json:"seatIds,omitempty"`
	// By right, another time, party or seats over the plan, as of a new reservation. A change for which the plan has
	// seats takes it back.
	Override *override `json:"override" required:"false"`
	// Of who comes. Name and phone number of a diner are those of the account: 422 for them.
	Name      *string `json:"name" required:"false"`
	Phone     *string `json:"phone" required:"false"` // empty if it is not known
	Note      *string `json:"note" required:"false"`
	Allergies *string `json:"allergies" required:"false"`
	// Of the guest, in place of those that there are: kinds that every restaurant has, and words of the restaurant.
	Tags []string `json:"tags" required:"false"`
	// By itself: the guest has more time for the deposit that staff asked for, counted from now, and gets a letter.
	PayWithin booking.PayWithin `json:"payWithin,omitempty"`
}

// staffStates are what staff can set; Confirmed takes marks back.
var staffStates = []booking.State{booking.Confirmed, booking.Arrived, booking.Seated, booking.Completed, booking.NoShow,
	booking.Cancelled}

// change returns what else than the state is to change. Returns respond.BadRequest for nothing at all, and for a change
// of what is cancelled.
func (in guestPatch) change() (booking.GuestChange, error) {
	change := booking.GuestChange{Date: in.Date, Time: in.Time, PartySize: in.PartySize,
		SeatIDs: slices.Clone(in.SeatIDs), EndTime: in.EndTime, Override: in.Override.of()}
	details := in.details()
	switch {
	case in.PayWithin != "" && (in.State != nil || !change.IsEmpty() || !details.IsEmpty()):
		return change, respond.BadRequest
	case in.PayWithin != "":
		return change, nil
	case in.State != nil && !slices.Contains(staffStates, *in.State):
		return change, invalid("state", "unknown")
	case in.State == nil && change.IsEmpty() && details.IsEmpty():
		return change, invalid("state", "required")
	case in.State != nil && *in.State == booking.Cancelled && !(change.IsEmpty() && details.IsEmpty()):
		return change, respond.BadRequest
	}
	return change, nil
}

// details returns what is to change of who comes.
func (in guestPatch) details() booking.Details {
	return booking.Details{Name: in.Name, Phone: in.Phone, Note: in.Note, Allergies: in.Allergies, Tags: in.Tags}
}

// changeGuest makes details come before another time, party or seats, and those before the state.
func (a *API) changeGuest(c *fiber.Ctx, g guestAtWork, in guestPatch) error {
	by, res := g.by, g.seen
	change, err := in.change()
	if err != nil {
		return err
	}
	if in.PayWithin != "" {
		if _, err := a.Bookings.Postpone(c.UserContext(), by, res.ID, in.PayWithin); err != nil {
			return err
		}
	}
	if in.State != nil && !(change.IsEmpty() && in.details().IsEmpty()) {
		if err := a.Bookings.CheckState(c.UserContext(), in.stateOf(res)); err != nil {
			return err
		}
	}
	if details := in.details(); !details.IsEmpty() {
		if res, err = a.Bookings.ChangeDetails(c.UserContext(), by, res.ID, details); err != nil {
			return err
		}
	}
	if change.IsEmpty() {
		return a.setState(c.UserContext(), c, by, in.stateOf(res))
	}
	move := reserve.Move{GuestChange: change, ReservationID: res.ID, Key: rand.Text()}
	if c.Get("Idempotency-Key") != "" {
		if move.Key, err = respond.HeaderKey(c); err != nil {
			return err
		}
	}
	watch, err := a.Bookings.MoveGuest(c.UserContext(), by, move)
	if errors.Is(err, booking.ErrNothingToChange) {
		return a.setState(c.UserContext(), c, by, in.stateOf(res))
	}
	if err != nil {
		return err
	}
	defer watch.Close()
	return a.answer(c, watch, func(ctx context.Context, _ waiting.Result) error {
		return a.setState(ctx, c, by, in.stateOf(res))
	})
}

func (in guestPatch) stateOf(res booking.Reservation) reserve.StateChange {
	step := reserve.StateChange{Seen: res, Reason: in.Reason}
	if in.State != nil {
		step.State = *in.State
	}
	return step
}

// setState sets the state of a reservation, if one is asked for, and answers with the reservation.
func (a *API) setState(ctx context.Context, c *fiber.Ctx, by team.Staff, step reserve.StateChange) error {
	if step.State != "" {
		if _, err := a.Bookings.SetState(ctx, by, step); err != nil {
			return err
		}
	}
	g, err := a.Bookings.GuestByID(ctx, by, step.Seen.ID)
	if err != nil {
		return err
	}
	return c.JSON(newGuestReservation(speak(c), g))
}

// seatHolder is who has a named seat.
type seatHolder struct {
	SeatID int64  `json:"seatId"`
	Name   string `json:"name"`
}

// holdersOf returns who has the seats that staff asked for in vain; diners do not learn it.
func (a *API) holdersOf(ctx context.Context, asked waiting.Request, taken []int64) []seatHolder {
	userID, asStaff := waiting.StaffOf(asked)
	request, err := lineup.BookingOf(asked)
	if !asStaff || err != nil || len(taken) == 0 {
		return nil
	}
	by, err := a.Bookings.Staff(ctx, userID, request.Slot.RestaurantID)
	if err != nil {
		return nil
	}
	var holders []seatHolder
	for _, slot := range request.Slots() {
		names, err := a.Bookings.Seated(ctx, by, slot)
		if err != nil {
			return holders
		}
		for _, id := range taken {
			known := slices.ContainsFunc(holders, func(h seatHolder) bool { return h.SeatID == id })
			if name, has := names[id]; has && !known {
				holders = append(holders, seatHolder{id, name})
			}
		}
	}
	return holders
}
