package booking

// SeatReason says why a party has its seats.
type SeatReason string

// Why a party has its seats. All but the first follow from Best, which gives a party the seats that leave the fewest
// places empty.
const (
	SeatsChosen  SeatReason = "chosen"  // its diner, or staff, chose them
	SeatsExact   SeatReason = "exact"   // as many places as people
	SeatsClosest SeatReason = "closest" // no free seats had fewer places to spare
	SeatsJoined  SeatReason = "joined"  // put together: no free table alone had as few places to spare
	SeatsOver    SeatReason = "over"    // staff seated it over the plan
	SeatsStayed  SeatReason = "stayed"  // it was changed since, and they may be those that it had
)

// SeatReason returns why a reservation has its seats, and how many of their places stay empty; no reason where it has
// none, or not all of them are of the plan any more.
func (p SeatPlan) SeatReason(r Reservation, overPlan bool) (why SeatReason, empty int) {
	ids := r.SeatIDs()
	for _, id := range ids {
		if p.find(id) < 0 {
			return "", 0
		}
	}
	empty = p.Places(ids) - r.PartySize
	switch {
	case len(ids) == 0:
		return "", 0
	case overPlan:
		return SeatsOver, max(0, empty)
	case len(r.ChosenSeatIDs()) > 0:
		return SeatsChosen, max(0, empty)
	case len(ids) > 1:
		return SeatsJoined, empty
	case empty <= 0:
		return SeatsExact, 0
	case r.Changes > 0:
		return SeatsStayed, empty
	}
	return SeatsClosest, empty
}
