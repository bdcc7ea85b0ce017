package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/setup"
	"lunchgo/app/team"
)

// findRoom answers GET /api/staff/restaurants/{restaurant}/seats.
func (a *API) findRoom(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeSettings)
	if err != nil {
		return err
	}
	room, err := a.Contents.Room(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	return sendDocument(c, room)
}

// putRoom answers PUT /api/staff/restaurants/{restaurant}/seats.
func (a *API) putRoom(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ChangeSettings)
	if err != nil {
		return err
	}
	var room setup.Room
	if err := decodeUpTo(c, &room, maxDocument); err != nil {
		return err
	}
	room, err = a.Contents.PutRoom(c.UserContext(), w.By, writeOf(c, w.Restaurant.ID), room)
	if err != nil {
		return err
	}
	return sendDocument(c, room)
}
