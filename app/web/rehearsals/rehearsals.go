// Package rehearsals holds the page on which staff rehearse a rush.
package rehearsals

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/rehearsal"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/rehearsals"
)

// Deps is what the page works with.
type Deps struct {
	Places     workplace.Finder
	Rehearsals *rehearsal.Service
}

// Pages answers the requests about rehearsals.
type Pages struct{ Deps }

// New returns the page over its parts.
func New(deps Deps) *Pages { return &Pages{deps} }

// Mount adds the routes. The server must have put auth.Authenticator.Identify and auth.RefuseCrossSite in front of them.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	r.Get("/staff/restaurants/:restaurant/rehearsal", gates.Database, p.page)
	r.Post("/staff/restaurants/:restaurant/rehearsal", gates.Database, p.run)
}

// page answers GET …/rehearsal. While a rehearsal runs, the browser asks again by itself.
func (p *Pages) page(c *fiber.Ctx) error { return p.show(c, "", fiber.StatusOK) }

func (p *Pages) show(c *fiber.Ctx, fault string, status int) error {
	w, err := p.Places.Allowed(c, team.RunRehearsal)
	if err != nil {
		return err
	}
	latest, err := p.Rehearsals.Latest(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	page := views.Rehearsal{StaffShell: p.Places.Shell(c, w, views.SectionSetup), Guests: rehearsal.Guests, Fault: fault}
	page.Path = views.RehearsalURL(w.Restaurant.ID)
	if len(latest) > 0 {
		r := latest[0].Report
		page.Has, page.Running, page.At = true, latest[0].EndedAt.IsZero(), latest[0].StartedAt.In(w.Restaurant.Location)
		page.Answered, page.Seated, page.SoldOut, page.Failed = r.Answered, r.Seated, r.SoldOut, r.Failed
		page.Of, page.Seats, page.Taken, page.Oversold, page.Inversions = r.Guests, r.Seats, r.Taken, r.Oversold, r.OrderInversions
		page.First, page.Median, page.Last, page.SoldOutAfter = r.FirstMs, r.MedianMs, r.LastMs, r.SoldOutMs
		page.LongestLine, page.EstimatePercent, page.Waits, page.Line = r.LongestLine, r.EstimatePercent, r.Waits, r.Line
	}
	if page.Running {
		c.Set("Refresh", "2")
	}
	return respond.Render(c, status, pages.Rehearsal(page))
}

// run answers POST …/rehearsal.
func (p *Pages) run(c *fiber.Ctx) error {
	w, err := p.Places.Allowed(c, team.RunRehearsal)
	if err != nil {
		return err
	}
	_, err = p.Rehearsals.Run(c.UserContext(), w.By, w.Restaurant)
	if err == nil {
		return respond.Redirect(c, views.RehearsalURL(w.Restaurant.ID))
	}
	what := respond.ProblemOf(err)
	switch what.Code {
	case "rehearsal_running", "too_many_rehearsals", "guests_waiting":
		return p.show(c, respond.Sentence(respond.Lang(c), what), what.Status)
	}
	return err
}
