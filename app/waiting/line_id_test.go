package waiting

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

func TestLineID_NamesEachLineInOneWay(t *testing.T) {
	t.Parallel()
	evening := booking.SlotKey{RestaurantID: 12, Date: "2026-11-21", Time: "19:00"}
	later := evening
	later.Time = "20:00"
	for id, line := range map[string]locks.Name{
		"r12-2026-11-21-1900": LineOf(evening), "coupon-5": LineOfCoupon(5),
	} {
		if got := LineID(line); got != id {
			t.Errorf("%v: got %s", line, got)
		}
		if got, err := ParseLineID(id); err != nil || got != line {
			t.Errorf("%s: got %v, %v", id, got, err)
		}
	}
	if got := LineID(LineOfStay([]booking.SlotKey{evening, later})); got != "r12-2026-11-21-1900" {
		t.Errorf("a joint line is %s", got)
	}
}

func TestParseLineID_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "r", "coupon-", "coupon-0", "coupon-05", "coupon-x", "12-2026-11-21-1900",
		"r0-2026-11-21-1900", "r12-2026-11-21", "r12-2026-11-21-19:00", "r12-2026-13-21-1900", "r12-2026-11-21-2500",
		"r+1-2026-11-21-1900", "r12-2026-11-21-1900-2000", "r12:2026-11-21-1900"} {
		if got, err := ParseLineID(id); err == nil {
			t.Errorf("%q: got %v", id, got)
		}
	}
}

func FuzzParseLineID(f *testing.F) {
	f.Add("r12-2026-11-21-1900")
	f.Add("coupon-5")
	f.Fuzz(func(t *testing.T, id string) {
		line, err := ParseLineID(id)
		if err == nil && LineID(line) != id {
			t.Errorf("%q is %v, %s", id, line, LineID(line))
		}
	})
}
