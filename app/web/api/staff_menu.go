package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// maxDocument is how much of a document is read, in bytes: a menu of 200 dishes with long texts in two languages.
const maxDocument = respond.MaxDocument

// sendDocument answers with a document of the set-up, and the version that a PUT over it has to name.
func sendDocument(c *fiber.Ctx, document any) error {
	tag, err := setup.Tag(document)
	if err != nil {
		return err
	}
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	return c.Send(text)
}

// writeOf is a write over the version that the request names in If-Match.
func writeOf(c *fiber.Ctx, restaurantID int64) setup.Write {
	return setup.Write{RestaurantID: restaurantID, Tag: c.Get(fiber.HeaderIfMatch)}
}

// findMenu answers GET /api/staff/restaurants/{restaurant}/menu.
func (a *API) findMenu(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeEvening)
	if err != nil {
		return err
	}
	menu, err := a.Contents.Menu(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	return sendDocument(c, menu)
}

// putMenu answers PUT /api/staff/restaurants/{restaurant}/menu.
func (a *API) putMenu(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ChangeMenu)
	if err != nil {
		return err
	}
	var menu setup.Menu
	if err := decodeUpTo(c, &menu, maxDocument); err != nil {
		return err
	}
	menu, err = a.Contents.PutMenu(c.UserContext(), w.By, writeOf(c, w.Restaurant.ID), menu)
	if err != nil {
		return err
	}
	return sendDocument(c, menu)
}
