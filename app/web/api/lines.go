package api

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/receipt"
	"lunchgo/app/web/respond"
)

// findReceipt answers GET /api/tickets/{ticket}/receipt: what the server signs of the ticket's line now.
func (a *API) findReceipt(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	r, err := a.Room.Receipt(c.UserContext(), param(c, "ticket"), s.UserID)
	if err != nil {
		return err
	}
	return c.JSON(r)
}

// findLog answers GET /api/lines/{line}/log, to anybody: it names nobody.
func (a *API) findLog(c *fiber.Ctx) error {
	from, err := strconv.ParseUint(c.Query("from", "0"), 10, 31)
	if err != nil {
		return invalid("from", "out_of_range")
	}
	logID := strings.Clone(c.Query("log"))
	if logID != "" && !receipt.IsLogID(logID) {
		return receipt.ErrUnknownLog
	}
	l, err := a.Room.PublishedLog(c.UserContext(), param(c, "line"), logID, int(from))
	if err != nil {
		return err
	}
	return c.JSON(l)
}
