package team

import (
	"slices"
	"testing"

	"lunchgo/app/identity"
)

// The table as it is agreed with the restaurants: a host runs the evening, a manager changes what there is to eat and
// when besides, and an owner everything.
func TestMay_ByRole(t *testing.T) {
	t.Parallel()
	evening := []Action{SeeEvening, BookForGuest, SeatOverPlan, MarkGuest, MoveGuest, CancelWithRefund, OpenCloseSlot,
		ChangeCapacity, SteerLine, SeeGuests, NoteGuests}
	manager := slices.Concat(evening, []Action{ChangeStock, ChangeMenu, ChangeHours, PlanOpening, SeeSettings,
		SeeReports, SeeAuditLog, RunRehearsal, StopBookings, SeeTeam, GiveBack, DeleteGuestNotes,
		AnswerReviews})
	want := map[identity.Role][]Action{
		identity.RoleHost:    evening,
		identity.RoleManager: manager,
		identity.RoleOwner:   slices.Concat(manager, []Action{ChangeSettings, Publish, ManageTeam, ManageWebhooks}),
		"cook":               nil,
		"":                   nil,
	}
	for role, actions := range want {
		for _, action := range Actions() {
			if May(role, action) != slices.Contains(actions, action) {
				t.Errorf("%q may %s: %v", role, action, May(role, action))
			}
		}
		if May(role, "burn_down") {
			t.Errorf("%q may do what is no action", role)
		}
	}
	if len(Actions()) != len(want[identity.RoleOwner]) {
		t.Errorf("%d of %d actions are agreed", len(want[identity.RoleOwner]), len(Actions()))
	}
}
