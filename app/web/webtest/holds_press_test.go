package webtest

import (
	"net/http"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
)

// Who has as many holds as they may hears so at the press: they need not stand in a line for that.
func TestPress_LimitsAreToldBeforeTheWait(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, free := r.diner(t, 0), booking.DefaultLimits().Holds
	for _, at := range []booking.TimeOfDay{"12:00", "14:00", "16:00", "18:00"}[:free] {
		r.press(t, who, "at-"+string(at), "wait=10", r.requestFor(r.slot(at), 2)).want(t, http.StatusCreated, "")
	}
	crowded := r.slot("20:00")
	defer r.rival(t, crowded)()
	r.press(t, who, "one-more", "respond-async", r.requestFor(crowded, 2)).want(t, http.StatusConflict, "too_many_holds")
	if waits := r.whoWaits(t, r.staffAs(t, r.restaurant.ID, identity.RoleHost), crowded); len(waits) != 1 {
		t.Errorf("besides the rival there wait %v", waits)
	}
}
