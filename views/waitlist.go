package views

import (
	"net/url"
	"time"

	"lunchgo/app/booking"
	"lunchgo/views/i18n"
)

// JoinWaitlistURL is the page on which a party joins the waitlist of a slot. The query is date=, time=, party=.
// GET: pages.JoinWaitlist.
func JoinWaitlistURL(slug string, at time.Time, party string) string {
	return withQuery(AddToWaitlistURL(slug), FieldDate, DateValue(at), FieldTime, ClockValue(at), FieldParty, party)
}

// AddToWaitlistURL joins a waitlist. POST: fields Date, Time, Party, IdempotencyKey; 303 to the entry; 409 and 422
// render pages.JoinWaitlist again.
func AddToWaitlistURL(slug string) string { return RestaurantURL(slug) + "/waitlist" }

// WaitlistURL is a place on a waitlist. GET: pages.Waitlist.
func WaitlistURL(id string) string { return "/waitlist/" + url.PathEscape(id) }

// WaitlistEventsURL streams a place on a waitlist: event "waitlist" carries pages.WaitlistStatus, event "done" says
// that the page has something else to show.
func WaitlistEventsURL(id string) string { return WaitlistURL(id) + "/events" }

// LeaveWaitlistURL leaves a waitlist. POST: 303 to the entry.
func LeaveWaitlistURL(id string) string { return WaitlistURL(id) + "/leave" }

// OfferURL is an offer of the waitlist, for whoever has its link. GET: pages.Offer, which changes nothing.
func OfferURL(token string) string { return "/offers/" + url.PathEscape(token) }

// AcceptOfferURL takes an offer. POST: 303 to the payment; 409 renders pages.Offer.
func AcceptOfferURL(token string) string { return OfferURL(token) + "/accept" }

// DeclineOfferURL gives an offer's seats to the next. POST: 303 to the offer; 409 renders pages.Offer.
func DeclineOfferURL(token string) string { return OfferURL(token) + "/decline" }

// JoinWaitlist is the page on which a party joins a waitlist. Component: pages.JoinWaitlist(views.JoinWaitlist).
type JoinWaitlist struct {
	Layout
	Visit
	PartyTyped     string
	Listed         int // parties that wait already
	IdempotencyKey string
	Available      bool // there are seats: the party can book at once
	HasReservation bool // the diner has seats in the slot
	Closed         bool
	Errors         FieldErrors
}

// Waitlist is the page of a place on a waitlist. Component: pages.Waitlist(views.Waitlist).
type Waitlist struct {
	Layout
	ID string
	Visit
	Status  WaitlistStatus
	Push    Push
	Refresh int // seconds after which a browser without JavaScript asks again, while the party waits
}

// WaitlistStatus is the live part of the page; the stream sends it as event "waitlist".
// Component: pages.WaitlistStatus(views.WaitlistStatus).
type WaitlistStatus struct {
	Lang          string
	State         booking.EntryState
	Ahead         int // parties that wait before it
	SeatsAhead    int // that those wait for
	Passes        int // parties that have overtaken it since seats were kept for it
	MaxPasses     int
	Phase         string // what becomes of seats that come free: key of the catalogue
	MaxKeeps      int
	KeptUntil     time.Time // of the phase "runs"
	Deadline      time.Time // of the offer
	Offer         string    // token of its link, while it is open
	ReservationID string    // the temporary reservation behind the offer
}

// Announcement is the sentence a screen reader hears.
func (w WaitlistStatus) Announcement() string {
	return i18n.T(w.Lang, "waitlist.announce", "N", w.Ahead)
}

// Offer is the page of an offer's link. Component: pages.Offer(views.Offer).
type Offer struct {
	Layout
	Token string
	Visit
	State         booking.EntryState
	IsOpen        bool // the party can accept or decline it
	Paid          bool
	Deadline      time.Time
	Now           time.Time
	ReservationID string
}

// WaitlistRow is a place on a waitlist in a diner's list.
type WaitlistRow struct {
	ID string
	Visit
	State         booking.EntryState
	Ahead         int
	Offer         string // token of its link, while it is open
	ReservationID string // the temporary reservation behind the offer, in whose place the list shows the offer
	Deadline      time.Time
}

// StaffWaiting is a party on the waitlist as staff see it.
type StaffWaiting struct {
	ID        string
	Name      string
	PhoneTail string
	Party     int
	State     booking.EntryState
	Passes    int
	MaxPasses int
	Deadline  time.Time
}
