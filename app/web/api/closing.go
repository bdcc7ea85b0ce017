package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/closing"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
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
				"that is there stays. What takes long goes on after the answer: ask again for how far it is. A " +
				"repeat does what is left, and tries once more what has failed.",
			says: "The day as it is now.", refuses: []string{"past", "changed_meanwhile"}},
	}}
}

// closingDay is workday for somebody who may close it.
func (a *API) closingDay(c *fiber.Ctx) (day workday, err error) {
	if day, err = a.workday(c); err == nil {
		err = day.By.Check(day.Restaurant.ID, team.ChangeHours)
	}
	return day, err
}

// closingRequest is how a day is closed.
type closingRequest struct {
	Reason string `json:"reason" required:"false"` // for diners who look for the day
	// What becomes of the reservations.
	Reservations string `json:"reservations"`
	// Of those that may be cancelled; if somebody else comes, nothing changes (changed_meanwhile). Missing: whoever
	// comes.
	Named []string `json:"reservationIds" required:"false"`
	// In the letters of the cancellations; the reason if it is missing.
	Message string `json:"message" required:"false"`
}

// What becomes of the reservations of a day that is closed.
const (
	reservationsKeep   = "keep"
	reservationsCancel = "cancel"
)

// dayClosing is a day with everybody whom its closing touches.
type dayClosing struct {
	Date    booking.Date `json:"date"`
	Closed  bool         `json:"closed"` // in the set-up
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

func (a *API) findClosing(c *fiber.Ctx, day workday) (dayClosing, error) {
	found, err := a.Closings.Find(c.UserContext(), day.By, day.Restaurant, day.date)
	return newDayClosing(found), err
}

func (a *API) closeDay(c *fiber.Ctx, day workday, in closingRequest) (dayClosing, error) {
	if in.Reservations != reservationsKeep && in.Reservations != reservationsCancel {
		return dayClosing{}, invalid("reservations", "unknown")
	}
	err := a.Closings.Close(c.UserContext(), day.By, day.Restaurant, closing.Order{Date: day.date,
		Reason: in.Reason, Cancel: in.Reservations == reservationsCancel, Named: in.Named, Message: in.Message})
	if err != nil {
		return dayClosing{}, err
	}
	return a.findClosing(c, day)
}
