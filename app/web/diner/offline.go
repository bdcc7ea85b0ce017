package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// offline answers GET /offline, of which the service worker keeps a copy.
func (s *Pages) offline(c *fiber.Ctx) error {
	return respond.Render(c, fiber.StatusOK, pages.Offline(s.layout(c)))
}

// passesKept is of how many coming reservations the list has the browser keep copies.
const passesKept = 5

// keep has the browser keep copies of pages of the signed-in diner.
func (s *Pages) keep(c *fiber.Ctx, paths ...string) views.Keep {
	session, err := respond.Session(c)
	if err != nil {
		return views.Keep{}
	}
	return views.Keep{Session: session.ID, Pages: append(paths, views.OfflineURL()), At: s.now().In(s.Zone)}
}

// keepComing keeps the list with the next of its reservations.
func (s *Pages) keepComing(c *fiber.Ctx, rows []views.ReservationRow) views.Keep {
	paths := []string{views.ReservationsURL()}
	for _, row := range rows[:min(passesKept, len(rows))] {
		paths = append(paths, views.ReservationURL(row.ID))
	}
	return s.keep(c, paths...)
}
