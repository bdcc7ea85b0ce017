package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
)

// LineAct is what a member of staff does to the line of a slot.
type LineAct struct {
	StaffID string
	Slot    booking.SlotKey
	Action  string // "line.remove" or "line.end_turn"
	Detail  map[string]any
}

// Waiter is somebody who waits in the line of a slot, as staff see it.
type Waiter struct {
	// Names the place for staff. Nobody can use it as the diner's ticket.
	ID        string    `json:"ticket"`
	Name      string    `json:"name"` // of the guest; where staff change a reservation, of who does
	PartySize int       `json:"partySize"`
	Position  int       `json:"position"` // 1 is next; 0 while the turn is being served
	Since     time.Time `json:"since"`
}

// WhoWaits returns a page of those who wait in the line of a slot, in order, in all processes; the first begins with
// those who are being served.
func (s *Service) WhoWaits(ctx context.Context, by team.Staff, slot booking.SlotKey,
	page keyset.Request) (keyset.Page[Waiter], error) {
	if err := by.Check(slot.RestaurantID, team.SteerLine); err != nil {
		return keyset.Page[Waiter]{}, err
	}
	after := int64(0)
	if page.After != nil {
		after = max(page.After.Number, 1)
	}
	rows, err := s.Room.ListTickets(ctx, lineup.OfSlot(slot), after, page.Rows())
	if err != nil {
		return keyset.Page[Waiter]{}, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = userOf(row)
	}
	names, err := s.Slots.NamesOf(ctx, ids)
	if err != nil {
		return keyset.Page[Waiter]{}, err
	}
	key := func(row waiting.ListedTicket) keyset.Cursor { return keyset.Cursor{Number: row.Arrival} }
	return keyset.Cut(page, rows, key, func(row waiting.ListedTicket) Waiter { return waiterOf(row, names) }), nil
}

func waiterOf(row waiting.ListedTicket, names map[string]string) Waiter {
	w := Waiter{ID: row.ID, Name: names[userOf(row)], Position: row.Position,
		Since: row.Since.UTC().Truncate(time.Second)}
	if req, err := lineup.BookingOf(row.Request); err == nil {
		w.PartySize = req.PartySize
		if req.Guest != nil {
			w.Name = req.Guest.Name
		}
	}
	return w
}

// userOf returns the id of who waits, or of the member of staff who waits for a guest.
func userOf(row waiting.ListedTicket) string {
	if staff, asStaff := waiting.StaffOf(row.Request); asStaff {
		return staff
	}
	return row.Request.UserID
}

// RemoveWaiter takes somebody out of the line of a slot, who reads why at once. Returns *booking.InvalidError without a
// reason, ErrUnknownTicket if nobody waits there under that id, locks.ErrServing once the turn has begun.
func (s *Service) RemoveWaiter(ctx context.Context, by team.Staff, slot booking.SlotKey, id, reason string) error {
	if err := by.Check(slot.RestaurantID, team.SteerLine); err != nil {
		return err
	}
	reason, err := booking.CheckReason(reason)
	if err != nil {
		return err
	}
	ticket, err := s.Room.FindListed(ctx, lineup.OfSlot(slot), id)
	if err != nil {
		return err
	}
	act := LineAct{StaffID: by.UserID(), Slot: slot, Action: "line.remove", Detail: map[string]any{
		"was":    map[string]any{"ticket": ticket.ID, "user": ticket.Request.UserID, "position": ticket.Position},
		"reason": reason}}
	if err := s.Slots.NoteLineAct(ctx, act); err != nil {
		return err
	}
	return s.Room.Remove(ctx, ticket, reason)
}

// EndTurn ends the present turn in the line of a slot, which has not ended by itself; the next one begins. When nobody
// has a turn it does nothing.
func (s *Service) EndTurn(ctx context.Context, by team.Staff, slot booking.SlotKey) error {
	if err := by.Check(slot.RestaurantID, team.SteerLine); err != nil {
		return err
	}
	first, err := s.Room.ListTickets(ctx, lineup.OfSlot(slot), 0, 1)
	if err != nil || len(first) == 0 || !first[0].Serving() {
		return err
	}
	act := LineAct{StaffID: by.UserID(), Slot: slot, Action: "line.end_turn",
		Detail: map[string]any{"was": map[string]any{"ticket": first[0].ID}}}
	if err := s.Slots.NoteLineAct(ctx, act); err != nil {
		return err
	}
	return s.Room.EndTurn(ctx, lineup.OfSlot(slot), first[0])
}
