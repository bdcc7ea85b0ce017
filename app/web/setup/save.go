package setup

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/setup"
)

// shown is a form as it is answered.
type shown struct {
	workplace.Workplace
	form
	values   values
	status   int
	tag      string
	faults   []booking.FieldError
	text     string // what is wrong with no single field
	affected *setup.Affected
	checks   []booking.Contradiction
}

// show answers GET …/setup/{page}.
func (p *Pages) show(f form) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w, state, err := p.find(c)
		if err != nil {
			return err
		}
		v := values{}
		f.write(v, state.Restaurant)
		return p.render(c, shown{Workplace: w, form: f, values: v, status: fiber.StatusOK,
			tag: setup.TagOf(state.Restaurant, f.documents...), checks: p.Rules.Checks(state)})
	}
}

// save answers POST …/setup/{page}: it stores the documents, or draws the form again with a row more, with what is
// wrong, or with the bookings that the change touches.
func (p *Pages) save(f form) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w, err := p.Places.Allowed(c, f.documents[0].Action())
		if err != nil {
			return err
		}
		s := shown{Workplace: w, form: f, values: valuesOf(c), status: fiber.StatusOK}
		s.tag = s.values[views.FieldTag]
		if s.edit(s.values[views.FieldAction]) {
			return p.render(c, s)
		}
		in := reader{values: s.values}
		documents := f.read(&in, w.Restaurant)
		if s.faults = in.wrong; len(s.faults) > 0 {
			s.status = fiber.StatusUnprocessableEntity
			return p.render(c, s)
		}
		return p.store(c, s, setup.Replacement{RestaurantID: w.Restaurant.ID, Documents: documents, Tag: s.tag})
	}
}

// store saves documents once the reader knows which bookings the change touches.
func (p *Pages) store(c *fiber.Ctx, s shown, r setup.Replacement) error {
	r.Preview = true
	result, err := p.Rules.Save(c.UserContext(), s.By, r)
	known, _ := strconv.Atoi(s.values[views.FieldConfirmed])
	if err == nil && result.Affected.Reservations > known {
		s.affected, s.checks = &result.Affected, result.Checks
		return p.render(c, s)
	}
	if err == nil {
		r.Preview = false
		_, err = p.Rules.Save(c.UserContext(), s.By, r)
	}
	found, invalid := faultsOf(err)
	switch {
	case err == nil:
		return p.saved(c, s, result.Affected)
	case errors.Is(err, setup.ErrChanged):
		s.status, s.tag = fiber.StatusConflict, setup.TagOf(s.Restaurant, s.documents...)
		s.text = i18n.T(respond.Lang(c), "setup.changed")
	case invalid:
		s.status, s.faults = fiber.StatusUnprocessableEntity, found
	default:
		return err
	}
	return p.render(c, s)
}

// saved leads on: to a day that is closed and on which somebody comes, in the guide to the next step, else to the page
// itself.
func (p *Pages) saved(c *fiber.Ctx, s shown, touched setup.Affected) error {
	respond.SetFlash(c, views.FlashSuccess, "flash.setup_saved")
	for _, b := range touched.First {
		if b.Why == setup.WhyClosed {
			return c.Redirect(views.StaffClosingURL(s.Restaurant.ID, s.Midnight(b.Slot.Date)), fiber.StatusSeeOther)
		}
	}
	next := s.page
	if s.Restaurant.Draft {
		next = views.NextStep(s.page)
	}
	return c.Redirect(views.SetupPageURL(s.Restaurant.ID, next), fiber.StatusSeeOther)
}

// edit changes rows of the form as a button says that stores nothing; false for the button that does.
func (s *shown) edit(action string) bool {
	verb, what, _ := strings.Cut(action, ":")
	switch verb {
	case "add":
		list, weekday, _ := strings.Cut(what, ":")
		members := map[string]string{"weekly": "weekday", "special": "date", "stays": "fromParty", "tiers": "fromParty",
			"refunds": "hoursBefore", "closures": "from", "services": "key"}
		if members[list] == "" {
			return false
		}
		value := weekday
		if list == "services" {
			value = s.values.newServiceKey()
		}
		s.values[at(list, s.values.rows(list), members[list])] = value
	case "preset":
		s.values.onDays(weekdays[""], presets[what])
	case "copy":
		from, to, _ := strings.Cut(what, ":")
		day, err := strconv.Atoi(from)
		if err != nil || weekdays[to] == nil {
			return false
		}
		s.values.copyDay(day, weekdays[to])
	case "close":
		day, err := strconv.Atoi(what)
		if err != nil {
			return false
		}
		s.values.closeDay(day)
	default:
		return false
	}
	return true
}

