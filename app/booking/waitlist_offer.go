package booking

import "time"

// OfferRequest is the request for the seats that an entry is offered at now in a slot that begins at start; false when it is
// too late for one. The menu is chosen at the table: an offer asks for the deposit only.
func (r Restaurant) OfferRequest(slot SlotKey, entry Listed, start, now time.Time) (Request, bool) {
	if !r.TakesOffers(start, now) {
		return Request{}, false
	}
	terms := r.Terms(entry.PartySize)
	stands := min(OfferTime, start.Sub(now))
	if terms.Extension() > start.Sub(now)-stands {
		terms.ExtensionMinutes = 0
	}
	return Request{UserID: entry.UserID, Slot: slot, Stay: entry.Times[1:], PartySize: entry.PartySize, HoldTime: stands,
		DepositAmount: r.DepositOf(entry.PartySize).For(entry.PartySize), Policy: terms}, true
}

// LeastOfferTime is what an offer needs to be of use to anybody.
const LeastOfferTime = 2 * time.Minute

// TakesOffers says whether seats of a slot that begins at start can still be offered at now: as long as it takes reservations.
func (r Restaurant) TakesOffers(start, now time.Time) bool {
	return start.Sub(now) >= max(time.Duration(r.LeadMinutes)*time.Minute, LeastOfferTime)
}
