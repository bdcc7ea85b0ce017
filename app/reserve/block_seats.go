package reserve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// MaxBlockedDays is for how many days seats can be blocked at once.
const MaxBlockedDays = 31

// SeatBlock says which named seats are given to nobody in some slots, and which are given away again.
type SeatBlock struct {
	RestaurantID int64
	Block        []int64
	Unblock      []int64
	Reason       string
	Preview      bool // nothing is stored

	// The use case fills these in.
	// whose slots that come into being later are blocked too; none for a block of one slot
	Days          Days
	Slots         []booking.SlotKey // by day and time
	UsualCapacity int               // of those that have no row yet
	StaffID       string
}

// BlockedSeat is a seat that is given to nobody in a slot.
type BlockedSeat struct {
	SeatID int64
	Reason string
}

// Days are the days from one to another, both included.
type Days struct {
	First, Last booking.Date
}

// BlockSeats blocks and unblocks seats in a slot, and returns what it did. Returns ErrForbidden, ErrNotFound,
// *InvalidError, ErrOutsideHours, ErrPast, and *SeatsInUseError, having changed nothing, when somebody has one of the
// seats.
func (s *Service) BlockSeats(ctx context.Context, by team.Staff, slot booking.SlotKey, block SeatBlock) (SeatBlock,
	error) {
	block.RestaurantID = slot.RestaurantID
	return s.blockSeats(ctx, by, Days{slot.Date, slot.Date}, []booking.TimeOfDay{slot.Time}, block)
}

// BlockSeatsOfDays is BlockSeats for all slots of some days that have not begun, in one transaction, and for those that
// come into being afterwards, because hours change.
func (s *Service) BlockSeatsOfDays(ctx context.Context, by team.Staff, days Days, block SeatBlock) (SeatBlock, error) {
	if days.Last < days.First || days.Last >= days.First.AddDays(MaxBlockedDays) {
		return block, &booking.InvalidError{Fields: []booking.FieldError{
			{Field: "until", Reason: "out_of_range", Min: 1, Max: MaxBlockedDays}}}
	}
	block.Days = days
	return s.blockSeats(ctx, by, days, nil, block)
}

func (s *Service) blockSeats(ctx context.Context, by team.Staff, days Days, times []booking.TimeOfDay,
	block SeatBlock) (SeatBlock, error) {
	if err := by.Check(block.RestaurantID, team.ChangeCapacity); err != nil {
		return block, err
	}
	r, err := s.Catalog.FindRestaurant(ctx, block.RestaurantID)
	if err != nil {
		return block, err
	}
	block.StaffID, block.UsualCapacity, block.Reason = by.UserID(), r.Capacity, booking.PlainText(block.Reason)
	if err := block.check(r); err != nil {
		return block, err
	}
	if block.Slots, err = s.comingSlots(ctx, r, days, times); err != nil {
		return block, err
	}
	if err := s.Slots.BlockSeats(ctx, block); err != nil {
		return block, err
	}
	if !block.Preview {
		s.refresh(block.Slots)
	}
	return block, nil
}

func (b SeatBlock) check(r booking.Restaurant) error {
	faults := booking.CheckText("reason", b.Reason, booking.MaxReasonRunes)
	for i, id := range b.Block {
		if _, known := r.Seats.Find(id); !known {
			faults = append(faults, booking.FieldError{Field: fmt.Sprintf("seatIds[%d]", i), Reason: "unknown"})
		}
	}
	return booking.Invalid(faults)
}

// comingSlots returns the slots of some days that have not begun: those at some times, all if there are none. Returns
// ErrOutsideHours when there are no such slots, ErrPast when all have begun.
func (s *Service) comingSlots(ctx context.Context, r booking.Restaurant, days Days,
	times []booking.TimeOfDay) (slots []booking.SlotKey, err error) {
	missing := booking.ErrOutsideHours
	for date := days.First; date <= days.Last; date = date.AddDays(1) {
		coming, err := s.coming(ctx, r, date, times)
		switch {
		case err == nil:
			slots = append(slots, keysOf(r.ID, date, coming.times)...)
		case errors.Is(err, booking.ErrPast):
			missing = err
		case !errors.Is(err, booking.ErrOutsideHours): // else a day without slots
			return nil, err
		}
	}
	if len(slots) == 0 {
		return nil, missing
	}
	return slots, nil
}

// BlockedSeats returns the seats that are blocked in the slots of a day, ascending.
func (s *Service) BlockedSeats(ctx context.Context, by team.Staff,
	date booking.Date) (map[booking.TimeOfDay][]BlockedSeat, error) {
	if err := by.Check(by.RestaurantID(), team.SeeEvening); err != nil {
		return nil, err
	}
	return s.Slots.ListBlocked(ctx, by.RestaurantID(), date)
}

// OtherSeats returns the seats of a plan that are not among some.
func OtherSeats(plan booking.SeatPlan, ids []int64) []int64 {
	var others []int64
	for _, seat := range plan {
		if !slices.Contains(ids, seat.ID) {
			others = append(others, seat.ID)
		}
	}
	return others
}