// render draws a form.
func (p *Pages) render(c *fiber.Ctx, s shown) error {
	page := views.SetupForm{StaffShell: p.Places.Shell(c, s.Workplace, views.SectionSetup), Page: s.page, Tag: s.tag}
	page.Title, page.Lead = page.T("setup.page_"+string(s.page)), page.T("setup.about_"+string(s.page))
	page.ReadOnly = !s.By.May(s.documents[0].Action())
	page.Groups = s.draw(builder{lang: page.Lang, values: s.values})
	if s.text != "" {
		page.Errors = append(page.Errors, views.SetupError{Text: s.text})
	}
	page.Errors = append(page.Errors, showFaults(page.Lang, s.faults, page.Groups)...)
	for _, check := range ChecksOf(page.Lang, s.checks) {
		untouched := s.Restaurant.Draft && s.affected == nil && (!check.IsError || s.page == views.SetupHours)
		if check.Page == s.page && !untouched { // what is only missing is said when the draft is published
			page.Checks = append(page.Checks, check)
		}
	}
	if s.affected != nil {
		page.Affected = s.touched(page.Lang)
	}
	return respond.Render(c, s.status, pages.Form(page))
}

func eachField(groups []views.SetupGroup, visit func(in views.SetupGroup, f *views.SetupField)) {
	for _, g := range groups {
		for _, r := range g.Rows {
			for i := range r.Fields {
				visit(g, &r.Fields[i])
			}
		}
	}
}

// touched are the bookings that a change leaves outside the rules.
func (s *shown) touched(lang string) *views.SetupAffected {
	a := &views.SetupAffected{Count: s.affected.Reservations, Holds: s.affected.Holds, Money: s.affected.Money}
	for _, b := range s.affected.First {
		start, err := s.Restaurant.Start(b.Slot.Date, b.Slot.Time)
		if err != nil {
			continue
		}
		a.Bookings = append(a.Bookings, views.SetupBooking{When: i18n.DateTime(lang, start), Name: b.Name,
			Party: b.PartySize, Why: i18n.T(lang, "setup.why_"+string(b.Why)),
			URL: views.StaffSlotURL(s.Restaurant.ID, start)})
	}
	return a
}

// pageOf is the page that has a field of a document.
func pageOf(c booking.Contradiction) views.SetupPage {
	switch c.Document {
	case booking.DocHours:
		return views.SetupHours
	case booking.DocClosures:
		return views.SetupClosures
	case booking.DocDeposits, booking.DocCancellation:
		return views.SetupTerms
	case booking.DocMenu:
		return views.SetupMenu
	case booking.DocSeats:
		return views.SetupSeats
	}
	if c.Field == "address" || c.Field == "description" {
		return views.SetupBasics
	}
	return views.SetupParties
}

// ChecksOf says in words what contradicts.
func ChecksOf(lang string, found []booking.Contradiction) []views.SetupCheck {
	checks := make([]views.SetupCheck, 0, len(found))
	for _, c := range found {
		checks = append(checks, views.SetupCheck{IsError: c.Severity == booking.SeverityError, Page: pageOf(c),
			Text: i18n.T(lang, "check."+c.Code, "Value", i18n.Number(c.Value), "Limit", i18n.Number(c.Limit),
				"Date", string(c.Date), "Time", i18n.Clock(lang, string(c.Time)), "Name", c.Name.In(lang))})
	}
	return checks
}

// publishPage answers GET …/setup/publish.
func (p *Pages) publishPage(c *fiber.Ctx) error { return p.showPublishing(c, fiber.StatusOK) }

func (p *Pages) showPublishing(c *fiber.Ctx, status int) error {
	w, state, err := p.find(c)
	if err != nil {
		return err
	}
	page := views.SetupPublishing{StaffShell: p.Places.Shell(c, w, views.SectionSetup),
		MayPublish: w.By.May(team.Publish)}
	page.Checks, page.Submitted = ChecksOf(page.Lang, p.Rules.Checks(state)), submitted(page.Lang, state)
	page.Refusal = state.Refusal
	if page.AtOnce, err = p.Rules.PublishesAtOnce(c.UserContext(), w.By); err != nil {
		return err
	}
	if !state.Restaurant.Draft {
		page.DinersURL = views.RestaurantURL(state.Restaurant.Slug)
	}
	return respond.Render(c, status, pages.Publish(page))
}

// publish answers POST …/setup/publish.
func (p *Pages) publish(c *fiber.Ctx, w workplace.Workplace) error {
	state, err := p.Rules.Submit(c.UserContext(), w.By, w.Restaurant.ID)
	var notReady *setup.NotReadyError
	if errors.As(err, &notReady) {
		return p.showPublishing(c, fiber.StatusConflict)
	}
	if err != nil {
		return err
	}
	message := "flash.setup_submitted"
	if !state.Restaurant.Draft {
		message = "flash.setup_published"
	}
	respond.SetFlash(c, views.FlashSuccess, message)
	return c.Redirect(views.SetupPageURL(w.Restaurant.ID, views.SetupPublish), fiber.StatusSeeOther)
}
