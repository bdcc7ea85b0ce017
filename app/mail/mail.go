// Package mail writes to diners: that their turn has come while they were looking elsewhere, that a reservation is
// confirmed, cancelled, refunded, or tomorrow; and sends them links that prove an address. Owners get letters about
// what their restaurants need. The database notes what is to be written in the transaction that changes the
// reservation; a Post takes the notes, and sends a letter for each.
package mail

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
)

// Kind is what a letter is about.
type Kind string

// The kinds of letters.
const (
	Turn      Kind = "turn"   // the seats are held: pay in time
	Unseen    Kind = "unseen" // the hold ended early, because its diner has not seen it
	Offer     Kind = "offer"  // seats have come free for a party of the waitlist
	Confirmed Kind = "confirmed"
	Changed   Kind = "changed" // another time, party or menu, or other seats
	Cancelled Kind = "cancelled"
	Refunded  Kind = "refunded"
	Reminder  Kind = "reminder"   // the evening before
	GivenBack Kind = "given_back" // money, by the restaurant
	Message   Kind = "message"    // of the restaurant, in its own words
	Door      Kind = "door"       // the table of a party at the door is ready

	PaymentLink Kind = "payment_link" // staff booked by phone, and ask for the deposit
	Unpaid      Kind = "unpaid"       // nobody paid it in time

	PaymentRefused Kind = "payment_refused" // a card's bank would not pay in the end, so the reservation is cancelled
	ChangeRefused  Kind = "change_refused"  // it would not pay for a change, which is taken back

	CardRefundRefused Kind = "card_refund_refused" // it does not take a refund, which is in the wallet

	// Those that bring a link, and are about an account. They say nothing that anybody typed.
	Confirm           Kind = "confirm" // the address of a new account
	AlreadyRegistered Kind = "known"   // somebody signed up with an address that has an account
	SignIn            Kind = "signin"
	Change            Kind = "change" // to the address that an account is to have
	AddressChanged    Kind = "object" // to the address that it had until then
	PasskeyAdded      Kind = "passkey_added"
	PasskeyRemoved    Kind = "passkey_removed"

	Invite Kind = "invitation" // to a restaurant's team

	Refused     Kind = "refused" // an operator does not publish a draft as it is
	Published   Kind = "published"
	Unpublished Kind = "unpublished"

	WebhookDisabled Kind = "webhook" // a program of the restaurant's is not sent to any more
)

// Note is a letter to be written, with all that stands in it. The reservation is as it is now.
type Note struct {
	ID           int64
	Kind         Kind
	Moved        bool // the reservation has another time than when this was noted, of a reminder
	Changed      bool // the reservation was changed since this was noted
	ByRestaurant bool // staff made the change
	CreatedAt    time.Time
	Attempts     int    // this one among them
	Email        string // that it goes to
	Name         string
	Language     string
	Reservation  booking.Reservation // but for a letter with a link
	EntryID      string              // of the waitlist, for an Offer
	Message      string              // of a Message, as the restaurant wrote it
	Offered      booking.OfferedTime // of a Message that offers another time
	Given        Given               // of a GivenBack or CardRefundRefused
	OfferToken   string              // of its link; whoever composes the letter signs it
	PaymentToken string              // of its link, for a PaymentLink; whoever composes the letter signs it
	ComingToken  string              // of the link of a Reminder; whoever composes the letter seals it
	Door         DoorCall            // of a Door
	Link         Link                // of a letter about an account
	Invitation   Invitation          // of an Invite
	Decision     Decision            // of a Refused, Published or Unpublished
	Webhook      Webhook             // of a WebhookDisabled
}

// Invitation is what an Invite brings.
type Invitation struct {
	ID         string       // empty in all other letters
	Token      string       // whoever composes the letter signs the id
	Restaurant booking.Text // empty of a draft: an operator has read the names of those that are published
	Role       identity.Role
	Expires    time.Time
	Ended      bool
}

// Given is what comes back of a payment.
type Given struct {
	Amount int64  // won
	Reason string // of the restaurant, if it gives it
}

// Decision is what an operator decided about a restaurant.
type Decision struct {
	RestaurantID int64 // 0 in all other letters
	Restaurant   booking.Text
	Slug         string
	Reason       string // empty of a Published
	Stands       bool   // nobody decided anew, and no owner has asked again, since
}

// Webhook is what a WebhookDisabled is about.
type Webhook struct {
	ID           string // empty in all other letters
	RestaurantID int64
	Restaurant   booking.Text
	URL          string // without what may be secret in it
	Gone         bool   // it answered that it wants no more; else nothing was delivered for days
	Ended        bool   // an owner has resumed it since
}

// DoorCall is the party at the door that is called.
type DoorCall struct {
	PartyID      string // empty in all other letters
	Token        string // of its link; whoever composes the letter seals the id
	RestaurantID int64
	Number       int
	Stands       bool // it was not seated, called anew or taken off the queue since
}

// CallTime is how long after a call it is still sent.
const CallTime = 30 * time.Minute

// Link is what a letter about an account brings.
type Link struct {
	ID      string // empty in all other letters
	Token   string // whoever composes the letter signs the id
	Expires time.Time
	Used    bool
}

// ErrOutdated says that a letter is not to be sent any more: it would say what is no longer so.
var ErrOutdated = errors.New("mail: outdated")

// Store keeps the notes. Several instances may take from it at once.
type Store interface {
	// TakeMails takes up to limit notes that are due. Whoever takes one has until its next attempt is due to send it, a
	// time that doubles with every attempt; after MaxAttempts it is given up.
	TakeMails(ctx context.Context, limit int) ([]Note, error)
	// MarkMail notes that a letter was sent, or why not; ErrOutdated gives it up.
	MarkMail(ctx context.Context, id int64, failure error) error
	// AddReminders notes reminders of visits whose day begins within beforeDay, at the restaurant, or has begun, and
	// that were reserved before that.
	AddReminders(ctx context.Context, beforeDay time.Duration) error
	// ListMails returns a page of a person's letters, sent or not, the newest first.
	ListMails(ctx context.Context, userID string, page keyset.Request) (keyset.Page[Note], error)
}

// IsOutdated says whether a letter would say what is no longer so.
func (n Note) IsOutdated(now time.Time) bool {
	if n.Link.ID != "" {
		return n.Link.Used || !now.Before(n.Link.Expires)
	}
	if n.Invitation.ID != "" {
		return n.Invitation.Ended || !now.Before(n.Invitation.Expires)
	}
	if n.Door.PartyID != "" {
		return !n.Door.Stands || now.Sub(n.CreatedAt) > CallTime
	}
	if now.Sub(n.CreatedAt) > lateness {
		return true
	}
	if n.Decision.RestaurantID != 0 {
		return !n.Decision.Stands
	}
	if n.Webhook.ID != "" {
		return n.Webhook.Ended
	}
	switch r := n.Reservation; n.Kind {
	case Turn, Offer, PaymentLink:
		return r.State != booking.Temporary || !now.Before(r.HoldExpiresAt)
	case Unseen, Unpaid:
		return r.State != booking.Expired
	case Confirmed, Changed, Reminder:
		return n.Moved || r.State != booking.Confirmed && r.State != booking.PrepaidConfirmed
	}
	return false
}

// lateness is how long after it was noted a letter is still sent.
const lateness = 72 * time.Hour

// MaxAttempts is how often a letter is tried: over about a day and a half.
const MaxAttempts = 12
