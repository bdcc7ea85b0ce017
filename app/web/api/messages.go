package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/messages"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	workplaces "lunchgo/app/web/workplace"
)

func (a *API) messagesRoutes() group {
	return group{"messages", "What staff write to guests.", []operation{
		{route: "POST /staff/restaurants/{restaurant}/messages", id: "sendMessage",
			right: access.Staff(team.MoveGuest), key: needsKey, run: takes(withKey(a.staff), a.sendMessage),
			summary: "Write to a guest, or to all guests of a slot or a day",
			text: "Each guest who has an address gets a letter in their own language with the text as it is, and a " +
				"push where they take them; none of them learns of another. The others are listed, to be called. Of " +
				"a slot or a day those are written to who come or are there. Nobody is written to about a visit that " +
				"is over for longer than a day. With an offer each letter leads to the times of another day, of which " +
				"the guest takes one, or none: see takeOfferedTime.",
			status: 201, says: "Whom it reaches. A repeat with the same key sends nothing more.",
			refuses: []string{"nobody_to_write_to", "past", "too_many_letters"}},
		{route: "GET /staff/restaurants/{restaurant}/messages/{message}", id: "findMessage",
			right: access.Staff(team.MoveGuest), run: answers(a.staff, a.findMessage),
			summary: "A message to guests",
			text:    "Names and numbers are those of now.",
			says:    "The message, and whom it has reached."},
	}}
}

// messageRequest is what staff write, and to whom.
type messageRequest struct {
	Text          string  `json:"text"`                           // as guests read it; it may have several lines
	ReservationID *string `json:"reservationId" required:"false"` // of the one guest
	Date          *string `json:"date" required:"false"`          // of all guests, where no reservation is named
	Time          *string `json:"time" required:"false"`          // of all guests of a slot; else of the whole date

	Offer *timeOffer `json:"offer" required:"false"` // another time that each guest may have instead
}

// timeOffer is another time that a restaurant offers to guests.
type timeOffer struct {
	Date string  `json:"date"`                  // of which guests may choose any time that is open to them
	Time *string `json:"time" required:"false"` // that is proposed; missing: the time that each has
	// Guests may cancel instead, and get back all that was paid.
	Refund bool `json:"refund" required:"false"`
}

// read returns respond.Invalid for what is no time.
func (o *timeOffer) read() (offer booking.OfferedTime, err error) {
	if o == nil {
		return offer, nil
	}
	offer.Refund = o.Refund
	if offer.Date, err = booking.ParseDate(o.Date); err != nil {
		return offer, invalid("offer.date", "invalid_date")
	}
	if o.Time != nil {
		if offer.Time, err = booking.ParseTimeOfDay(*o.Time); err != nil {
			return offer, invalid("offer.time", "invalid_time")
		}
	}
	return offer, nil
}

// offeredTime is another time that was offered.
type offeredTime struct {
	Date booking.Date       `json:"date"`
	Time *booking.TimeOfDay `json:"time"` // that is proposed; null: the time that each guest has
	// Guests may cancel instead, and get back all that was paid.
	Refund bool `json:"refund"`
}

func newOfferedTime(o booking.OfferedTime) *offeredTime {
	if o.IsNone() {
		return nil
	}
	return &offeredTime{o.Date, orNull(o.Time), o.Refund}
}

// audience returns for whom the message is. Returns respond.Invalid.
func (r messageRequest) audience() (to messages.Audience, err error) {
	if r.ReservationID != nil {
		to.ReservationID = *r.ReservationID
		return to, nil
	}
	if r.Date == nil {
		return to, invalid("date", "required")
	}
	if to.Date, err = booking.ParseDate(*r.Date); err != nil {
		return to, invalid("date", "invalid_date")
	}
	if r.Time != nil {
		if to.Time, err = booking.ParseTimeOfDay(*r.Time); err != nil {
			return to, invalid("time", "invalid_time")
		}
	}
	return to, nil
}

// guestMessage is a message to guests.
type guestMessage struct {
	ID            string               `json:"id"`
	Text          string               `json:"text"`
	ReservationID *string              `json:"reservationId"` // of the one guest; null: it is for all
	Date          booking.Date         `json:"date"`
	Time          *booking.TimeOfDay   `json:"time"`       // null: it is for the whole date
	SentBy        *string              `json:"sentBy"`     // name; null of a deleted account
	SentAt        time.Time            `json:"sentAt"`     // in UTC
	Reached       int                  `json:"reached"`    // guests to whom a letter goes
	Recipients    []messages.Recipient `json:"recipients"` // by time
	Offer         *offeredTime         `json:"offer"`      // null: no other time is offered
}

func newGuestMessage(m messages.Message) guestMessage {
	out := guestMessage{ID: m.ID, Text: m.Text, ReservationID: orNull(m.ReservationID), Date: m.Date,
		Time: orNull(m.Time), SentBy: orNull(m.By), SentAt: m.CreatedAt.UTC(), Recipients: orEmpty(m.Recipients),
		Offer: newOfferedTime(m.Offer)}
	for _, r := range m.Recipients {
		if r.Reached {
			out.Reached++
		}
	}
	return out
}

func (a *API) sendMessage(c *fiber.Ctx, sent keyed[workplaces.Workplace], in messageRequest) (guestMessage, error) {
	to, err := in.audience()
	if err != nil {
		return guestMessage{}, err
	}
	offer, err := in.Offer.read()
	if err != nil {
		return guestMessage{}, err
	}
	m, err := a.Messages.Send(c.UserContext(), sent.by.By, sent.by.Restaurant,
		messages.Message{Audience: to, Key: sent.key, Text: in.Text, Offer: offer})
	return newGuestMessage(m), err
}

func (a *API) findMessage(c *fiber.Ctx, w workplaces.Workplace) (guestMessage, error) {
	m, err := a.Messages.Find(c.UserContext(), w.By, w.Restaurant.ID, param(c, "message"))
	return newGuestMessage(m), err
}
