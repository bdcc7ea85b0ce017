package setup_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	owner "lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
	dbsetup "lunchgo/db/setup"
	"lunchgo/db/testkit"
)

// setupService is the set-up of the harness's restaurant with its owner.
func setupService(t testing.TB, h *testkit.Harness) (*owner.Service, team.Staff) {
	t.Helper()
	id := h.Diners(t, 1, 0)[0]
	if err := h.Seeds.PutStaff(t.Context(), id,
		identity.Membership{RestaurantID: h.Restaurant.ID, Role: identity.RoleOwner}); err != nil {
		t.Fatal(err)
	}
	by, err := team.Find(t.Context(), h.Users, id, h.Restaurant.ID)
	if err != nil {
		t.Fatal(err)
	}
	forget := func(int64, []booking.SlotKey) {}
	return &owner.Service{Store: dbsetup.NewDocumentStore(h.Pool), Forget: forget, Now: time.Now}, by
}

// everything is another version of each document of the test's restaurant.
func everything(h *testkit.Harness) []owner.Document {
	s, _ := owner.Of(owner.DocSettings, h.Restaurant).(owner.Settings)
	s.Settings.Name.Ko, s.Phone, s.Cuisine, s.Capacity, s.SlotMinutes = "새 이름", "02-123-4567", "various", 6, 30
	s.HoldMinutes, s.ExtensionMinutes, s.PartyMax, s.Stays = 20, 0, 4, []booking.StayTier{{FromParty: 2, Slots: 3}}
	return []owner.Document{s,
		owner.Hours{Weekly: []booking.Opening{{Weekday: 0, From: "08:00", Last: "09:00"}}, Special: []booking.SpecialDay{
			{Date: booking.DateOf(time.Now(), time.UTC).AddDays(9), Spans: []booking.Span{{From: "10:00", Last: "12:00"}}}}},
		owner.Closures{Closures: []owner.Closure{{From: "2040-05-07", To: "2040-05-09", Reason: "공사"},
			{From: "2040-06-01", To: "2040-06-01"}}},
		owner.Deposits{Tiers: []booking.DepositTier{{FromParty: 1, Kind: booking.PerParty, Amount: 90_000}}},
		owner.Cancellation{Refunds: []booking.RefundTier{{HoursBefore: 500, Percent: 10}}, ChangeHours: 100,
			FreeCancelMinutes: new(20)},
		owner.Gallery{Photos: []string{"pub", "sushi"}},
	}
}

