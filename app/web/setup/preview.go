package setup

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/web/diner"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/setup"
)

// preview answers GET …/setup/preview: the restaurant as diners would see it, with the times of the first day that
// opens.
func (p *Pages) preview(c *fiber.Ctx, w workplace.Workplace, state setup.State) error {
	page := views.SetupPreviewed{StaffShell: p.Places.Shell(c, w, views.SectionSetup)}
	page.Diner = diner.Preview(page.Layout, state.Restaurant, state.Menu)
	r, now := state.Restaurant, p.Rules.Now()
	today := booking.DateOf(now, r.Location)
	for n := 0; n <= r.HorizonDays && len(page.Slots) == 0; n++ {
		date := today.AddDays(n)
		for _, at := range r.Times(date) {
			start, err := r.Start(date, at)
			if err == nil && r.CheckBookable(date, at, now) == nil {
				page.Day = i18n.LongDate(page.Lang, start)
				page.Slots = append(page.Slots, i18n.Time(page.Lang, start))
			}
		}
	}
	return respond.Render(c, fiber.StatusOK, pages.Preview(page))
}
