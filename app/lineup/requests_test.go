package lineup

import (
	"encoding/json"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
)

// While instances are updated one by one, each reads what another version has asked for.
func TestBookingOf_ReadsWhatOtherVersionsWrite(t *testing.T) {
	t.Parallel()
	for _, payload := range []string{`{"PartySize":2}`, `{"PartySize":2,"hologram":{"of":["the","chef"]}}`} {
		if req, err := BookingOf(waiting.Request{Payload: json.RawMessage(payload)}); err != nil || req.PartySize != 2 {
			t.Errorf("%s: %+v, %v", payload, req, err)
		}
	}
}

// What is kept of a settled ticket says what it was for, and knows a repeat; its texts are gone.
func TestOutline_KeepsWhatKnowsARepeat(t *testing.T) {
	t.Parallel()
	slot := booking.SlotKey{RestaurantID: 7, Date: "2030-01-04", Time: "12:00"}
	asked := booking.Request{Slot: slot, PartySize: 2, Note: "a window seat", UserID: "ann", IdempotencyKey: "k",
		Change: &booking.Change{ReservationID: "r1", PaymentID: "p1"}}
	req, err := RequestFor(asked)
	if err != nil {
		t.Fatal(err)
	}
	handler := Handler{Slots: Slots{}, Campaigns: Campaigns{}}
	kept := handler.Outline(req)
	kept.Written = nil
	got, err := BookingOf(kept)
	if err != nil || got.Slot != slot || got.PartySize != 2 || got.Note != "" || got.Change.ReservationID != "r1" ||
		got.Change.PaymentID != "p1" || FingerprintOf(kept) != asked.Fingerprint() {
		t.Errorf("%+v, %v", got, err)
	}
	if again := handler.Outline(kept); string(again.Payload) != string(kept.Payload) ||
		again.Fingerprint != kept.Fingerprint {
		t.Errorf("an outline of an outline is %+v", again)
	}
	claim := waiting.Request{Line: OfCampaign(5), Payload: json.RawMessage(`{}`)}
	if kept := handler.Outline(claim); string(kept.Payload) != "{}" || kept.Fingerprint != "" {
		t.Errorf("a claim is %+v", kept)
	}
}
