package testkit

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/db/dbtest"
	dbteam "lunchgo/db/team"
)

// Crew makes somebody of each role at the harness's restaurant: host, manager and two owners.
func (h *Harness) Crew(t testing.TB) (host, manager, owner, other string) {
	t.Helper()
	ids := h.Diners(t, 4, 0)
	for i, role := range []identity.Role{identity.RoleHost, identity.RoleManager, identity.RoleOwner,
		identity.RoleOwner} {
		h.Employ(t, ids[i], role)
	}
	return ids[0], ids[1], ids[2], ids[3]
}

// Employ makes somebody staff of the harness's restaurant.
func (h *Harness) Employ(t testing.TB, userID string, role identity.Role) {
	t.Helper()
	dbtest.Must(t, h.Seeds.PutStaff(t.Context(), userID,
		identity.Membership{RestaurantID: h.Restaurant.ID, Role: role}))
}

// Invite has a member of staff invite somebody.
func (h *Harness) Invite(t testing.TB, by, email string, role identity.Role) (team.Invitation, error) {
	t.Helper()
	return dbteam.NewStore(h.Pool).Invite(t.Context(),
		team.NewInvitation{By: by, RestaurantID: h.Restaurant.ID, Email: email, Role: role})
}

// MustInvite is Invite that has to succeed.
func (h *Harness) MustInvite(t testing.TB, by, email string, role identity.Role) team.Invitation {
	t.Helper()
	i, err := h.Invite(t, by, email, role)
	dbtest.Must(t, err)
	return i
}

// Removal is a member of staff removing another.
func (h *Harness) Removal(by, userID string) team.Removal {
	return team.Removal{By: by, RestaurantID: h.Restaurant.ID, UserID: userID}
}

// Steering is a change of one slot by a member of staff.
func Steering(slot booking.SlotKey, change reserve.SlotChange, staff string) reserve.SlotsChange {
	return reserve.SlotsChange{RestaurantID: slot.RestaurantID, Date: slot.Date, Times: []booking.TimeOfDay{slot.Time},
		UsualCapacity: 10, Change: change, StaffID: staff}
}

// Steer changes a slot on behalf of a member of staff.
func (h *Harness) Steer(t testing.TB, slot booking.SlotKey, change reserve.SlotChange, staff string) (reserve.Affected,
	error) {
	t.Helper()
	return h.Slots.ChangeSlots(t.Context(), Steering(slot, change, staff))
}

// SetCapacity steers how many seats a slot has.
func (h *Harness) SetCapacity(t testing.TB, slot booking.SlotKey, capacity int, staff string) error {
	t.Helper()
	_, err := h.Steer(t, slot, reserve.SlotChange{Capacity: &capacity}, staff)
	return err
}
