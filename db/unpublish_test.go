package db_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/rowlock"
	dbsetup "lunchgo/db/setup"
	"lunchgo/db/testkit"
)

// A restaurant that an operator unpublishes is found by who has a reservation only, takes no other, and comes back
// as it was: a stop of its staff stays.
func TestUnpublish_TakesARestaurantOffThePublicPages(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, slot, people := dbsetup.NewDraftStore(h.Pool), h.Slot("19:00"), h.Diners(t, 2, 0)
	id, _ := h.Confirmed(t, slot)
	off := reserve.Unpublication{RestaurantID: slot.RestaurantID, OperatorID: people[0], Reason: "폐업 신고"}
	for range 2 { // a repeat changes nothing
		if slots, err := s.Unpublish(t.Context(), off); err != nil || len(slots) != 1 {
			t.Fatal(slots, err)
		}
	}
	all, err := h.Catalog.ListRestaurants(t.Context())
	if _, bySlug := h.Catalog.FindRestaurantBySlug(t.Context(), h.Restaurant.Slug); err != nil || len(all) != 0 ||
		!errors.Is(bySlug, booking.ErrNotFound) {
		t.Errorf("found: %d listed, %v, by slug %v", len(all), err, bySlug)
	}
	if r, err := h.Catalog.FindRestaurant(t.Context(), slot.RestaurantID); err != nil || !r.Unpublished || !r.Stopped {
		t.Errorf("for who has a reservation: %+v, %v", r, err)
	}
	var closed *booking.ClosedError
	if out := h.serveOne(t, h.Request(people[1], slot)); !errors.As(out.Err, &closed) || closed.Reason != off.Reason {
		t.Errorf("a press: %+v", out)
	}
	if r, err := h.Reservations.Find(t.Context(), id); err != nil || r.State != booking.Confirmed {
		t.Errorf("what was made: %+v, %v", r.State, err)
	}
	on := stopping(slot, false, people[0])
	if _, _, err := h.Slots.SetStopped(t.Context(), on); !errors.Is(err, booking.ErrUnpublished) {
		t.Errorf("its staff let it go on: %v", err)
	}
	if _, err := s.Publish(t.Context(), slot.RestaurantID, people[0]); err != nil {
		t.Fatal(err)
	}
	if out := h.serveOne(t, h.Request(people[1], slot)); !out.Reserves() {
		t.Errorf("published again: %+v", out)
	}
	if acts := h.acts(t, people[0]); len(acts) != 2 {
		t.Errorf("acts: %q", acts)
	}
	if _, _, err := h.Slots.SetStopped(t.Context(), stopping(slot, true, people[0])); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unpublish(t.Context(), off); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Publish(t.Context(), slot.RestaurantID, people[0]); err != nil || !h.occupancyOf(t, slot).Stopped {
		t.Errorf("the stop of its staff is lost, %v", err)
	}
}

// A draft cannot be unpublished; the list finds restaurants by a part of the name, in pages.
func TestListRestaurants_FindsByName(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, ann := dbsetup.NewDraftStore(h.Pool), h.Diners(t, 1, 0)[0]
	opened, err := s.OpenDraft(t.Context(), ann, testkit.Draft(), 5)
	dbtest.Must(t, err)
	off := reserve.Unpublication{RestaurantID: opened.ID, OperatorID: ann, Reason: "x"}
	if _, err := s.Unpublish(t.Context(), off); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("a draft: %v", err)
	}
	list := func(words string, page keyset.Request) keyset.Page[reserve.KnownRestaurant] {
		found, err := s.ListRestaurants(t.Context(), words, page)
		dbtest.Must(t, err)
		return found
	}
	first := list("", keyset.Request{Limit: 1})
	after, err := keyset.Parse(first.Next)
	if err != nil || len(first.Items) != 1 || first.Items[0].ID != opened.ID || first.Items[0].OwnerEmail == "" ||
		first.Items[0].State != booking.RestaurantDraft || !first.Items[0].PublishedAt.IsZero() {
		t.Fatalf("%+v, %v", first, err)
	}
	if rest := list("", keyset.Request{Limit: 1, After: &after}); len(rest.Items) != 1 || rest.Next != "" ||
		rest.Items[0].ID != h.Restaurant.ID {
		t.Errorf("the rest: %+v", rest)
	}
	if _, err := s.Publish(t.Context(), opened.ID, ann); err != nil {
		t.Fatal(err)
	}
	if found := list(opened.Name.En[1:], keyset.Request{}); len(found.Items) != 2 || found.Items[0].PublishedBy == "" ||
		found.Items[0].PublishedAt.IsZero() {
		t.Errorf("by name: %+v", found)
	}
	if found := list("%", keyset.Request{}); len(found.Items) != 0 {
		t.Errorf("by a wildcard: %+v", found)
	}
}

