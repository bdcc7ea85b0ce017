package lineup

import (
	"slices"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/token"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

func TestLineID_NamesEachLineInOneWay(t *testing.T) {
	t.Parallel()
	evening := booking.SlotKey{RestaurantID: 12, Date: "2026-11-21", Time: "19:00"}
	later := evening
	later.Time = "20:00"
	for id, line := range map[string]locks.Name{
		"r12-2026-11-21-1900": OfSlot(evening), "coupon-5": OfCampaign(5),
	} {
		if got := (ids{}).LineID(line); got != id {
			t.Errorf("%v: got %s", line, got)
		}
		if got, err := (ids{}).ParseLineID(id); err != nil || got != line {
			t.Errorf("%s: got %v, %v", id, got, err)
		}
	}
	if got := (ids{}).LineID(OfStay([]booking.SlotKey{evening, later})); got != "r12-2026-11-21-1900" {
		t.Errorf("a joint line is %s", got)
	}
}

func TestParseLineID_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "r", "coupon-", "coupon-0", "coupon-05", "coupon-x", "12-2026-11-21-1900",
		"r0-2026-11-21-1900", "r12-2026-11-21", "r12-2026-11-21-19:00", "r12-2026-13-21-1900", "r12-2026-11-21-2500",
		"r+1-2026-11-21-1900", "r12-2026-11-21-1900-2000", "r12:2026-11-21-1900"} {
		if got, err := (ids{}).ParseLineID(id); err == nil {
			t.Errorf("%q: got %v", id, got)
		}
	}
}

func FuzzParseLineID(f *testing.F) {
	f.Add("r12-2026-11-21-1900")
	f.Add("coupon-5")
	f.Fuzz(func(t *testing.T, id string) {
		line, err := ids{}.ParseLineID(id)
		if err == nil && (ids{}).LineID(line) != id {
			t.Errorf("%q is %v, %s", id, line, ids{}.LineID(line))
		}
	})
}

func TestOfStay_NamesItsSlots(t *testing.T) {
	t.Parallel()
	first := booking.SlotKey{RestaurantID: 7, Date: "2026-12-24", Time: "18:00"}
	if OfStay([]booking.SlotKey{first}) != OfSlot(first) {
		t.Error("a stay of one slot has another line than the slot")
	}
	slots := first.Slots([]booking.TimeOfDay{"19:00", "20:00"})
	line := OfStay(slots)
	if got, err := SlotsOf(line); err != nil || !slices.Equal(got, slots) {
		t.Errorf("%v, %v", got, err)
	}
	signer := waiting.NewSigner(token.Secrets{"secret"})
	token := waiting.Token{Line: line, Ticket: "t", UserID: "ann", Arrival: 5}
	if got, err := signer.Read(signer.Sign(token), "ann"); err != nil || got != token {
		t.Errorf("a token for it: %+v, %v", got, err)
	}
	if _, err := SlotsOf(OfCampaign(3)); err != waiting.ErrUnknownTicket {
		t.Errorf("the line of a campaign: %v", err)
	}
}

// The names of lines, which tokens hold, are read as they were made, or not at all.
func FuzzLineNames(f *testing.F) {
	f.Add("r12:2026-11-21", "19:00")
	f.Add("r12:2026-11-21", "19:00+20:00")
	f.Add("c7", "claims")
	f.Add("r:", "")
	f.Add("c-1", "x")
	f.Fuzz(func(t *testing.T, partition, key string) {
		name := locks.Name{Partition: partition, Key: key}
		if id, ok := CampaignOf(name); ok && id > 0 && OfCampaign(id).Partition != partition &&
			!strings.ContainsAny(partition, "+0") {
			t.Errorf("%q is campaign %d", partition, id)
		}
		if slots, err := SlotsOf(name); err == nil && (len(slots) == 0 || slots[0].Date == "") ||
			err != nil && slots != nil {
			t.Errorf("%+v is %+v, %v", name, slots, err)
		}
	})
}
