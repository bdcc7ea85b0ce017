package outbox_test

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// A slot whose tables are all taken is sold out although it has covers left. While one of them is free for a larger
// party than the smallest, it is not.
func TestAnnounceSlots_CountsTables(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store, slot := h.WantEvents(t), h.OpenTables(t)
	host := h.Diners(t, 1, 0)[0]
	var said []string
	announced := func(what string, want ...string) {
		t.Helper()
		if _, err := store.AnnounceSlots(t.Context()); err != nil {
			t.Fatal(err)
		}
		said = said[:0]
		for _, e := range h.Written(t, fmt.Sprintf("%d/%s/%s", slot.RestaurantID, slot.Date, slot.Time)) {
			said = append(said, testkit.EventState(t, e, "soldOut"))
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: %v, want %v", what, said, want)
		}
	}
	two := h.Seated(t, slot, 2)
	announced("the table for two is taken")
	three := h.Seated(t, slot, 3)
	announced("both are taken", "true")
	if all, err := h.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date); err != nil ||
		all[slot].Remaining() != 5 {
		t.Errorf("%d covers left, want 5: %v", all[slot].Remaining(), err)
	}
	if _, err := h.Reservations.CancelByStaff(t.Context(), three, host, ""); err != nil {
		t.Fatal(err)
	}
	announced("the larger is free", "true", "false")
	block := reserve.SeatBlock{RestaurantID: slot.RestaurantID, Slots: []booking.SlotKey{slot}, UsualCapacity: 10,
		Block: []int64{h.Restaurant.Seats[1].ID}, Reason: "다리가 부러짐", StaffID: host}
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), block))
	announced("the larger is blocked", "true", "false", "true")
	block.Block, block.Unblock = nil, block.Block
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), block))
	announced("and given back", "true", "false", "true", "false")
	if _, err := h.Reservations.CancelByStaff(t.Context(), two, host, ""); err != nil {
		t.Fatal(err)
	}
	announced("both are free", "true", "false", "true", "false")
}
