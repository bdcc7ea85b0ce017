package api

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// findTicket answers GET /api/tickets/{ticket}.
func (a *API) findTicket(c *fiber.Ctx) error {
	watch, err := a.watch(c)
	if err != nil {
		return err
	}
	defer watch.Close()
	return c.JSON(a.newTicket(c.UserContext(), watch, watch.Status()))
}

// watch finds the ticket that the path names, if it is the signed-in diner's.
func (a *API) watch(c *fiber.Ctx) (*waiting.Watch, error) {
	s, err := respond.Session(c)
	if err != nil {
		return nil, err
	}
	return a.Room.Watch(c.UserContext(), param(c, "ticket"), s.UserID)
}

// leaveLine answers DELETE /api/tickets/{ticket}.
func (a *API) leaveLine(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	if err := a.Room.Leave(c.UserContext(), param(c, "ticket"), s.UserID); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// mimeEvents is the media type of a stream.
const mimeEvents = "text/event-stream"

// streamTicket answers GET /api/tickets/{ticket}/events: "waiting" whenever the place changes, then one "done". One of
// the first carries the receipt.
func (a *API) streamTicket(c *fiber.Ctx) error {
	watch, err := a.watch(c)
	if err != nil {
		return err
	}
	return a.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		defer watch.Close()
		watch.RequestReceipt()
		given := false
		respond.PumpAtOnce(ctx, stream, watch.Await, func(status *waiting.Status) (last bool, err error) {
			if status.Reconnect {
				return true, stream.Reconnect()
			}
			now := a.newTicket(ctx, watch, *status)
			if !given {
				now.Receipt, given = status.Receipt, status.Receipt != nil
			}
			if last, err = sendTicket(stream, now); last {
				stream.Traces(watch.TraceAnswer(ctx))
			}
			return last, err
		})
	})
}

func sendTicket(stream *respond.Stream, now ticket) (last bool, err error) {
	data, err := json.Marshal(now)
	if err != nil {
		return true, err
	}
	event, last := "waiting", now.State != waiting.Waiting
	if last {
		event = "done"
	}
	version := strconv.FormatInt(time.Now().UnixMicro(), 10)
	return last, stream.Send(event, version, string(data))
}
