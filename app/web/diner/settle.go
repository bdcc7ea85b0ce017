package diner

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// turnPatience is how long a form waits for its turn before the diner is shown the line: most of the time there is
// none.
const turnPatience = 700 * time.Millisecond

// settle sends the diner on: to the line, or to where made leads if the request came true, or to what refused
// shows if not.
func (s *Pages) settle(c *fiber.Ctx, watch *waiting.Watch, made func(waiting.Result) error,
	refused func(why respond.Problem) error) error {
	status := respond.Settle(c, watch, s.FormPatience())
	switch status.State {
	case waiting.Waiting:
		respond.RememberTickets(c, watch.Token())
		return respond.Redirect(c, views.TicketFromURL(watch.Token(), status.Position))
	case waiting.Left:
		return respond.Redirect(c, views.TicketURL(watch.Token()))
	}
	if why, no := respond.ProblemOfResult(status.Result); no {
		return refused(why)
	}
	return made(status.Result)
}
