package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/rehearsal"
	"lunchgo/app/team"
)

type startedRehearsal struct {
	ID string `json:"id"`
}

// runRehearsal answers POST /api/staff/restaurants/{id}/rehearsals. Without a body all is usual.
func (a *API) runRehearsal(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.RunRehearsal)
	if err != nil {
		return err
	}
	var asked rehearsal.Asked
	if len(c.Request().Body()) > 0 {
		if err := decode(c, &asked); err != nil {
			return err
		}
	}
	id, err := a.Rehearsals.Run(c.UserContext(), w.By, w.Restaurant, asked)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(startedRehearsal{ID: id})
}

// rehearsalAnswer is a rehearsal with what is known of it.
type rehearsalAnswer struct {
	ID        string           `json:"id"`
	StartedAt time.Time        `json:"startedAt"`
	EndedAt   *time.Time       `json:"endedAt"` // null while it runs
	Report    rehearsal.Report `json:"report"`
}

// findRehearsal answers GET /api/staff/restaurants/{id}/rehearsals/{rehearsal}.
func (a *API) findRehearsal(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.RunRehearsal)
	if err != nil {
		return err
	}
	found, err := a.Rehearsals.Find(c.UserContext(), w.By, w.Restaurant.ID, param(c, "rehearsal"))
	if err != nil {
		return err
	}
	answer := rehearsalAnswer{ID: found.ID, StartedAt: found.StartedAt, Report: found.Report}
	if !found.EndedAt.IsZero() {
		answer.EndedAt = &found.EndedAt
	}
	if answer.Report.Waits == nil {
		answer.Report.Waits, answer.Report.Line, answer.Report.Dishes = []int{}, []int{}, []rehearsal.SoldOutDish{}
	}
	return c.JSON(answer)
}
