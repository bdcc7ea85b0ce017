package lineup

import (
	"lunchgo/app/booking"
	"lunchgo/app/waiting"
)

// TalliesOf are how many requests for slots ended how, of what the waiting room counted. Claims are left out.
func TalliesOf(counted []waiting.Tally) []booking.Tally {
	var tallies []booking.Tally
	for _, c := range counted {
		slots, err := SlotsOf(c.Line)
		if err != nil {
			continue
		}
		t := booking.Tally{Slot: slots[0], Served: c.Reserved}
		for code, n := range c.Codes { // in any order
			switch code {
			case booking.ErrSoldOut.Code:
				t.SoldOut = n
			case waiting.ErrLeft.Code:
				t.Left = n
			case waiting.ErrWaitTimeout.Code:
				t.TimedOut = n
			default:
				t.Refused += n
			}
		}
		tallies = append(tallies, t)
	}
	return tallies
}
