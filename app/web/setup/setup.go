// Package setup serves the pages on which an owner opens a restaurant, alone and by forms, and changes it later.
package setup

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/usecases"
	"lunchgo/app/web/workplace"
	"lunchgo/app/webhooks"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/setup"
)

// Pages answers the requests of owners.
type Pages struct {
	usecases.All
	Places  workplace.Finder
	BaseURL string // what addresses begin with; empty: where the request was received
	// Layout is what a page shows around its content that is not of one restaurant.
	Layout func(c *fiber.Ctx) views.Layout
}

// Mount adds the routes. It goes before that of the staff's pages, whose addresses have a parameter where "new" stands.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed := gates.Shed
	r.Get(views.OpenRestaurantURL(), shed, p.openForm)
	r.Post(views.OpenRestaurantURL(), shed, respond.For(respond.Session, p.open))
	const at = "/staff/restaurants/:restaurant/setup"
	r.Get(at, shed, respond.ForBoth(p.find, p.overview))
	for _, f := range forms {
		r.Get(at+"/"+string(f.page), shed, p.show(f))
		r.Post(at+"/"+string(f.page), shed, p.save(f))
	}
	r.Get(at+"/publish", shed, p.publishPage)
	r.Post(at+"/publish", shed, p.Places.For(team.Publish, p.publish))
	r.Get(at+"/preview", shed, respond.ForBoth(p.find, p.preview))
	r.Get(at+"/"+string(views.SetupOwnSite), shed, respond.ForBoth(p.find, p.ownSite))
}

// openForm answers GET /staff/restaurants/new.
func (p *Pages) openForm(c *fiber.Ctx) error {
	if _, err := respond.Session(c); err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Open(p.opening(c, defaultOpening())))
}

// defaultOpening are the answers that suit most restaurants.
func defaultOpening() values { return values{"timeZone": "Asia/Seoul", "capacity": "20"} }

// open answers POST /staff/restaurants/new: the restaurant is a draft, and its owner begins with the guide.
func (p *Pages) open(c *fiber.Ctx, session identity.Session) error {
	posted := valuesOf(c)
	in := reader{values: posted}
	n := booking.UsualRestaurant(posted["name"], posted["timeZone"], in.number("capacity"))
	opened, err := p.Drafts.Open(c.UserContext(), session.UserID, n)
	found, ok := faultsOf(err)
	switch {
	case err == nil:
		return c.Redirect(views.SetupPageURL(opened.ID, views.SetupBasics), fiber.StatusSeeOther)
	case !ok:
		problem := respond.ProblemOf(err)
		if problem.Status != fiber.StatusForbidden && problem.Status != fiber.StatusConflict {
			return err
		}
		page := p.opening(c, posted)
		page.Errors = []views.SetupError{{Text: respond.Sentence(page.Lang, problem)}}
		return respond.Render(c, problem.Status, pages.Open(page))
	}
	page := p.opening(c, posted)
	page.Errors = showFaults(page.Lang, found, []views.SetupGroup{{Rows: []views.SetupRow{{Fields: page.Fields}}}})
	return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Open(page))
}

func (p *Pages) opening(c *fiber.Ctx, v values) views.SetupOpening {
	page := views.SetupOpening{Layout: p.Layout(c)}
	b := builder{lang: page.Lang, values: v}
	page.Fields = []views.SetupField{b.text("name"), b.choice("timeZone", zones(v["timeZone"])), b.count("capacity")}
	return page
}

// overview answers GET /staff/restaurants/:restaurant/setup.
func (p *Pages) overview(c *fiber.Ctx, w workplace.Workplace, state setup.State) error {
	page := views.SetupOverview{StaffShell: p.Places.Shell(c, w, views.SectionSetup)}
	page.Checks = ChecksOf(page.Lang, p.Rules.Checks(state))
	page.Submitted, page.Refusal = submitted(page.Lang, state), state.Refusal
	done := progress(state)
	for _, step := range views.SetupSteps() {
		page.Steps = append(page.Steps, stepOf(page.Lang, step, done[step]))
		if page.Next == "" && state.Restaurant.Draft && !done[step] && !views.IsOptional(step) {
			page.Next = step
		}
	}
	page.More = append(page.More, stepOf(page.Lang, views.SetupClosures, len(state.Restaurant.Closures) > 0),
		stepOf(page.Lang, views.SetupCoupons, false), stepOf(page.Lang, views.SetupOwnSite, false),
		stepOf(page.Lang, views.SetupPreview, false))
	if w.By.May(team.RunRehearsal) {
		page.More = append(page.More, stepOf(page.Lang, views.SetupRehearsal, false))
	}
	if w.By.May(team.ManageWebhooks) {
		page.More = append(page.More, stepOf(page.Lang, views.SetupWebhooks, false))
		endpoints, err := p.Webhooks.List(c.UserContext(), w.By, w.Restaurant.ID)
		if err != nil {
			return err
		}
		page.WebhookDisabled = slices.ContainsFunc(endpoints, func(e webhooks.Endpoint) bool {
			return e.State.Disabled()
		})
	}
	return respond.Render(c, fiber.StatusOK, pages.Overview(page))
}

func stepOf(lang string, page views.SetupPage, done bool) views.SetupStep {
	return views.SetupStep{Page: page, Label: i18n.T(lang, "setup.page_"+string(page)),
		Summary: i18n.T(lang, "setup.about_"+string(page)), Done: done}
}

// progress says which steps the owner has done. Rules that a draft begins with are nobody's act before it is published.
func progress(s setup.State) map[views.SetupPage]bool {
	r := s.Restaurant
	done := map[views.SetupPage]bool{
		views.SetupBasics: r.Address.Ko != "", views.SetupHours: len(r.Hours) > 0, views.SetupMenu: len(s.Menu) > 0,
		views.SetupPicture: setup.IsUploaded(r.Picture), views.SetupSeats: len(r.Seats) > 0,
		views.SetupPublish: !r.Draft,
	}
	for _, f := range forms {
		if f.page == views.SetupParties || f.page == views.SetupTerms {
			done[f.page] = !r.Draft || f.isChanged(r)
		}
	}
	return done
}

// isChanged returns whether a field of the form has another value than in a draft that was just opened.
func (f form) isChanged(r booking.Restaurant) (changed bool) {
	opened, err := booking.UsualRestaurant(r.Name.Ko, r.Location.String(), r.Capacity).Check()
	if err != nil {
		return true
	}
	is, was := values{}, values{}
	f.write(is, r)
	f.write(was, opened)
	for _, v := range []values{is, was} { // either may have more rows
		eachField(f.draw(builder{lang: i18n.Korean, values: v}), func(_ views.SetupGroup, field *views.SetupField) {
			changed = changed || is[field.Name] != was[field.Name]
		})
	}
	return changed
}

// find reads the set-up of the restaurant that the path names, for who may see it.
func (p *Pages) find(c *fiber.Ctx) (workplace.Workplace, setup.State, error) {
	w, err := p.Places.Allowed(c, team.SeeSettings)
	if err != nil {
		return w, setup.State{}, err
	}
	state, err := p.Rules.Find(c.UserContext(), w.By, w.Restaurant.ID)
	return w, state, err
}

func submitted(lang string, s setup.State) string {
	if s.SubmittedAt.IsZero() {
		return ""
	}
	return i18n.DateTime(lang, s.SubmittedAt.In(s.Restaurant.Location))
}
