package api

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/closing"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
)

func (a *API) closingRoutes() group {
	return group{"closing", "A day that a restaurant closes, with everybody whom that touches.", []operation{
		{route: "GET /staff/restaurants/{restaurant}/days/{date}/closing", id: "findClosing",
			right: access.Staff(team.ChangeHours), run: answers(a.closingDay, a.findClosing),
			summary: "Whom the closing of a day touches, or has touched",
			text:    "The reservations of the date that have not begun, read from the database.",
			says:    "The day, with what became of its cancellations so far."},
		{route: "PUT /staff/restaurants/{restaurant}/days/{date}/closing", id: "closeDay",
			right: access.Staff(team.ChangeHours), run: takes(a.closingDay, a.closeDay),
			summary: "Close a day, and keep its reservations or cancel them all",
			text: "Its slots close at once: who waits in line is answered, and seats that come free are offered to " +
				"nobody. The date is added to the closed days of the set-up. With reservations = cancel each one " +
				"that has not begun is cancelled as staff cancel it, with everything refunded and a letter; a party " +
				"that is there stays. With reservations = message they stay, and each guest gets the message; with " +
				"offer it offers another time too, and a reservation moves when its guest takes it. What " +
				"takes long goes on after the answer: ask again for how far it is. A " +
				"repeat does what is left, and tries once more what has failed.",
			says: "The day as it is now.", refuses: []string{"past", "changed_meanwhile"}},
		{route: "GET /staff/restaurants/{restaurant}/slots/{date}/{time}/closing", id: "findSlotClosing",
			right: access.Staff(team.OpenCloseSlot), run: answers(a.closingSlot, a.findClosing),
			summary: "Whom the closing of a slot touches, or has touched", query: []parameter{lastClosed},
			text: "As findClosing, for a slot, or for those from it to another.",
			says: "The slots, with what became of their cancellations so far."},
		{route: "PUT /staff/restaurants/{restaurant}/slots/{date}/{time}/closing", id: "closeSlots",
			right: access.Staff(team.OpenCloseSlot), run: takes(a.closingSlot, a.closeDay),
			summary: "Close a slot, or more in a row, and keep their reservations or cancel them all",
			text: "As closeDay, for a slot, or for those from it to another. The day stays open, and is no closed day " +
				"of the set-up.", query: []parameter{lastClosed},
			says: "The slots as they are now.", refuses: []string{"past", "changed_meanwhile"}},
	}}
}

// lastClosed says which slots are closed.
var lastClosed = parameter{name: "last", is: text,
	says: "Time of the last slot that is closed; the slot of the path alone if it is missing."}

// workhours are what somebody may close of a date.
type workhours struct {
	workplaces.Workplace
	hours closing.Hours
}

func (a *API) closingDay(c *fiber.Ctx) (workhours, error) {
	day, err := a.workday(c)
	at := workhours{day.Workplace, closing.Hours{Date: day.date}}
	if err == nil {
		err = at.By.Check(at.Restaurant.ID, at.hours.Action())
	}
	return at, err
}

func (a *API) closingSlot(c *fiber.Ctx) (at workhours, err error) {
	slot, err := a.workslot(c)
	if err != nil {
		return at, err
	}
	at.Workplace = slot.Workplace
	if at.hours, err = closing.HoursOf(slot.slot.Date, slot.slot.Time, strings.Clone(c.Query("last"))); err != nil {
		return at, respond.NotFound
	}
	return at, at.By.Check(at.Restaurant.ID, at.hours.Action())
}

// closingRequest is how a day is closed.
type closingRequest struct {
	Reason string `json:"reason" required:"false"` // for diners who look for the day
	// What becomes of the reservations.
	Reservations string `json:"reservations"`
	// Of those that may be cancelled; if somebody else comes, nothing changes (changed_meanwhile). Missing: whoever
	// comes.
	Named []string `json:"reservationIds" required:"false"`
	// In the letters of the cancellations, the reason if it is missing; or to all who come, with reservations = message
	// or offer.
	Message string `json:"message" required:"false"`
	// With reservations = offer, the other time, which is none of those that are closed.
	Offer *timeOffer `json:"offer" required:"false"`
}

// What becomes of the reservations of a day that is closed.
const (
	reservationsKeep   = "keep"
	reservationsWrite  = "message"
	reservationsOffer  = "offer"
	reservationsCancel = "cancel"
)

// dayClosing is a day with everybody whom its closing touches.
type dayClosing struct {
	Date    booking.Date `json:"date"`
	Closed  bool         `json:"closed"` // in the set-up; of slots: all that have not begun
	Coming  int          `json:"coming"` // reservations that stand
	Money   int64        `json:"money"`  // won that would go back for them
	Done    int          `json:"done"`   // reservations that are cancelled
	Pending int          `json:"pending"`
	Failed  int          `json:"failed"`
	// The first 50: those that could not be cancelled, then those that stand by time, then the cancelled ones.
	Parties []closingParty `json:"parties"`
}

// closingParty is a reservation of the day.
type closingParty struct {
	closing.Party
	Progress *closing.Progress `json:"progress"` // of its cancellation; null: none was asked for
	Failure  *string           `json:"failure"`  // code of the refusal, of one that has failed
}

func newDayClosing(d closing.Day) dayClosing {
	return dayClosing{Date: d.Date, Closed: d.Closed, Coming: len(d.Coming()), Done: d.Count(closing.Done),
		Pending: d.Count(closing.Pending), Failed: d.Count(closing.Failed), Money: d.Money(),
		Parties: list(d.First(), func(p closing.Party) closingParty {
			return closingParty{p, orNull(p.Progress), orNull(p.Failure)}
		})}
}

func (a *API) findClosing(c *fiber.Ctx, day workhours) (dayClosing, error) {
	found, err := a.Closings.Find(c.UserContext(), day.By, day.Restaurant, day.hours)
	return newDayClosing(found), err
}

func (a *API) closeDay(c *fiber.Ctx, day workhours, in closingRequest) (dayClosing, error) {
	all := []string{reservationsKeep, reservationsWrite, reservationsOffer, reservationsCancel}
	if !slices.Contains(all, in.Reservations) {
		return dayClosing{}, invalid("reservations", "unknown")
	}
	offers := in.Reservations == reservationsOffer
	if offers != (in.Offer != nil) {
		return dayClosing{}, invalid("offer", "required")
	}
	offer, err := in.Offer.read()
	if err != nil {
		return dayClosing{}, err
	}
	err = a.Closings.Close(c.UserContext(), day.By, day.Restaurant, closing.Order{Hours: day.hours,
		Reason: in.Reason, Cancel: in.Reservations == reservationsCancel, Named: in.Named, Message: in.Message,
		Write: offers || in.Reservations == reservationsWrite, Offer: offer})
	if err != nil {
		return dayClosing{}, err
	}
	return a.findClosing(c, day)
}
