package booking

import (
	"slices"
	"testing"
	"time"
)

// twoServices is a restaurant with lunch on weekdays and dinner on every day, of half an hour's slots; on a special day
// lunch goes on for longer.
func twoServices(t *testing.T) Restaurant {
	t.Helper()
	r := inZone(t, "Asia/Seoul")
	r.SlotMinutes, r.Capacity, r.Hours = 30, 20, nil
	r.StayTiers = []StayTier{{FromParty: 1, Minutes: 60}}
	r.Services = []Service{{Key: "lunch", Name: Text{Ko: "점심", En: "Lunch"},
		Stays: []StayTier{{FromParty: 1, Minutes: 90}, {FromParty: 5, Minutes: 105}}},
		{Key: "dinner", Name: Text{Ko: "저녁", En: "Dinner"}, Stays: []StayTier{{FromParty: 1, Minutes: 120}}},
		{Key: "bar", Name: Text{Ko: "바"}}}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if day != time.Sunday {
			r.Hours = append(r.Hours, Opening{Weekday: day, From: "11:30", Last: "14:10", Service: "lunch"})
		}
		r.Hours = append(r.Hours, Opening{Weekday: day, From: "17:30", Last: "20:30", Service: "dinner"},
			Opening{Weekday: day, From: "22:00", Last: "23:00", Service: "bar"})
	}
	r.SpecialDays = []SpecialDay{{Date: "2026-12-26", Spans: []Span{{From: "11:30", Last: "16:00", Service: "lunch"},
		{From: "18:00", Last: "20:00"}}}}
	return r
}

func TestHoursOn_LastSeating(t *testing.T) {
	t.Parallel()
	r := twoServices(t)
	for date, want := range map[Date][]Span{
		"2026-12-24": {{"11:30", "13:00", "lunch"}, {"17:30", "19:00", "dinner"}, {"22:00", "22:30", "bar"}},
		"2026-12-27": {{"17:30", "19:00", "dinner"}, {"22:00", "22:30", "bar"}}, // a Sunday
		"2026-12-26": {{"11:30", "15:00", "lunch"}, {"18:00", "19:30", ""}},
	} {
		var got []Span
		for _, service := range r.HoursOn(date, 2) {
			got = append(got, Span{service.From, service.LastSeating, service.Key})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", date, got, want)
		}
	}
	if got := r.HoursOn("2026-12-24", 5)[0]; got.LastSeating != "12:30" {
		t.Errorf("the last seating of five at lunch is %s", got.LastSeating)
	}
	if r.Services[1].Stays[0].Minutes = 720; r.HoursOn("2026-12-27", 2)[0].LastSeating != "" {
		t.Error("who never can come has a last seating")
	}
	r.Services = nil
	if got := r.HoursOn("2026-12-24", 2); len(got) != 3 || got[0].Last != "14:10" || got[0].LastSeating != "13:30" {
		t.Errorf("without services the hours are %v", got)
	}
}

// A party stays as long as the service of its slot says, else as the restaurant does, and is offered what it would get.
func TestStayMinutes_OfService(t *testing.T) {
	t.Parallel()
	r, now := twoServices(t), time.Date(2026, 12, 23, 3, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at      TimeOfDay
		party   int
		minutes int
	}{{"11:30", 2, 90}, {"12:00", 5, 105}, {"17:30", 5, 120}, {"22:00", 5, 60}} {
		slot := SlotKey{r.ID, "2026-12-24", c.at}
		if got := StayMinutes(r, slot, c.party, nil); got != c.minutes {
			t.Errorf("%d at %s stay %d minutes, want %d", c.party, c.at, got, c.minutes)
		}
		offer := r.Offer(Ask{PartyStay: PartyStay{Party: c.party}, Slot: slot}, nil, now)
		req, err := Draft{RestaurantID: r.ID, Date: string(slot.Date), Time: string(c.at), PartySize: c.party}.
			Check(r, nil, now)
		if err != nil || offer.StayMinutes != c.minutes || r.MinutesOf(req) != c.minutes ||
			!slices.Equal(req.Stay, offer.Stay) {
			t.Errorf("%d at %s: offered %d minutes, asked %d for %d, %v", c.party, c.at, offer.StayMinutes,
				r.MinutesOf(req), c.minutes, err)
		}
	}
}

// What is said of the last seating is what booking does: that slot is offered, and no later one of its span.
func TestHoursOn_LastSeatingIsOffered(t *testing.T) {
	t.Parallel()
	seatings := 0
	for seed := range uint64(300) {
		d := newOfferDay(seed)
		d.now = morning
		party := d.r.PartyMin + d.IntN(d.r.PartyMax-d.r.PartyMin+1)
		for _, service := range d.r.HoursOn(d.date, party) {
			last := TimeOfDay("")
			for _, at := range d.r.Times(d.date) {
				ask := Ask{PartyStay: PartyStay{Party: party}, Slot: d.slot(at)}
				if service.Has(at) && d.r.Offer(ask, nil, d.now).State != OfferClosed {
					last = at
				}
			}
			if last != service.LastSeating {
				t.Fatalf("seed %d: %d at %s can come until %q, said is %q", seed, party, service.Key, last,
					service.LastSeating)
			}
			if last != "" && last != service.Last {
				seatings++
			}
		}
	}
	if seatings < 50 {
		t.Errorf("%d last seatings come before the last slot", seatings)
	}
}
