package diner

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// search answers GET /: the form and what it found; only the latter when that part of the page is asked for.
func (s *Pages) search(c *fiber.Ctx) error {
	directory, err := s.Bookings.Directory(c.UserContext())
	if err != nil {
		return err
	}
	today := s.today()
	offered := searchOptionsOf(directory, today)
	form := views.SearchForm{
		Date: c.Query(views.FieldDate), Time: c.Query(views.FieldTime), Party: c.Query(views.FieldParty),
		Words: c.Query(views.FieldWords), District: c.Query(views.FieldDistrict), Cuisine: c.Query(views.FieldCuisine),
		Price: c.Query(views.FieldBand),
	}
	query, fieldErrors := offered.question(form, s.now().In(s.Zone))
	results, err := s.results(c, query, fieldErrors)
	if err != nil {
		return err
	}
	results.Form, results.MaxParty = filledIn(form, query), offered.maxParty
	if len(fieldErrors) == 0 {
		results.Chips = offered.chips(results.Lang, results.Form, s.now().In(s.Zone))
	}
	if results.IsMore = respond.WantsPart(c, "more"); results.IsMore {
		return respond.Render(c, statusOf(fieldErrors), pages.SearchResults(results))
	}
	if respond.WantsPart(c, "results") {
		return respond.Render(c, statusOf(fieldErrors), pages.SearchPart(results))
	}
	page := views.Search{Layout: s.layout(c), HasRush: s.Show != nil,
		Listing:   views.HomeListing(results.Lang, s.absolute(c, "")),
		Results:   results,
		FirstDate: respond.Midnight(today, s.Zone), LastDate: respond.Midnight(offered.lastDate, s.Zone),
		Times: directory.Times(query.Date)}
	page.Districts = choicesOf(page.Lang, "district", directory.Districts)
	page.Cuisines = choicesOf(page.Lang, "cuisine", directory.Cuisines)
	return respond.Render(c, statusOf(fieldErrors), pages.Search(page))
}

// results are what a question finds; nothing if it cannot be understood.
func (s *Pages) results(c *fiber.Ctx, q reserve.Query, fieldErrors []respond.Field) (views.SearchResults, error) {
	lang := respond.Lang(c)
	results := views.SearchResults{Lang: lang, Date: respond.Midnight(q.Date, s.Zone), At: q.Time, Party: q.PartySize,
		Errors: errorsOf(lang, fieldErrors)}
	if len(fieldErrors) > 0 {
		return results, nil
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return results, err
	}
	asked.Limit = cardsPerPage
	found, err := s.Bookings.Search(c.UserContext(), q, asked)
	if err != nil {
		return results, err
	}
	results.Pager = respond.Pager(c, views.HomeURL(), views.FieldAfter, found.Next)
	for i := range found.Items {
		results.Cards = append(results.Cards, cardOf(&found.Items[i], q))
	}
	return results, nil
}

// filledIn shows in the form what was asked for where nothing was typed.
func filledIn(f views.SearchForm, q reserve.Query) views.SearchForm {
	if f.Date == "" {
		f.Date = string(q.Date)
	}
	if f.Party == "" {
		f.Party = strconv.Itoa(q.PartySize)
	}
	return f
}

// statusOf is the status of a page whose form may have errors.
func statusOf(fieldErrors []respond.Field) int {
	if len(fieldErrors) > 0 {
		return fiber.StatusUnprocessableEntity
	}
	return fiber.StatusOK
}
