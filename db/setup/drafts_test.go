package setup_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	dbsetup "lunchgo/db/setup"
	"lunchgo/db/testkit"
)

// openAtOnce lets one person open drafts at the same moment, at several processes, and returns how many were opened.
func openAtOnce(t *testing.T, h *testkit.Harness, userID string, n int) (opened int64) {
	t.Helper()
	stores := []*dbsetup.DraftStore{}
	for range 3 {
		stores = append(stores, dbsetup.NewDraftStore(h.Instance(t)))
	}
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			_, err := stores[i%len(stores)].OpenDraft(t.Context(), userID, testkit.Draft(), booking.MaxDrafts)
			switch {
			case err == nil:
				atomic.AddInt64(&opened, 1)
			case !errors.Is(err, booking.ErrTooManyDrafts):
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return opened
}

// One person has five drafts at most, however many they ask for at the same moment.
func TestOpenDraft_FiveAPerson(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	ann := h.Diners(t, 1, 0)[0]
	if opened := openAtOnce(t, h, ann, 40); opened != booking.MaxDrafts {
		t.Errorf("%d drafts, want %d", opened, booking.MaxDrafts)
	}
	// A published one makes room for another.
	s := dbsetup.NewDraftStore(h.Pool)
	page, err := s.ListDrafts(t.Context(), keyset.Request{})
	drafts := page.Items
	if err != nil || len(drafts) != booking.MaxDrafts {
		t.Fatal(len(drafts), err)
	}
	if _, err := s.Publish(t.Context(), drafts[0].ID, ann); err != nil {
		t.Fatal(err)
	}
	if _, err := s.OpenDraft(t.Context(), ann, testkit.Draft(), booking.MaxDrafts); err != nil {
		t.Error(err)
	}
}

// The control: without the lock on the person more are opened.
func TestOpenDraft_WithoutTheLock(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	ann := h.Diners(t, 1, 0)[0]
	h.Weaken(dbsetup.LockOpener, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(dbsetup.InsertDraft, dbtest.Meeting(booking.MaxDrafts+1))
	if opened := openAtOnce(t, h, ann, 12); opened <= booking.MaxDrafts {
		t.Errorf("%d drafts: the race shows nothing", opened)
	}
}

func TestOpenDraft_OnlyWithAConfirmedAddress(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := dbsetup.NewDraftStore(h.Pool)
	u := identity.User{ID: "ann", Email: "ann@example.org", Name: "Ann", PasswordHash: "!"}
	dbtest.Must(t, h.Users.CreateUser(t.Context(), u))
	if _, err := s.OpenDraft(t.Context(), "ann", testkit.Draft(), 5); !errors.Is(err, identity.ErrUnconfirmed) {
		t.Errorf("unconfirmed: %v", err)
	}
	dbtest.Must(t, h.Exec(t.Context(), `UPDATE users SET email_confirmed_at = now() WHERE id = 'ann'`))
	opened, err := s.OpenDraft(t.Context(), "ann", testkit.Draft(), 5)
	if err != nil || opened.State != booking.RestaurantDraft || opened.Role != identity.RoleOwner {
		t.Fatalf("%+v, %v", opened, err)
	}
	own, err := s.ListWorkplaces(t.Context(), "ann")
	if err != nil || len(own) != 1 || own[0] != opened {
		t.Errorf("%+v, %v; want %+v", own, err, opened)
	}
	if _, err := s.OpenDraft(t.Context(), "nobody", testkit.Draft(), 5); !errors.Is(err, identity.ErrInvalidSession) {
		t.Errorf("nobody: %v", err)
	}
}

// The catalogue knows no draft, until it is published; that is once in the audit log.
func TestPublish_ShowsADraft(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s, ann := dbsetup.NewDraftStore(h.Pool), h.Diners(t, 1, 0)[0]
	opened, err := s.OpenDraft(t.Context(), ann, testkit.Draft(), 5)
	dbtest.Must(t, err)
	listed := func() bool {
		all, err := h.Catalog.ListRestaurants(t.Context())
		_, byID := h.Catalog.FindRestaurant(t.Context(), opened.ID)
		_, bySlug := h.Catalog.FindRestaurantBySlug(t.Context(), opened.Slug)
		found := errors.Is(byID, nil)
		if err != nil || found != errors.Is(bySlug, nil) || found != (len(all) == 2) {
			t.Fatal(len(all), err, byID, bySlug)
		}
		if !found && !errors.Is(byID, booking.ErrNotFound) {
			t.Error(byID)
		}
		return found
	}
	if listed() {
		t.Error("a draft is in the catalogue")
	}
	for range 2 { // a repeat changes nothing
		if _, err := s.Publish(t.Context(), opened.ID, ann); err != nil {
			t.Fatal(err)
		}
	}
	if !listed() {
		t.Error("a published restaurant is not in the catalogue")
	}
	var entries int
	err = h.Get(t.Context(), &entries,
		`SELECT count(*) FROM audit_log WHERE action = 'restaurant.published' AND restaurant_id = $1`, opened.ID)
	if err != nil || entries != 1 {
		t.Errorf("%d entries in the audit log, %v", entries, err)
	}
	if _, err := s.Publish(t.Context(), 999_999, ann); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("an unknown one: %v", err)
	}
}

func TestListDrafts_InPages(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := dbsetup.NewDraftStore(h.Pool)
	want := map[int64]bool{}
	for _, id := range h.Diners(t, 7, 0) {
		opened, err := s.OpenDraft(t.Context(), id, testkit.Draft(), 5)
		dbtest.Must(t, err)
		want[opened.ID] = true
	}
	req := keyset.Request{Limit: 3}
	for last := int64(0); ; {
		page, err := s.ListDrafts(t.Context(), req)
		dbtest.Must(t, err)
		for _, d := range page.Items {
			if d.ID <= last || !want[d.ID] || d.OwnerEmail == "" || time.Since(d.OpenedAt) > time.Hour {
				t.Errorf("%+v after %d", d, last)
			}
			delete(want, d.ID)
			last = d.ID
		}
		if page.Next == "" {
			break
		}
		after, err := keyset.Parse(page.Next)
		dbtest.Must(t, err)
		req.After = &after
	}
	if len(want) > 0 {
		t.Errorf("never listed: %v", want)
	}
}
