package accounts_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

func TestUsers_FoundByIDAndAddress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := identity.User{ID: "u1", Email: "Haru@Example.org", Name: "하루 🍚", Phone: "010-1234-5678", PasswordHash: "hash"}
	dbtest.Must(t, h.Users.CreateUser(t.Context(), u))
	byID, err := h.Users.FindUser(t.Context(), "u1")
	dbtest.Must(t, err)
	want := u
	want.Email, want.Language, want.CreatedAt, want.Texts = "haru@example.org", "ko", byID.CreatedAt, true
	if byID != want {
		t.Errorf("got %+v, want %+v", byID, want)
	}
	if age := time.Since(byID.CreatedAt); age < -time.Minute || age > time.Minute {
		t.Errorf("created %v ago", age)
	}
	if byEmail, err := h.Users.FindUserByEmail(t.Context(), "HARU@example.ORG"); err != nil || byEmail != want {
		t.Errorf("by address %+v, %v", byEmail, err)
	}
	u.ID = "u2"
	if err := h.Users.CreateUser(t.Context(), u); !errors.Is(err, identity.ErrEmailTaken) {
		t.Errorf("the address again: %v, want %v", err, identity.ErrEmailTaken)
	}
	if _, err := h.Users.FindUser(t.Context(), "u2"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("no such id: %v, want %v", err, identity.ErrNotFound)
	}
	if _, err := h.Users.FindUserByEmail(t.Context(), "nobody@example.org"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("no such address: %v, want %v", err, identity.ErrNotFound)
	}
}

func TestListMemberships(t *testing.T) {
	t.Parallel()
	h := setup(t)
	userID := h.Diners(t, 1, 0)[0]
	if got, err := h.Users.ListMemberships(t.Context(), userID); err != nil || len(got) != 0 {
		t.Errorf("a diner is staff of %v, %v", got, err)
	}
	for _, role := range []identity.Role{identity.RoleHost, identity.RoleOwner} {
		m := identity.Membership{RestaurantID: h.Restaurant.ID, Role: role}
		dbtest.Must(t, h.Seeds.PutStaff(t.Context(), userID, m))
		if got, err := h.Users.ListMemberships(t.Context(), userID); err != nil ||
			!slices.Equal(got, []identity.Membership{m}) {
			t.Errorf("staff of %v (%v), want %v", got, err, m)
		}
	}
	m := identity.Membership{RestaurantID: 999, Role: identity.RoleHost}
	if err := h.Seeds.PutStaff(t.Context(), userID, m); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("no such restaurant: %v", err)
	}
	m.RestaurantID = h.Restaurant.ID
	if err := h.Seeds.PutStaff(t.Context(), "nobody", m); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("no such user: %v", err)
	}
}
