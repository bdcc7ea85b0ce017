package booking

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
)

// fingerprintBytes is how much of a hash tells requests of one person apart.
const fingerprintBytes = 16

// choices are what a diner chooses. Prices and terms may change between two submissions of the same request.
type choices struct {
	Slot      SlotKey
	PartySize int
	Items     map[int64]int
	Note      string
	Allergies string
	CouponID  int64
	SeatIDs   []int64
	ChangeOf  string
	Quoted    int64

	Guest      string    `json:",omitempty"` // whose name, number and way to book staff typed
	GuestPhone string    `json:",omitempty"`
	Source     Source    `json:",omitempty"`
	ByStaff    bool      `json:",omitempty"`
	Offered    bool      `json:",omitempty"`
	EndTime    TimeOfDay `json:",omitempty"`
	PayWithin  PayWithin `json:",omitempty"`
	Email      string    `json:",omitempty"`
	Override   *Override `json:",omitempty"`
}

func (c choices) fingerprint() string {
	if c.SeatIDs = slices.Sorted(slices.Values(c.SeatIDs)); len(c.SeatIDs) == 0 {
		c.SeatIDs = nil
	}
	text, _ := json.Marshal(c) // of texts and numbers: it cannot fail
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:fingerprintBytes])
}

// Fingerprint returns a short text that is the same for the same choices of a diner, and for no others.
func (r Request) Fingerprint() string {
	c := choices{Slot: r.Slot, PartySize: r.PartySize, Items: map[int64]int{}, Note: r.Note, Allergies: r.Allergies,
		CouponID: r.CouponID, SeatIDs: r.SeatIDs, EndTime: r.EndTime, Override: r.Override}
	for _, it := range r.Items {
		c.Items[it.MenuItemID] += it.Quantity
	}
	if r.Change != nil {
		c.ChangeOf, c.Quoted, c.ByStaff = r.Change.ReservationID, r.Change.Quoted, r.Change.ByStaff
		c.Offered = r.Change.Offered
	}
	if r.Guest != nil {
		c.Guest, c.GuestPhone, c.Source = r.Guest.Name, r.Guest.Phone, r.Guest.Source
		c.PayWithin, c.Email = r.Guest.PayWithin, r.Guest.Email
	}
	return c.fingerprint()
}

// Fingerprint is that of the request which the draft becomes when it is checked.
func (d Draft) Fingerprint() string { return d.choices().fingerprint() }

func (d Draft) choices() choices {
	c := choices{Slot: SlotKey{RestaurantID: d.RestaurantID, Date: Date(d.Date), Time: TimeOfDay(d.Time)},
		PartySize: d.PartySize, Items: map[int64]int{}, Note: d.Note, Allergies: d.Allergies, CouponID: d.CouponID,
		SeatIDs: d.SeatIDs}
	for _, it := range d.Items {
		c.Items[it.MenuItemID] += it.Quantity
	}
	return c
}
