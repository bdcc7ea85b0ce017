package setup

import (
	"fmt"
	"html"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/setup"
)

// ownSite answers GET …/setup/website: what an owner pastes into the restaurant's own site.
func (p *Pages) ownSite(c *fiber.Ctx, w workplace.Workplace, state setup.State) error {
	page := views.SetupWebsite{StaffShell: p.Places.Shell(c, w, views.SectionSetup)}
	site, slug, name := respond.Site(c, p.BaseURL), state.Restaurant.Slug, state.Restaurant.Name.In(page.Lang)
	const frame = `<iframe src="%s" title="%s" width="100%%" height="520" frameborder="0" loading="lazy"></iframe>`
	page.Frame = fmt.Sprintf(frame,
		html.EscapeString(site+views.WidgetURL(slug)), html.EscapeString(page.T("widget.title", "Name", name)))
	page.Link = fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(site+views.RestaurantURL(slug)),
		html.EscapeString(page.T("widget.book")))
	return respond.Render(c, fiber.StatusOK, pages.Website(page))
}
