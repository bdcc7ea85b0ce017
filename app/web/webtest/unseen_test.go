package webtest

import (
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// away lets a diner press and go away before their turn comes, and returns what they get then.
func (r *harness) away(t *testing.T, who person, slot booking.SlotKey) (ticket, reservation string) {
	t.Helper()
	release := r.rival(t, slot)
	ticket = r.press(t, who, "away-"+who.id, "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	release()
	dbtest.Eventually(t, "the diner who is away has a hold", func() bool {
		own, err := r.Stores.Reservations.ListUpcoming(t.Context(), who.id, keyset.Request{})
		dbtest.Must(t, err)
		for _, res := range own.Items {
			reservation = res.ID
		}
		return reservation != ""
	})
	return ticket, reservation
}

// Whoever waits reads how long a table is held for them if they are away at their turn.
func TestWaitingPage_SaysHowLongATableIsHeldUnseen(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Config: program.Config{HoldUnseen: 4 * time.Minute}})
	slot, who := r.slot("19:00"), r.diner(t, 0)
	defer r.rival(t, slot)()
	r.page(t, who, views.TicketURL(r.queued(t, who, slot, 2))).is(t, 200).has(t, "4분 안에 확인하지 않으면")
}

// holdOf is how long a hold lasts from when it was made, and whether its diner has not seen it, as the table has it.
func (r *harness) holdOf(t *testing.T, id string) (lasts time.Duration, unseen bool) {
	t.Helper()
	res, err := r.Stores.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	return res.HoldExpiresAt.Sub(res.CreatedAt).Round(time.Second), res.IsUnseen()
}

// The hold of a diner who is away lasts three minutes, and in full from when anything shows it to them. Nobody else
// sees it in their place.
func TestUnseen_AHoldLastsInFullOnceItIsShown(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	ways := map[booking.TimeOfDay]func(who person, ticket, id string){
		"10:00": func(who person, ticket, _ string) { r.get(t, who, "/api/tickets/"+ticket).want(t, 200, "") },
		"11:00": func(who person, ticket, _ string) { r.page(t, who, views.TicketURL(ticket)).is(t, 303) },
		"12:00": func(who person, _, id string) { r.page(t, who, views.PayURL(id)).is(t, 200) },
		"13:00": func(who person, _, id string) { r.page(t, who, views.ReservationURL(id)).is(t, 200) },
		"14:00": func(who person, _, _ string) { r.page(t, who, views.ReservationsURL()).is(t, 200) },
		"15:00": func(who person, _, _ string) { r.get(t, who, "/api/reservations").want(t, 200, "") },
		"16:00": func(who person, _, id string) {
			if at := r.get(t, who, "/api/reservations/"+id).want(t, 200, "").text(t, "holdExpiresAt"); at == "" {
				t.Error("no deadline")
			}
		},
		"17:00": func(who person, _, _ string) {
			again := r.press(t, who, "away-"+who.id, "wait=5", r.requestFor(r.slot("17:00"), 2))
			again.want(t, 201, "")
		},
	}
	for at, look := range ways {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			who := r.diner(t, 0)
			ticket, id := r.away(t, who, r.slot(at))
			r.get(t, r.diner(t, 0), "/api/reservations/"+id).want(t, 404, "not_found")
			r.page(t, r.staff(t, r.restaurant.ID), views.StaffSlotURL(r.restaurant.ID, r.start(t, r.slot(at)))).is(t,
				200)
			for _, path := range []string{views.ReservationsURL(), views.ReservationURL(id)} { // as a copy for later
				r.do(t, call{method: "GET", as: who, path: path, headers: map[string]string{"Purpose": "keep"}})
			}
			if lasts, unseen := r.holdOf(t, id); !unseen || lasts != booking.HoldUnseen {
				t.Errorf("before it is shown it lasts %v, unseen: %v", lasts, unseen)
			}
			look(who, ticket, id)
			dbtest.Eventually(t, "it lasts in full", func() bool {
				lasts, unseen := r.holdOf(t, id)
				return !unseen && lasts == 7*time.Minute
			})
		})
	}
}

// Who waits for the answer, at this server or at another one than that which serves them, has seen it.
func TestUnseen_WhoWatchesHasSeenIt(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other := r.twin(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	first, second := r.diner(t, 0), r.diner(t, 0)
	answers := make(chan answer, 2)
	go func() { answers <- r.press(t, first, "key", "wait=10", r.requestFor(slot, 2)) }()
	line := lineup.OfSlot(slot)
	waits := func(n int) func() bool {
		return func() bool {
			lengths, err := r.Bookings.Lines.Lengths(t.Context(), []booking.SlotKey{slot})
			return err == nil && lengths[0] == n
		}
	}
	dbtest.Eventually(t, "the first waits in "+line.String(), waits(2))
	go func() { answers <- other.press(t, second, "key", "wait=10", r.requestFor(slot, 2)) }()
	dbtest.Eventually(t, "the second waits too", waits(3))
	release()
	for range 2 {
		id := (<-answers).want(t, 201, "").text(t, "id")
		dbtest.Eventually(t, "it lasts in full", func() bool {
			lasts, unseen := r.holdOf(t, id)
			return !unseen && lasts == 7*time.Minute
		})
	}
}

// A hold that its diner does not see ends early. Its seats go on to the waitlist, and letters say both; who has seen
// theirs keeps it.
func TestUnseen_TheSeatsGoOnToTheWaitlist(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Config: program.Config{
		Options: program.Options{Paces: program.Paces{Sweep: 100 * time.Millisecond}}}})
	slot := r.slot("19:00")
	for range 3 {
		r.confirm(t, slot, 2)
	}
	gone, looks, next := r.diner(t, 0), r.diner(t, 0), r.diner(t, 0)
	_, lost := r.away(t, gone, slot)
	_, kept := r.away(t, looks, slot)
	r.get(t, looks, "/api/reservations/"+kept).want(t, 200, "")
	entry := r.wait(t, next, slot, 2).want(t, 201, "").text(t, "id")

	r.change(t, `UPDATE reservations SET created_at = created_at - interval '10 seconds'`)
	dbtest.Eventually(t, "a letter says that the table is held", func() bool {
		return strings.Contains(string(r.page(t, gone, "/mailbox").is(t, 200).raw), "까지 확인해 주세요")
	})
	r.page(t, looks, "/mailbox").is(t, 200).hasNot(t, "까지 확인해 주세요")
	r.change(t,
		`UPDATE reservations SET hold_expires_at = hold_expires_at - interval '3 minutes' WHERE state = 'temporary'`)
	r.becomes(t, next, entry, booking.EntryOffered)
	if lost, kept := r.state(t, lost), r.state(t, kept); lost != booking.Expired || kept != booking.Temporary {
		t.Errorf("the unseen hold is %s, the seen one %s", lost, kept)
	}
	r.page(t, gone, "/mailbox").is(t, 200).has(t, "자리를 더 이상 잡아 두지 않습니다")
	r.page(t, looks, "/mailbox").is(t, 200).hasNot(t, "자리를 더 이상 잡아 두지 않습니다")
	r.balances(t)
}
