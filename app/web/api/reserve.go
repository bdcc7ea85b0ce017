package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

type reserveRequest struct {
	RestaurantID int64       `json:"restaurantId"`
	Date         string      `json:"date"`
	Time         string      `json:"time"`
	PartySize    int         `json:"partySize"`
	Items        []orderLine `json:"items"`
	SeatIDs      []int64     `json:"seatIds"`
	CouponID     *int64      `json:"couponId"`
	Note         string      `json:"note"`
	Allergies    string      `json:"allergies"`
}

type orderLine struct {
	MenuItemID int64 `json:"menuItemId"`
	Quantity   int   `json:"quantity"`
}

// draft refuses what would be left out silently, and otherwise makes no judgement.
func (in reserveRequest) draft() (booking.Draft, error) {
	switch {
	case in.CouponID != nil && *in.CouponID == 0:
		return booking.Draft{}, booking.ErrCouponUnknown
	case in.RestaurantID == 0:
		return booking.Draft{}, invalid("restaurantId", "required")
	}
	d := booking.Draft{RestaurantID: in.RestaurantID, Date: in.Date, Time: in.Time, PartySize: in.PartySize,
		Note: in.Note, Allergies: in.Allergies, SeatIDs: in.SeatIDs}
	if in.CouponID != nil {
		d.CouponID = *in.CouponID
	}
	for _, line := range in.Items {
		d.Items = append(d.Items, booking.DraftItem(line))
	}
	return d, nil
}

// pressed is a press that got into the room, for rendering its answer.
type pressed struct {
	by         reserve.Submitter
	draft      booking.Draft
	restaurant booking.Restaurant
	watch      *waiting.Watch
	repeat     bool // the result was there before this press
}

// reserve answers POST /api/reservations.
func (a *API) reserve(c *fiber.Ctx) error {
	s, key, err := sessionAndKey(c)
	if err != nil {
		return err
	}
	var in reserveRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	p := pressed{by: reserve.Submitter{UserID: s.UserID, IdempotencyKey: key}}
	if p.draft, err = in.draft(); err != nil {
		return err
	}
	if p.watch, p.restaurant, err = a.Bookings.Submit(c.UserContext(), p.by, p.draft); err != nil {
		return err
	}
	defer p.watch.Close()
	return a.answerPress(c, p)
}

// answerPress waits as long as the program prefers and answers with what is known by then.
func (a *API) answerPress(c *fiber.Ctx, p pressed) error {
	prefer := readPreferences(c)
	prefer.apply(c)
	_, live := p.watch.Request()
	p.repeat = !live

	status := settled(c, p.watch, prefer)
	if status.State == waiting.Waiting {
		return answerWaiting(c, p.watch.Token(), status, prefer)
	}
	// The wait may have used up the time that a request has for itself.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), afterWait)
	defer cancel()
	if f, refused := respond.ProblemOfResult(status.Result); refused {
		return a.answerRefused(ctx, c, p, f, status.Result)
	}
	return a.answerReserved(ctx, c, p, status.Result.ReservationID)
}

// settled waits as long as the program prefers.
func settled(c *fiber.Ctx, watch *waiting.Watch, prefer preferences) waiting.Status {
	patience, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), prefer.Wait)
	defer cancel()
	return watch.WaitForResult(patience)
}

// afterWait bounds what is left to do once the result of a press is known.
const afterWait = 5 * time.Second

func (a *API) answerReserved(ctx context.Context, c *fiber.Ctx, p pressed, id string) error {
	r, err := a.Bookings.Find(ctx, p.by.UserID, id)
	if err != nil {
		return err
	}
	if r.IdempotencyKey == p.by.IdempotencyKey && !reserve.Matches(r, p.draft) {
		return booking.ErrKeyReused
	}
	if p.repeat {
		c.Set("Idempotent-Replayed", "true")
	}
	speak(c)
	c.Location("/api/reservations/" + r.ID)
	return c.Status(fiber.StatusCreated).JSON(newReservation(language(c), r))
}

// answerRefused says why not and, where another slot would help, which.
func (a *API) answerRefused(ctx context.Context, c *fiber.Ctx, p pressed, f respond.Problem, result waiting.Result) error {
	answer := newProblem(c, f)
	if answer.refusal == nil {
		answer.refusal = &refusal{}
	}
	answer.ReservationID = result.ReservationID
	if f.Code == waiting.CodeSoldOut || f.Code == waiting.CodeClosed || f.Code == waiting.CodeSeatTaken {
		slot := booking.SlotKey{RestaurantID: p.restaurant.ID, Date: booking.Date(p.draft.Date), Time: booking.TimeOfDay(p.draft.Time)}
		near, err := a.nearby.List(ctx, p.restaurant, slot, reserve.VisitOf(ctx, a.Bookings, p.draft, slot))
		if err == nil { // a refusal without alternatives beats none
			answer.Alternatives = newSlots(near)
		}
	}
	return answer.write(c)
}

// answerWaiting says where the diner stands: 202 for those who rather ask later, else 429.
func answerWaiting(c *fiber.Ctx, ticket string, status waiting.Status, prefer preferences) error {
	c.Location("/api/tickets/" + ticket)
	if prefer.Async {
		return c.Status(fiber.StatusAccepted).JSON(newTicket(ticket, status))
	}
	answer := newProblem(c, respond.Problem{Status: fiber.StatusTooManyRequests, Code: codeWaiting, RetryAfter: pollAfter(status)})
	answer.waitingTicket = &waitingTicket{Ticket: ticket, place: newPlace(status)}
	return answer.write(c)
}
