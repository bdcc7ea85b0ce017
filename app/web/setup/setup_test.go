package setup

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/views"
)

// The rules that a draft begins with are no step that its owner has done: not with the hours, but once one is changed,
// or the restaurant is published with them.
func TestProgress_OfRulesThatADraftBeginsWith(t *testing.T) {
	t.Parallel()
	r, err := booking.UsualRestaurant("새 식당", "Asia/Seoul", 12).Check()
	if err != nil {
		t.Fatal(err)
	}
	r.Draft, r.Hours = true, make([]booking.Opening, 7)
	for name, c := range map[string]struct {
		change         func(*booking.Restaurant)
		parties, terms bool
	}{
		"as opened":   {func(*booking.Restaurant) {}, false, false},
		"party sizes": {func(r *booking.Restaurant) { r.PartyMax = 6 }, true, false},
		"stays": {func(r *booking.Restaurant) {
			r.StayTiers = []booking.StayTier{{FromParty: 1, Minutes: 90}}
		}, true, false},
		"a deposit":  {func(r *booking.Restaurant) { r.DepositPerPerson = 10_000 }, false, true},
		"no refunds": {func(r *booking.Restaurant) { r.Policy.Tiers = nil }, false, true},
		"published":  {func(r *booking.Restaurant) { r.Draft = false }, true, true},
		"a picture":  {func(r *booking.Restaurant) { r.Picture = "sushi" }, false, false},
	} {
		changed := r
		c.change(&changed)
		done := progress(setup.State{Restaurant: changed})
		if !done[views.SetupHours] || done[views.SetupParties] != c.parties || done[views.SetupTerms] != c.terms {
			t.Errorf("%s: %v", name, done)
		}
	}
}
