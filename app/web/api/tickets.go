package api

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/receipt"
	"lunchgo/app/waiting"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) lineRoutes() group {
	about := "Places in the lines of slots and campaigns, and receipts that prove their order."
	return group{"line", about, []operation{
		{route: "GET /tickets/{ticket}", id: "findTicket", right: access.Own, unshed: true,
			run:     answers(a.watch, a.findTicket),
			summary: "Where a ticket stands",
			says:    "The ticket."},
		{route: "DELETE /tickets/{ticket}", id: "leaveLine", right: access.Own, unshed: true,
			run:     does(respond.Session, a.leaveLine),
			summary: "Leave the line",
			text:    "Leaving twice, or after the turn, changes nothing.",
			says:    "Done.", refuses: []string{"being_served"}},
		{route: "GET /tickets/{ticket}/receipt", id: "findReceipt", right: access.Own, unshed: true,
			run:     answers(respond.Session, a.findReceipt),
			summary: "A receipt of the place in the line",
			text: "Signed, so that the server stands by what its log of the line says at this moment. Keep it as " +
				"a file: once the line has ended, `lunchgo verify FILE URL` and the page /verify prove with it " +
				"that the ticket was served in its order, or show where not. A later one commits the server to " +
				"more.",
			says: "The receipt.", refuses: []string{"no_receipt"}},
		{route: "GET /lines/{line}/log", id: "findLog", right: access.Anyone,
			path: []parameter{{name: "line", is: text, says: "As receipts name it, such as " +
				"r12-2026-11-21-1900 for a slot and coupon-5 for a campaign."}},
			run:     answers(anyone, a.findLog),
			summary: "The log of a line",
			text: "Who came, whose turn it was and who went, in order, without names: arrival numbers, and the " +
				"first 32 hexadecimal digits of the SHA-256 of each ticket. There are entries as far as all who " +
				"stand in them are answered. Logs are kept for 30 days.",
			query: []parameter{
				{name: "log", is: text, says: "As receipts name it; without it the log that was " +
					"published last."},
				{name: "from", is: number, says: "Index of the first entry.",
					bound: together(atLeast(0), otherwise(0))},
			},
			says: "Up to 1,000 entries of the log."},
		{route: "GET /tickets/{ticket}/events", id: "streamTicket", right: access.Own, limit: ofStreams,
			unshed: true, run: does(a.watch, a.streamTicket),
			summary: "Watch a ticket",
			gives:   ticket{}, media: []string{mimeEvents},
			says: "Server-sent events: `waiting` whenever the place changes, then one `done`, each with a Ticket " +
				"as data and a rising version as id. A comment at least every 15 seconds. A stream that ends " +
				"without `done` is to be opened again: the place is kept."},
	}}
}

func (a *API) findTicket(c *fiber.Ctx, watch *waiting.Watch) (ticket, error) {
	defer watch.Close()
	return a.newTicket(c.UserContext(), watch, watch.Status()), nil
}

// watch finds the ticket that the path names, if it is the signed-in diner's.
func (a *API) watch(c *fiber.Ctx) (*waiting.Watch, error) {
	s, err := respond.Session(c)
	if err != nil {
		return nil, err
	}
	return a.Room.Watch(c.UserContext(), param(c, "ticket"), s.UserID)
}

func (a *API) leaveLine(c *fiber.Ctx, s identity.Session) error {
	return a.Room.Leave(c.UserContext(), param(c, "ticket"), s.UserID)
}

func (a *API) findReceipt(c *fiber.Ctx, s identity.Session) (receipt.Receipt, error) {
	return a.Room.Receipt(c.UserContext(), param(c, "ticket"), s.UserID)
}

// findLog is for anybody: it names nobody.
func (a *API) findLog(c *fiber.Ctx, _ struct{}) (receipt.Log, error) {
	from, err := strconv.ParseUint(c.Query("from", "0"), 10, 31)
	if err != nil {
		return receipt.Log{}, invalid("from", "out_of_range")
	}
	logID := strings.Clone(c.Query("log"))
	if logID != "" && !receipt.IsLogID(logID) {
		return receipt.Log{}, receipt.ErrUnknownLog
	}
	return a.Room.PublishedLog(c.UserContext(), param(c, "line"), logID, int(from))
}

// mimeEvents is the media type of a stream.
const mimeEvents = "text/event-stream"

// The events of a ticket's stream.
const (
	eventWaiting = "waiting"
	eventDone    = "done"
)

// streamTicket sends eventWaiting whenever the place changes, then one eventDone. One of the first carries the receipt.
func (a *API) streamTicket(c *fiber.Ctx, watch *waiting.Watch) error {
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
	event, last := eventWaiting, now.State != waiting.Waiting
	if last {
		event = eventDone
	}
	version := strconv.FormatInt(time.Now().UnixMicro(), 10)
	return last, stream.Send(event, version, string(data))
}
