package booking

import (
	"errors"
	"slices"
	"testing"
)

func TestWithDetails(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	caller := Reservation{State: Confirmed, Source: Phone, BookedBy: "H", GuestName: "Kim", GuestPhone: "010-1111-2222",
		Note: "window"}
	after, differ, err := caller.WithDetails(Details{Name: text("Lee"), Phone: text("010-1111-2222"),
		Allergies: text("nuts")})
	if err != nil || !slices.Equal(differ, []string{"name", "allergies"}) || after.GuestName != "Lee" ||
		after.Allergies != "nuts" || after.Note != "window" || !after.DetailsChanged {
		t.Errorf("%+v, %q, %v", after, differ, err)
	}
	if after, differ, err := caller.WithDetails(Details{Note: text("window"), Tags: []string{"vip"}}); err != nil ||
		differ != nil || after.DetailsChanged {
		t.Errorf("the same again: %+v, %q, %v", after, differ, err)
	}
	diner := Reservation{State: Arrived, Source: Web, UserID: "D"}
	var invalid *InvalidError
	if _, _, err := diner.WithDetails(Details{Name: text("Lee"), Note: text("quiet")}); !errors.As(err, &invalid) ||
		len(invalid.Fields) != 1 || invalid.Fields[0].Reason != "of_account" {
		t.Errorf("a diner's name: %v", err)
	}
	if after, _, err := diner.WithDetails(Details{Note: text("quiet")}); err != nil || after.Note != "quiet" {
		t.Errorf("a diner's note: %+v, %v", after, err)
	}
	for _, state := range []State{Completed, NoShow, Cancelled, Expired, RefundPending, Refunded} {
		caller.State = state
		if _, _, err := caller.WithDetails(Details{Note: text("x")}); !errors.Is(err, ErrWrongState) {
			t.Errorf("%s: %v", state, err)
		}
	}
}
