package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/legal"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// document answers GET /terms and GET /privacy. Search engines find the version in force alone.
func (s *Pages) document(kind legal.Kind) fiber.Handler {
	return func(c *fiber.Ctx) error {
		page := views.LegalDocument{Layout: s.layout(c), Versions: s.Documents.List(kind)}
		page.Document = s.Documents.InForce(kind, s.today())
		page.InForce = page.Document.Version
		version := booking.Date(c.Query(views.FieldVersion))
		if version == "" {
			page.Listing = views.DocumentListing(page.Lang, s.absolute(c, ""), page.Document)
			return respond.Render(c, fiber.StatusOK, pages.LegalDocument(page))
		}
		var err error
		page.Document, err = s.Documents.Find(kind, version)
		return respond.RenderFound(c, page, err, pages.LegalDocument)
	}
}
