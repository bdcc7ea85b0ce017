package booking

import "time"

// OfferRequest returns the request for the seats of an offer at now in a slot that begins at start; false when it is
// too late for an offer. An offer asks for the deposit only: guests order at the table.
func (r Restaurant) OfferRequest(slot SlotKey, entry WaitingEntry, start, now time.Time) (Request, bool) {
	if !r.TakesOffers(start, now) {
		return Request{}, false
	}
	terms := r.Terms(entry.PartySize).stayTerms(StayMinutes(r, slot, entry.PartySize, nil), len(entry.Times))
	stands := min(OfferTime, start.Sub(now))
	if terms.Extension() > start.Sub(now)-stands {
		terms.ExtensionMinutes = 0
	}
	return Request{UserID: entry.UserID, Slot: slot, Stay: entry.Times[1:], PartySize: entry.PartySize,
		HoldTime: stands, DepositAmount: r.DepositOf(entry.PartySize).For(entry.PartySize), Policy: terms}, true
}

// LeastOfferTime is the shortest time before its slot at which an offer makes sense.
const LeastOfferTime = 2 * time.Minute

// TakesOffers returns whether seats of a slot that begins at start can be offered at now: while it takes reservations.
func (r Restaurant) TakesOffers(start, now time.Time) bool {
	return start.Sub(now) >= r.lead()
}

// lead returns how long before it begins a slot stops taking offers.
func (r Restaurant) lead() time.Duration {
	return max(time.Duration(r.LeadMinutes)*time.Minute, LeastOfferTime)
}
