package testkit

import (
	"crypto/rand"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
)

// Slot names a slot of the fixture's restaurant in the far future.
func (h *Harness) Slot(at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: h.Restaurant.ID, Date: "2040-05-07", Time: at}
}

// Turn is a turn of a slot of the harness's restaurant.
func (h *Harness) Turn(slot booking.SlotKey, capacity int, fence int64) booking.Turn {
	return booking.Turn{Slot: slot, Capacity: capacity, Seats: h.Restaurant.Seats, Fence: fence,
		ArrivalLimit: h.Restaurant.ArrivalsPerSlot}
}

// TurnOf is a turn over all slots of a request.
func (h *Harness) TurnOf(req booking.Request, capacity int, fence int64) booking.Turn {
	turn := h.Turn(req.Slot, capacity, fence)
	turn.Stay = req.Stay
	return turn
}

// Request returns a request for two seats of a slot with an item of the menu.
func (h *Harness) Request(userID string, slot booking.SlotKey) booking.Request {
	item := h.Menu[0]
	return booking.Request{
		UserID: userID, IdempotencyKey: "key-" + rand.Text(), Ticket: rand.Text(), Slot: slot, PartySize: 2,
		Items:         []booking.Item{{MenuItemID: item.ID, Name: item.Name, Quantity: 2, UnitPrice: item.Price}},
		DepositAmount: 20_000, HoldTime: 7 * time.Minute, Policy: h.Restaurant.Policy,
	}
}

// Serve serves a request by itself, in all slots of its stay, and returns what is held there afterwards too.
func (h *Harness) Serve(t testing.TB, req booking.Request) (booking.Outcome, []booking.Occupancy) {
	t.Helper()
	outcomes, after, err := h.Slots.Serve(t.Context(), h.TurnOf(req, h.Restaurant.Capacity, 0), []booking.Request{req})
	dbtest.Must(t, err)
	return outcomes[0], after
}

// ServeAlone is the outcome of Serve.
func (h *Harness) ServeAlone(t testing.TB, req booking.Request) booking.Outcome {
	t.Helper()
	out, _ := h.Serve(t, req)
	return out
}

// Reserve makes a temporary reservation of two seats and returns its id.
func (h *Harness) Reserve(t testing.TB, req booking.Request) string {
	t.Helper()
	outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 1_000, 0), []booking.Request{req})
	dbtest.Must(t, err)
	if !outcomes[0].Reserves() {
		t.Fatalf("no reservation was made: %+v", outcomes[0])
	}
	return outcomes[0].ReservationID
}

// Pay pays a temporary reservation from the wallet.
func (h *Harness) Pay(t testing.TB, id, userID string, kind booking.PaymentKind, key string) (booking.Reservation,
	error) {
	t.Helper()
	return h.Reservations.Pay(t.Context(), booking.PaymentOrder{ReservationID: id, UserID: userID, Kind: kind,
		IdempotencyKey: key})
}

// MustPay is Pay that has to succeed.
func (h *Harness) MustPay(t testing.TB, id, userID string, kind booking.PaymentKind, key string) {
	t.Helper()
	_, err := h.Pay(t, id, userID, kind, key)
	dbtest.Must(t, err)
}

// Confirmed makes a reservation of a new diner whose deposit of 20,000 won is paid.
func (h *Harness) Confirmed(t testing.TB, slot booking.SlotKey) (id, diner string) {
	t.Helper()
	diner = h.Diners(t, 1, 100_000)[0]
	id = h.Reserve(t, h.Request(diner, slot))
	h.MustPay(t, id, diner, booking.Deposit, "pay")
	return id, diner
}

// MustCancel cancels as the diner.
func (h *Harness) MustCancel(t testing.TB, id, userID string) {
	t.Helper()
	_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: userID})
	dbtest.Must(t, err)
}

// StartingIn names a slot of the fixture's restaurant that begins about so long from now.
func (h *Harness) StartingIn(d time.Duration) booking.SlotKey {
	at := time.Now().Add(d).In(h.Restaurant.Location)
	return booking.SlotKey{
		RestaurantID: h.Restaurant.ID, Date: booking.DateOf(at, h.Restaurant.Location),
		Time: booking.TimeOfDay(at.Format("15:04")),
	}
}

// Free asks for a table that costs nothing, for somebody who has waited for it a minute and looks elsewhere.
func (h *Harness) Free(userID string, slot booking.SlotKey) booking.Request {
	req := h.Request(userID, slot)
	req.DepositAmount, req.UnseenTime = 0, time.Minute
	req.Arrival = time.Now().Add(-time.Minute).UnixMicro()
	return req
}

// Guest returns a request of a host for a caller's party of two in a slot.
func (h *Harness) Guest(host string, slot booking.SlotKey) booking.Request {
	return booking.Request{UserID: host, IdempotencyKey: "key-" + rand.Text(), Ticket: rand.Text(), Slot: slot,
		PartySize: 2, Policy: h.Restaurant.Policy,
		Guest: &booking.Guest{Name: "김하늘", Phone: "010-1234-5678", Source: booking.Phone, State: booking.Confirmed}}
}

// Seated makes a reservation for a party by phone, at whatever table fits it.
func (h *Harness) Seated(t testing.TB, slot booking.SlotKey, party int) string {
	t.Helper()
	req := h.Guest(h.Diners(t, 1, 0)[0], slot)
	req.PartySize = party
	turn := h.Turn(slot, h.Restaurant.Capacity, 0)
	outcomes, _, err := h.Slots.Serve(t.Context(), turn, []booking.Request{req})
	if err != nil || !outcomes[0].Reserves() {
		t.Fatalf("%+v, %v", outcomes, err)
	}
	return outcomes[0].ReservationID
}
