package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views/i18n"
)

// afterWait bounds what is left to do once a ticket's result is known. The wait may have used up the request's own
// time.
const afterWait = 5 * time.Second

// answer waits for a ticket as long as the program prefers, and answers with what is known by then: its place in
// the line, why it was refused, or what came true, which made renders.
func (a *API) answer(c *fiber.Ctx, watch *waiting.Watch, made func(context.Context, waiting.Result) error) error {
	prefer := readPreferences(c)
	prefer.apply(c)
	_, live := watch.Request()
	status := respond.Settle(c, watch, prefer.Wait)
	if status.State == waiting.Waiting {
		return a.answerWaiting(c, watch, status, prefer)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), afterWait)
	defer cancel()
	if prefer.Async && prefer.Wait == 0 && live && status.State == waiting.Reserved {
		return a.answerAccepted(c, watch, status)
	}
	if why, refused := respond.ProblemOfResult(status.Result); refused {
		return a.answerRefused(ctx, c, watch, why)
	}
	err := made(ctx, status.Result)
	if err == nil && !live {
		c.Set("Idempotent-Replayed", "true")
	}
	return err
}

// answerAccepted answers those who prefer not to wait with the ticket: its place, or what came true at once.
func (a *API) answerAccepted(c *fiber.Ctx, watch *waiting.Watch, status waiting.Status) error {
	c.Location("/api/tickets/" + watch.Token())
	return c.Status(fiber.StatusAccepted).JSON(a.newTicket(c.UserContext(), watch, status))
}

// answerWaiting answers with the place in the line: 202 to those who prefer to ask later, else 429.
func (a *API) answerWaiting(c *fiber.Ctx, watch *waiting.Watch, status waiting.Status, prefer preferences) error {
	if prefer.Async {
		return a.answerAccepted(c, watch, status)
	}
	c.Location("/api/tickets/" + watch.Token())
	what := respond.NewProblem(respond.Waiting)
	what.RetryAfter = pollAfter(status)
	answer := newProblem(c, what)
	answer.waitingTicket = &waitingTicket{Ticket: watch.Token(), place: newPlace(status)}
	answer.OpensAt = answer.waitingTicket.OpensAt
	return answer.write(c)
}

// answerRefused says why not and, where another slot would help, which.
func (a *API) answerRefused(ctx context.Context, c *fiber.Ctx, watch *waiting.Watch, why respond.Problem) error {
	answer := newProblem(c, why)
	answer.details = a.detailsOf(ctx, watch, why)
	if why.Code == booking.ErrSoldOut.Code && isClaim(watch) {
		answer.Detail = i18n.T(language(c), "error.coupons_gone")
	}
	return answer.write(c)
}