// All documents are stored as they were sent, each with one row in the audit log, and a repeat stores nothing. What was
// agreed with a guest stays: deposit, hold, extension, refunds, and when the stay ends.
func TestSetup_EditingLeavesWhatWasAgreed(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s, by := setupService(t, h)
	req := h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))
	req.PartySize, req.Stay, req.Policy, req.DepositAmount = 7, []booking.TimeOfDay{"20:00"}, h.Restaurant.Terms(7),
		50_000
	id := h.Reserve(t, req)
	agreed, err := h.Reservations.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, d := range everything(h) {
			state, err := s.Find(t.Context(), by, h.Restaurant.ID)
			if err != nil {
				t.Fatal(err)
			}
			saved, err := s.Save(t.Context(), by,
				owner.Replacement{RestaurantID: h.Restaurant.ID, Documents: []owner.Document{d},
					Tag: owner.TagOf(state.Restaurant, d.Name())})
			if err != nil {
				t.Fatalf("%s: %v", d.Name(), err)
			}
			state, err = s.Find(t.Context(), by, h.Restaurant.ID)
			is := owner.Of(d.Name(), state.Restaurant)
			if err != nil || owner.TagOf(saved.Restaurant, d.Name()) != owner.TagOf(state.Restaurant, d.Name()) ||
				!sameDocument(is, d) {
				t.Errorf("%s is %+v, %v; want %+v", d.Name(), is, err, d)
			}
		}
	}
	now, err := h.Reservations.Find(t.Context(), id)
	if err != nil || !reflect.DeepEqual(now, agreed) || now.EndTime() != "21:00" {
		t.Errorf("the reservation is\n%+v, %v; agreed\n%+v", now, err, agreed)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE restaurant_id = $1 AND action LIKE 'setup.%'
		AND detail -> 'was' IS NOT NULL AND detail -> 'is' IS NOT NULL`, h.Restaurant.ID); n != len(owner.Names()) {
		t.Errorf("%d rows in the audit log", n)
	}
}

// sameDocument compares two documents as they are served.
func sameDocument(a, b owner.Document) bool {
	one, err := owner.Tag(a)
	other, otherErr := owner.Tag(b)
	return errors.Join(err, otherErr) == nil && one == other
}

// changeAtOnce lets two members of staff who saw the same document replace it at the same moment, and returns how many
// did.
func changeAtOnce(t *testing.T, h *testkit.Harness) (stored int) {
	t.Helper()
	s, by := setupService(t, h)
	tag := owner.TagOf(h.Restaurant, owner.DocCancellation)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for hours := range 2 {
		wg.Go(func() {
			_, err := s.Save(t.Context(), by, owner.Replacement{RestaurantID: h.Restaurant.ID, Tag: tag,
				Documents: []owner.Document{owner.Cancellation{ChangeHours: 1 + hours}}})
			if err != nil && !errors.Is(err, owner.ErrChanged) {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				stored++
			}
		})
	}
	wg.Wait()
	return stored
}

// Of two who replace the document that both have seen, one learns that it has changed; without the lock the first is
// lost.
func TestSetup_OneOfTwoReplacesADocument(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	if stored := changeAtOnce(t, h); stored != 1 {
		t.Errorf("%d were stored", stored)
	}
	control := testkit.Setup(t)
	control.Weaken(rowlock.LockRestaurant, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	control.Weaken(dbsetup.StoreDocuments, dbtest.Meeting(2))
	if stored := changeAtOnce(t, control); stored != 2 {
		t.Errorf("%d were stored without the lock: the race shows nothing", stored)
	}
}

// A coming slot follows the restaurant's capacity, down to what its guests need; one that staff changed keeps its own.
func TestSetup_CapacityOfComingSlots(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s, by := setupService(t, h)
	plain, full, own := h.Slot("17:30"), h.Slot("18:30"), h.Slot("19:30")
	book := func(slot booking.SlotKey, party int) {
		req := h.Request(h.Diners(t, 1, 0)[0], slot)
		req.PartySize = party
		if _, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, h.Restaurant.Capacity, 0),
			[]booking.Request{req}); err != nil {
			t.Fatal(err)
		}
	}
	book(plain, 2)
	book(full, 8)
	if err := h.SetCapacity(t, own, 12, by.UserID()); err != nil {
		t.Fatal(err)
	}
	next, _ := owner.Of(owner.DocSettings, h.Restaurant).(owner.Settings)
	next.Capacity, next.PartyMax = 5, 5
	saved, err := s.Save(t.Context(), by,
		owner.Replacement{RestaurantID: h.Restaurant.ID, Documents: []owner.Document{next},
			Tag: owner.TagOf(h.Restaurant, owner.DocSettings)})
	if err != nil {
		t.Fatal(err)
	}
	if a := saved.Affected; a.Reservations != 1 || a.Holds != 1 || a.First[0].Why != owner.WhyCapacity ||
		a.First[0].PartySize != 8 {
		t.Errorf("affected: %+v", a)
	}
	got, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, plain.Date, plain.Date)
	if err != nil || got[plain].Capacity != 5 || got[full].Capacity != 8 || got[own].Capacity != 12 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A restaurant with bookings to come stays in its time zone; a preview stores nothing.
func TestSetup_PreviewAndTimeZone(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s, by := setupService(t, h)
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
	next, _ := owner.Of(owner.DocSettings, h.Restaurant).(owner.Settings)
	next.TimeZone = "Asia/Tokyo"
	r := owner.Replacement{RestaurantID: h.Restaurant.ID, Documents: []owner.Document{next},
		Tag: owner.TagOf(h.Restaurant, owner.DocSettings)}
	var invalid *booking.InvalidError
	if _, err := s.Save(t.Context(), by, r); !errors.As(err, &invalid) || invalid.Fields[0].Reason != "has_bookings" {
		t.Errorf("another zone: %v", err)
	}
	closed := owner.Replacement{RestaurantID: h.Restaurant.ID, Tag: owner.TagOf(h.Restaurant, owner.DocClosures),
		Preview: true, Documents: []owner.Document{owner.Closures{Closures: []owner.Closure{{From: "2040-05-07"}}}}}
	saved, err := s.Save(t.Context(), by, closed)
	if err != nil || saved.Affected.Reservations != 1 || saved.Affected.First[0].Why != owner.WhyClosed {
		t.Errorf("%+v, %v", saved, err)
	}
	if r, err := h.Catalog.FindRestaurant(context.WithoutCancel(t.Context()), h.Restaurant.ID); err != nil ||
		len(r.Closures) != 1 {
		t.Errorf("a preview has stored %+v, %v", r.Closures, err)
	}
}

// slugLeftAndTaken has a restaurant leave its slug at the moment at which another takes it, and returns to how many the
// slug leads then.
func slugLeftAndTaken(t *testing.T, h *testkit.Harness) int {
	t.Helper()
	other := h.Restaurant
	other.Slug = "leaving"
	id, err := h.Seeds.PutRestaurant(t.Context(), other, nil)
	dbtest.Must(t, err)
	leaves := h.SQL().MustBeginTx(t.Context(), nil)
	defer func() { _ = leaves.Rollback() }()
	leaves.MustExec(`UPDATE restaurants SET slug = 'left' WHERE id = $1`, id)
	leaves.MustExec(`INSERT INTO earlier_slugs (slug, restaurant_id) VALUES ('leaving', $1)`, id)
	s, by := setupService(t, h)
	settings, _ := owner.Of(owner.DocSettings, h.Restaurant).(owner.Settings)
	settings.Slug = "leaving"
	saved := make(chan error, 1)
	go func() {
		_, err := s.Save(t.Context(), by, owner.Replacement{RestaurantID: h.Restaurant.ID,
			Documents: []owner.Document{settings}, Tag: owner.TagOf(h.Restaurant, owner.DocSettings)})
		saved <- err
	}()
	dbtest.AwaitLockOr(t, h.SQL(), func() bool { return len(saved) > 0 })
	dbtest.Must(t, leaves.Commit())
	if err := <-saved; err != nil && !errors.As(err, new(*booking.InvalidError)) {
		t.Error(err)
	}
	return h.Count(t, `
		SELECT count(*) FROM (SELECT slug FROM restaurants UNION ALL SELECT slug FROM earlier_slugs) all_of
		WHERE slug = 'leaving'`)
}

// Nobody gets a slug that leads to another restaurant, also not while that leaves it.
func TestSlug_LeadsToOneRestaurant(t *testing.T) {
	t.Parallel()
	if n := slugLeftAndTaken(t, testkit.Setup(t)); n != 1 {
		t.Errorf("it leads to %d", n)
	}
}

// The control: without the look at earlier slugs it leads to both.
func TestSlug_WithoutLookingAtEarlierOnes(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.Weaken(dbsetup.FindEarlierSlug, dbtest.Replacing("slug = $1 AND restaurant_id <> $2",
		"slug <> $1 AND restaurant_id <> $2"))
	if n := slugLeftAndTaken(t, h); n < 2 {
		t.Errorf("it leads to %d: the test above proves nothing", n)
	}
}
