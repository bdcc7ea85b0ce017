package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// widget answers GET /widget/:slug: the times of a day, for a frame on another site.
func (s *Pages) widget(c *fiber.Ctx, e evening) error {
	lang := respond.Lang(c)
	day, err := s.day(c.UserContext(), lang, e)
	if err != nil {
		return err
	}
	shown := views.Restaurant{Layout: views.Layout{Lang: lang}, Of: &e.restaurant, Day: day}
	shown.Month.Today = respond.Midnight(booking.DateOf(s.now(), e.restaurant.Location), e.restaurant.Location)
	return respond.Render(c, fiber.StatusOK, pages.Widget(views.Widget{Restaurant: shown}))
}
