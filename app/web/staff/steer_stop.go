package staff

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// stop answers GET …/stop.
func (p *Pages) stop(c *fiber.Ctx, w workplace.Workplace) error {
	return respond.Render(c, fiber.StatusOK, pages.Stop(views.StaffStop{
		StaffShell: p.Places.Shell(c, w, views.SectionTonight), Stopped: w.Restaurant.Stopped,
		Reason: w.Restaurant.StopReason}))
}

// setStopped answers POST …/stop: it shows whom that touches, and does it once that was confirmed.
func (p *Pages) setStopped(c *fiber.Ctx, w workplace.Workplace) error {
	confirmed := c.FormValue(views.FieldConfirmed) == views.Yes
	stop := reserve.Stop{RestaurantID: w.Restaurant.ID, Stopped: c.FormValue(views.FieldStopped) == views.Yes,
		Reason: strings.Clone(c.FormValue(views.FieldReason)), Preview: !confirmed}
	affected, err := p.Bookings.StopBookings(c.UserContext(), w.By, stop)
	shell := p.Places.Shell(c, w, views.SectionTonight)
	url := views.StaffStopURL(w.Restaurant.ID)
	switch {
	case err != nil && isFault(err):
		status, errs, _ := faultsOf(shell.Layout, place{w}, "", err)
		return respond.Render(c, status, pages.Stop(views.StaffStop{StaffShell: shell, Stopped: w.Restaurant.Stopped,
			Reason: stop.Reason, Errors: errs}))
	case err != nil:
		return err
	case confirmed:
		return respond.RedirectSaying(c, url, views.FlashSuccess, "flash.steered")
	}
	part, value := views.PartGoOn, views.No
	if stop.Stopped {
		part, value = views.PartStop, views.Yes
	}
	page := views.StaffPreview{StaffShell: shell, Title: shell.T("steerask." + part), Affected: affected,
		Part: part, Action: url, Back: url, Danger: stop.Stopped,
		Fields: []views.FormValue{{Name: views.FieldStopped, Value: value},
			{Name: views.FieldReason, Value: stop.Reason}}}
	if stop.Stopped {
		page.Lines = []string{shell.T("steertext.stop")}
		if stop.Reason != "" {
			page.Lines = append([]string{shell.T("steer.line_reason", "Reason", stop.Reason)}, page.Lines...)
		}
	}
	return respond.Render(c, fiber.StatusOK, pages.Preview(page))
}
