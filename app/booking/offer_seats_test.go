package booking

import (
	"slices"
	"testing"
)

// seatDifferences counts, over many evenings, named seats that staff would get and are refused, or the other way round.
func seatDifferences(evenings uint64,
	check func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool) (differ, given, refused int) {
	for seed := range evenings {
		d := newOfferDay(seed)
		day := d.shown()
		for range 30 {
			ask := d.ask()
			if d.seats = nil; len(d.r.Seats) == 0 || !ask.Staff {
				continue
			}
			for range 1 + d.IntN(3) {
				d.seats = append(d.seats, d.r.Seats[d.IntN(len(d.r.Seats))].ID)
			}
			slices.Sort(d.seats)
			if d.isOut(ask) {
				continue
			}
			switch would, does := check(d, ask, day), d.accepts(ask, false); {
			case would != does:
				differ++
			case does:
				given++
			default:
				refused++
			}
		}
	}
	return differ, given, refused
}

// Staff get the seats that a table's page and a preview promise them, and no others.
func TestCheckSeats_IsWhatTheTransactionAccepts(t *testing.T) {
	t.Parallel()
	differ, given, refused := seatDifferences(600, func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
		return d.r.CheckSeats(ask, d.seats, day, d.now) == nil
	})
	if differ > 0 || given < 100 || refused < 100 {
		t.Errorf("%d differ, %d were given and %d refused", differ, given, refused)
	}
}

// Control: whoever looks at the first slot only promises seats that are taken later.
func TestCheckSeats_OfOneSlotIsFoundWrong(t *testing.T) {
	t.Parallel()
	differ, _, _ := seatDifferences(100, func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
		return !slices.ContainsFunc(d.seats, day[ask.Slot.Time].Seats.Has)
	})
	if differ < 50 {
		t.Errorf("one slot alone was wrong %d times: the test above proves nothing", differ)
	}
}
