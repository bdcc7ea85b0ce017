package db_test

import (
	"crypto/rand"
	"log/slog"
	"maps"
	random "math/rand/v2"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/availability"
	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// offers is an evening of the fixture's restaurant with named seats, and what the cache answers of it.
type offers struct {
	*harness
	*random.Rand
	cache  *availability.Cache
	now    time.Time
	diners []string
	staff  string
	held   []string // ids of reservations, and by whom
	by     map[string]string
}

func newOffers(t *testing.T, seed uint64, arrivals int, tiers ...booking.StayTier) *offers {
	t.Helper()
	h := setup(t)
	h.Restaurant.StayTiers, h.Restaurant.ArrivalsPerSlot = tiers, arrivals
	h.OpenRoom(t)
	options, err := redis.ParseURL(dbtest.RedisURL(t))
	dbtest.Must(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	o := &offers{harness: h, Rand: random.New(random.NewPCG(seed, 29)), by: map[string]string{},
		cache:  availability.Open(client, dbtest.KeyPrefix(t), h.Slots, slog.New(slog.DiscardHandler), nil),
		diners: h.Diners(t, 150, 0)}
	t.Cleanup(o.cache.Close)
	o.staff, o.diners = o.diners[0], o.diners[1:]
	start, err := h.Restaurant.Start(h.Slot("17:30").Date, "17:30")
	dbtest.Must(t, err)
	o.now = start.Add(-6 * time.Hour)
	return o
}

// cached returns the day as the cache answers it, once it knows what the database has.
func (o *offers) cached(t *testing.T, changed booking.SlotKey) (day map[booking.TimeOfDay]booking.Occupancy) {
	t.Helper()
	o.cache.Changed(changed)
	dbtest.Eventually(t, "the cache knows what the database has", func() bool {
		stored, err := o.Slots.ListOccupancy(t.Context(), o.Restaurant.ID, changed.Date, changed.Date)
		if err == nil {
			day, err = o.cache.List(t.Context(), o.Restaurant.ID, changed.Date)
		}
		dbtest.Must(t, err)
		return maps.EqualFunc(day, byTime(stored), func(a, b booking.Occupancy) bool {
			return a.Remaining() == b.Remaining() && a.Arriving == b.Arriving &&
				len(a.Seats) == len(b.Seats) && a.Waitlisted == b.Waitlisted && a.PassesLeft == b.PassesLeft
		})
	})
	return day
}

func byTime(slots map[booking.SlotKey]booking.Occupancy) map[booking.TimeOfDay]booking.Occupancy {
	day := map[booking.TimeOfDay]booking.Occupancy{}
	for key, o := range slots {
		day[key.Time] = o
	}
	return day
}

// book lets the next diner ask for seats, and returns whether there are some.
func (o *offers) book(t *testing.T, slot booking.SlotKey, party int) bool {
	t.Helper()
	diner := o.diners[0]
	o.diners = o.diners[1:]
	req, err := booking.Draft{RestaurantID: o.Restaurant.ID, Date: string(slot.Date), Time: string(slot.Time),
		PartySize: party}.Check(o.Restaurant, o.Menu, o.now)
	if err != nil {
		return false
	}
	req.UserID, req.IdempotencyKey, req.Ticket = diner, "key-"+rand.Text(), rand.Text()
	out := o.ServeAlone(t, req)
	if out.Reserves() {
		o.held, o.by[out.ReservationID] = append(o.held, out.ReservationID), diner
	}
	return out.Reserves()
}

// stir cancels a reservation, or blocks a free seat of a slot.
func (o *offers) stir(t *testing.T, slot booking.SlotKey) {
	t.Helper()
	if n := len(o.held); n > 4 && o.IntN(2) == 0 {
		id := o.held[o.IntN(n)]
		_, _ = o.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: o.by[id]}) // it may be over already
		return
	}
	_ = o.Slots.BlockSeats(t.Context(), blocking(slot, o.staff,
		o.Restaurant.Seats[o.IntN(7)].ID)) // somebody may have it
}

// What the cache offers is what the booking transaction gives, and what it does not offer is refused: evenings that
// fill up party by party, while some cancel, seats are blocked, and some wait.
func TestOffers_OfTheCacheAreWhatServeGives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tiers    []booking.StayTier
		arrivals int
		most     int // of a party; five could not sit together in the empty room, so they cannot wait
		waits    bool
	}{
		"stays of two slots":       {[]booking.StayTier{{FromParty: 3, Slots: 2}}, 0, 6, false},
		"a waitlist":               {nil, 0, 4, true},
		"minutes, few may arrive":  {[]booking.StayTier{{FromParty: 2, Minutes: 50}}, 7, 6, false},
		"a waitlist, few may come": {nil, 9, 4, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffers(t, 7, c.arrivals, c.tiers...)
			lists := db.NewWaitlistStore(o.Pool)
			times := o.Restaurant.Times(o.Slot("17:30").Date)[4:] // the evening
			if c.waits {
				times = times[:2] // so that they fill up
			}
			slot, accepted, refused, covers := o.Slot(times[0]), 0, 0, 0
			for range 30 {
				day := o.cached(t, slot)
				for got := false; !got && len(o.diners) > 4; {
					slot = o.Slot(times[o.IntN(len(times))])
					ask := booking.Ask{Slot: slot, PartyStay: booking.PartyStay{Party: 1 + o.IntN(c.most)}}
					offer := o.Restaurant.Offer(ask, day, o.now)
					if got = o.book(t, slot, ask.Party); got != (offer.State == booking.OfferOpen) {
						t.Fatalf("%+v: offered %+v, got seats: %t", ask, offer, got)
					}
					switch {
					case got:
						accepted++
						continue
					case offer.State == booking.OfferSoldOut && offer.Joint.Remaining() >= ask.Party:
						covers++ // which were offered when covers alone counted
					}
					if refused++; refused%4 == 0 {
						o.stir(t, slot)
						break
					}
					if c.waits && refused%4 == 2 && offer.State == booking.OfferSoldOut {
						_, err := lists.Join(t.Context(), reserve.WaitRequest{UserID: o.diners[0],
							IdempotencyKey: rand.Text(), Slot: slot, Times: []booking.TimeOfDay{slot.Time},
							PartySize: ask.Party, Capacity: o.Restaurant.Capacity, Seats: o.Restaurant.Seats,
							KeepBefore: time.Now().Add(time.Hour)})
						if o.diners = o.diners[1:]; err != nil {
							t.Fatalf("who is refused can wait: %v", err)
						}
						break
					}
				}
			}
			t.Logf("%d accepted, %d refused, %d of them with covers left", accepted, refused, covers)
			if accepted < 5 || refused < 5 || covers == 0 && c.arrivals == 0 {
				t.Error("too little was tried")
			}
		})
	}
}
