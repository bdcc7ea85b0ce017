package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/rehearsal"
	workplaces "lunchgo/app/web/workplace"
)

type startedRehearsal struct {
	ID string `json:"id"`
}

func (a *API) runRehearsal(c *fiber.Ctx, w workplaces.Workplace, in rehearsal.Asked) (startedRehearsal, error) {
	id, err := a.Rehearsals.Run(c.UserContext(), w.By, w.Restaurant, in)
	return startedRehearsal{id}, err
}

// rehearsalAnswer is a rehearsal with what is known of it.
type rehearsalAnswer struct {
	ID        string           `json:"id"`
	StartedAt time.Time        `json:"startedAt"`
	EndedAt   *time.Time       `json:"endedAt"` // null while it runs
	Report    rehearsal.Report `json:"report"`
}

func (a *API) findRehearsal(c *fiber.Ctx, w workplaces.Workplace) (rehearsalAnswer, error) {
	found, err := a.Rehearsals.Find(c.UserContext(), w.By, w.Restaurant.ID, param(c, "rehearsal"))
	report := &found.Report
	report.Waits, report.Line, report.Dishes = orEmpty(report.Waits), orEmpty(report.Line), orEmpty(report.Dishes)
	return rehearsalAnswer{found.ID, found.StartedAt, timeOrNull(found.EndedAt), found.Report}, err
}
