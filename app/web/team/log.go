package team

import (
	"net/url"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	crew "lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/team"
)

// log answers GET …/team/log: what was done, the newest first.
func (p *Pages) log(c *fiber.Ctx, w workplace.Workplace) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	page := views.TeamLog{StaffShell: p.Places.Shell(c, w, views.SectionTeam),
		Filter: views.LogFilter{Person: c.Query(views.FieldPerson),
			Area: c.Query(views.FieldArea), Date: c.Query(views.FieldDate), Code: c.Query(views.FieldCode)}}
	filter := crew.LogFilter{By: page.Filter.Person, Area: page.Filter.Area, Reservation: page.Filter.Code}
	status := fiber.StatusOK
	if page.Filter.Date != "" {
		if filter.Date, err = booking.ParseDate(page.Filter.Date); err != nil {
			status = fiber.StatusUnprocessableEntity
			page.Errors = views.FieldErrors{views.FieldDate: respond.FieldSentence(page.Lang,
				respond.Field{Name: views.FieldDate, Reason: "invalid_date"})}
		}
	}
	entries, err := p.Team.Entries(c.UserContext(), w.By, w.Restaurant.ID, filter, asked)
	if err != nil {
		return err
	}
	actors, areas, err := p.Team.LogChoices(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	page.People, page.Areas = peopleOf(page.Layout, actors), areasOf(page.Layout, areas)
	page.Pager = respond.Pager(c, logAddress(w.Restaurant.ID, page.Filter), views.FieldAfter, entries.Next)
	writer := logWriter{Layout: page.Layout, restaurant: w.Restaurant}
	for _, e := range entries.Items {
		page.Entries = append(page.Entries, writer.entry(e))
	}
	return respond.Render(c, status, pages.Log(page))
}

func logAddress(restaurant int64, f views.LogFilter) string {
	query := url.Values{}
	for name, value := range map[string]string{views.FieldPerson: f.Person, views.FieldArea: f.Area,
		views.FieldDate: f.Date, views.FieldCode: f.Code} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return views.TeamLogURL(restaurant)
	}
	return views.TeamLogURL(restaurant) + "?" + query.Encode()
}

func peopleOf(f views.Layout, actors []crew.Member) []views.Choice {
	people := []views.Choice{{Label: f.T("log.everybody")}}
	for _, a := range actors {
		name := a.Name
		switch {
		case name == "":
			name = f.T("log.nobody")
		case a.Role == "":
			name = f.T("log.left_person", "Name", name)
		}
		people = append(people, views.Choice{Value: a.UserID, Label: name})
	}
	return people
}

func areasOf(f views.Layout, areas []string) []views.Choice {
	choices := []views.Choice{{Label: f.T("log.everything")}}
	for _, area := range areas {
		choices = append(choices, views.Choice{Value: area, Label: textOr(f.Lang, "area."+area, area)})
	}
	return choices
}

// textOr is a text of the catalogue, or another one where there is none: acts of other versions have names of their
// own.
func textOr(lang, key, otherwise string) string {
	if i18n.Has(lang, key) {
		return i18n.T(lang, key)
	}
	return otherwise
}
