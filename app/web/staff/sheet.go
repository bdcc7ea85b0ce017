package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/guests"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// sheet answers GET …/kitchen and …/print: who comes on a day by time and table, for the kitchen with what it has to
// know only.
func (p *Pages) sheet(kitchen bool) func(*fiber.Ctx, place) error {
	return func(c *fiber.Ctx, w place) error {
		now := p.Bookings.Now()
		e, err := p.Evenings.Read(c.UserContext(), w.By, w.Restaurant, w.Date(c, now))
		if err != nil {
			return err
		}
		page := views.EveningSheet{StaffShell: p.shell(c, w), Kitchen: kitchen, Day: w.Midnight(e.Date),
			Today: w.Midnight(w.Today(now)), Now: e.Now, HasSeats: len(w.Restaurant.Seats) > 0}
		page.Path = page.URL(page.Day, kitchen)
		m := eveningModel{place: w, e: e, lang: page.Lang}
		for _, sheet := range e.Sheets() {
			at := views.SheetTime{EveningHour: views.EveningHour{At: sheet.Start}, Dishes: sheet.Dishes}
			for _, party := range sheet.Parties {
				if kitchen {
					party.Tags = guests.Diets(party.Tags)
				}
				at.Add(m.party(party))
			}
			page.Times = append(page.Times, at)
		}
		return respond.Render(c, fiber.StatusOK, pages.Sheet(page))
	}
}