// A booking that is decided while a restaurant is unpublished comes before or is refused. Without the locks of its
// slots one is made after.
func TestUnpublish_AgainstABooking(t *testing.T) {
	t.Parallel()
	for _, locked := range []bool{true, false} {
		t.Run(map[bool]string{true: "locked", false: "control"}[locked], func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			slot, people := h.Slot("19:00"), h.Diners(t, 2, 0)
			h.makeSlot(t, slot, 10)
			if !locked {
				h.Weaken(rowlock.LockComingSlots, dbtest.Replacing("FOR NO KEY UPDATE", ""))
			}
			wait := h.during(t, dbsetup.UnpublishRestaurant, func(other *db.SlotStore) {
				_, _, err := other.Serve(context.WithoutCancel(t.Context()), h.Turn(slot, 10, 0),
					[]booking.Request{h.Request(people[1], slot)})
				if err != nil {
					t.Error(err)
				}
			})
			off := reserve.Unpublication{RestaurantID: slot.RestaurantID, OperatorID: people[0], Reason: "폐업 신고"}
			if _, err := dbsetup.NewDraftStore(h.Pool).Unpublish(t.Context(), off); err != nil {
				t.Error(err)
			}
			wait()
			if made := h.occupancyOf(t, slot).Held > 0; made == locked {
				t.Errorf("a booking was made meanwhile: %v", made)
			}
		})
	}
}

// The owners get one letter of each decision, which is not sent once another has taken its place.
func TestPublish_TellsTheOwners(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, people := dbsetup.NewDraftStore(h.Pool), h.Diners(t, 3, 0)
	owner, operator := people[0], people[2]
	opened, err := s.OpenDraft(t.Context(), owner, testkit.Draft(), 5)
	dbtest.Must(t, err)
	h.MustExec(t, `INSERT INTO staff_members (restaurant_id, user_id, role) VALUES ($1, $2, 'owner'), ($1, $3, 'host')`,
		opened.ID, people[1], operator)
	publish := func() {
		t.Helper()
		for range 2 { // a repeat decides nothing
			if _, err := s.Publish(t.Context(), opened.ID, operator); err != nil {
				t.Fatal(err)
			}
		}
	}
	letters := func(who string) (kinds []string) {
		t.Helper()
		page, err := letters.NewMailStore(h.Pool).ListMails(t.Context(), who, keyset.Request{Limit: 10})
		dbtest.Must(t, err)
		for _, n := range page.Items {
			kind := string(n.Kind) + " " + n.Decision.Reason
			if n.IsOutdated(n.CreatedAt) {
				kind += ", outdated"
			}
			kinds = append(kinds, kind)
		}
		return kinds
	}
	publish()
	off := reserve.Unpublication{RestaurantID: opened.ID, OperatorID: operator, Reason: "폐업 신고"}
	for range 2 {
		if _, err := s.Unpublish(t.Context(), off); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"unpublished 폐업 신고", "published , outdated"}
	for _, who := range people[:2] {
		if got := letters(who); !slices.Equal(got, want) {
			t.Errorf("letters: %q, want %q", got, want)
		}
	}
	publish()
	want = []string{"published ", "unpublished 폐업 신고, outdated", "published "}
	if got := letters(owner); !slices.Equal(got, want) {
		t.Errorf("letters: %q, want %q", got, want)
	}
	if got := letters(operator); len(got) != 0 {
		t.Errorf("the operator, who is a host there, gets %q", got)
	}
}
