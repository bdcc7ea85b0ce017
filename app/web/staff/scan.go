package staff

import (
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// scan answers GET /staff/restaurants/{id}/scan: the page that reads QR codes. With a code it leads to the guest's
// pass. The page may use the camera, as no other of the site may.
func (p *Pages) scan(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err == nil {
		err = w.By.Check(w.Restaurant.ID, team.SeeEvening)
	}
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderPermissionsPolicy, "camera=(self), geolocation=(), microphone=()")
	page := views.StaffScan{StaffShell: p.shell(c, w)}
	code := strings.TrimSpace(strings.Clone(c.Query(views.FieldReservationCode)))
	if code == "" {
		return respond.Render(c, fiber.StatusOK, pages.Scan(page))
	}
	id, err := p.Evenings.FindByCode(c.UserContext(), w.By, w.Restaurant, code)
	if errors.Is(err, booking.ErrNotFound) {
		page.Code, page.Error = clip(code), page.T("evening.scan_unknown")
		return respond.Render(c, fiber.StatusNotFound, pages.Scan(page))
	}
	if err != nil {
		return err
	}
	return respond.SeeOther(c, views.PassURL(id))
}
