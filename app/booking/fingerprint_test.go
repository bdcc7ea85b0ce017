package booking

import (
	"encoding/json"
	"testing"
)

// A draft and the request that it becomes have the same fingerprint, whatever the order and however often dishes are
// named; every other choice has another one.
func TestFingerprint_TellsChoicesApart(t *testing.T) {
	t.Parallel()
	draft := func(edit func(*Draft)) Draft {
		d := Draft{RestaurantID: 7, Date: "2026-12-24", Time: "19:00", PartySize: 2, Note: "창가", Allergies: "땅콩",
			CouponID: 3, SeatIDs: []int64{9, 8}, Items: []DraftItem{{2, 1}, {1, 2}, {2, 2}}}
		if edit != nil {
			edit(&d)
		}
		return d
	}
	request := Request{UserID: "ann", IdempotencyKey: "k", Slot: SlotKey{7, "2026-12-24", "19:00"}, PartySize: 2,
		Note: "창가", Allergies: "땅콩", CouponID: 3, SeatIDs: []int64{8, 9}, DepositAmount: 5,
		Items: []Item{{MenuItemID: 1, Quantity: 2, UnitPrice: 3}, {MenuItemID: 2, Quantity: 3}}}
	same := draft(nil).Fingerprint()
	if request.Fingerprint() != same {
		t.Error("the request differs from its draft")
	}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var again Request
	if err := json.Unmarshal(text, &again); err != nil || again.Fingerprint() != same {
		t.Errorf("read again it differs: %v", err)
	}
	seen := map[string]bool{same: true}
	for name, edit := range map[string]func(*Draft){
		"restaurant": func(d *Draft) { d.RestaurantID = 8 }, "date": func(d *Draft) { d.Date = "2026-12-25" },
		"time": func(d *Draft) { d.Time = "19:30" }, "party": func(d *Draft) { d.PartySize = 3 },
		"note": func(d *Draft) { d.Note = "" }, "allergies": func(d *Draft) { d.Allergies = "" },
		"texts": func(d *Draft) { d.Note, d.Allergies = "창가땅콩", "" }, "coupon": func(d *Draft) { d.CouponID = 0 },
		"seats": func(d *Draft) { d.SeatIDs = []int64{9} }, "dishes": func(d *Draft) { d.Items = d.Items[:2] },
	} {
		if print := draft(edit).Fingerprint(); seen[print] {
			t.Errorf("%s makes no difference", name)
		} else {
			seen[print] = true
		}
	}
	request.Change = &Change{ReservationID: "r"}
	if request.Fingerprint() == same {
		t.Error("a change is like a new reservation")
	}
}
