package reserve

import (
	"testing"

	"lunchgo/app/identity"
)

// The table as it is agreed with the restaurants: a host runs the evening, a manager changes what there is to eat besides.
func TestMay_ByRole(t *testing.T) {
	t.Parallel()
	evening := []Action{SeeEvening, MarkGuest, CancelWithRefund, OpenCloseSlot, ChangeCapacity}
	want := map[identity.Role][]Action{
		identity.RoleHost:    evening,
		identity.RoleManager: append(evening[:len(evening):len(evening)], ChangeStock),
		identity.RoleOwner:   Actions(),
		"cook":               nil,
		"":                   nil,
	}
	for role, actions := range want {
		allowed := map[Action]bool{}
		for _, action := range actions {
			allowed[action] = true
		}
		for _, action := range Actions() {
			if May(role, action) != allowed[action] {
				t.Errorf("%q may %s: %v", role, action, May(role, action))
			}
		}
		if May(role, "burn_down") {
			t.Errorf("%q may do what is no action", role)
		}
	}
}
