package staff

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// menu answers GET /staff/restaurants/{id}/menu: what is left of the dishes on a day.
func (p *Pages) menu(c *fiber.Ctx, w place) error {
	return p.showMenu(c, menuView{place: w, date: w.Date(c, p.Bookings.Now())})
}

// menuView is the page of a day's dishes, and what became of a form of it that was refused.
type menuView struct {
	place
	date    booking.Date
	dish    int64
	typed   string
	refused error // nil when nothing was
}

func (p *Pages) showMenu(c *fiber.Ctx, v menuView) error {
	items, err := p.Bookings.Catalog.ListMenu(c.UserContext(), v.Restaurant.ID)
	if err != nil {
		return err
	}
	portions, err := p.Bookings.Portions(c.UserContext(), v.By, v.Restaurant.ID, v.date)
	if err != nil {
		return err
	}
	page := views.StaffMenu{StaffShell: p.shell(c, v.place), Date: v.Midnight(v.date),
		Today: v.Midnight(v.Today(p.Bookings.Now())), MaxPortions: booking.MaxStock,
		ReadOnly: !v.By.May(team.ChangeStock)}
	for _, item := range items {
		page.Dishes = append(page.Dishes, v.dishOf(page.Layout, item, portions))
	}
	status := fiber.StatusOK
	switch {
	case errors.Is(v.refused, booking.ErrPast):
		status = fiber.StatusConflict
		page.Flash = views.Flash{Kind: views.FlashError, Message: page.T("staff.menu_over")}
	case v.refused != nil:
		status = fiber.StatusUnprocessableEntity
	}
	return respond.Render(c, status, pages.Menu(page))
}

func (v menuView) dishOf(f views.Layout, item booking.MenuItem, portions []booking.Portions) views.StaffDish {
	dish := views.StaffDish{ID: item.ID, Name: item.Name.In(f.Lang)}
	for _, p := range portions {
		if p.MenuItemID == item.ID {
			dish.Limited, dish.Offered, dish.Left = true, p.Offered, p.Remaining
		}
	}
	if key := portionsFault(v.refused); key != "" && item.ID == v.dish {
		dish.Typed, dish.Error = v.typed, f.T(key, "Min", 0, "Max", booking.MaxStock)
	}
	return dish
}

// changePortions answers POST …/menu/{date}/{dish}.
func (p *Pages) changePortions(c *fiber.Ctx) error {
	typed := strings.Clone(c.FormValue(views.FieldPortions))
	portions, err := strconv.Atoi(strings.TrimSpace(typed))
	return p.setStock(c, menuView{typed: clip(typed), refused: err}, reserve.StockChange{Remaining: &portions})
}

// stepPortions answers POST …/menu/{date}/{dish}/step.
func (p *Pages) stepPortions(c *fiber.Ctx) error {
	w, err := p.place(c)
	if err == nil {
		err = w.By.Check(w.Restaurant.ID, team.ChangeStock)
	}
	if err != nil {
		return err
	}
	step := 0
	if typed := c.FormValue(views.FieldStep); typed != views.StepUnlimited {
		if step, err = strconv.Atoi(typed); err != nil || step == 0 {
			return respond.BadRequest
		}
	}
	return p.setStock(c, menuView{}, reserve.StockChange{Step: step})
}

// setStock changes what is left of the dish that the path names, unless the form was refused already.
func (p *Pages) setStock(c *fiber.Ctx, v menuView, change reserve.StockChange) (err error) {
	if v.place, err = p.place(c); err != nil {
		return err
	}
	var dateErr, dishErr error
	v.date, dateErr = booking.ParseDate(strings.Clone(c.Params("date")))
	v.dish, dishErr = respond.NumberParam(c, "dish")
	if dateErr != nil || dishErr != nil {
		return respond.NotFound
	}
	if v.refused == nil {
		change.RestaurantID, change.MenuItemID, change.Date = v.Restaurant.ID, v.dish, v.date
		v.refused = p.Bookings.SetStock(c.UserContext(), v.By, change)
	}
	switch {
	case v.refused == nil:
	case portionsFault(v.refused) != "", errors.Is(v.refused, booking.ErrPast):
		return p.showMenu(c, v)
	default:
		return v.refused
	}
	menu := views.StaffMenuURL(v.Restaurant.ID, v.Midnight(v.date))
	if change.Remaining == nil {
		respond.SetFlash(c, views.FlashSuccess, "flash.steered")
		return respond.SeeOther(c, menu+"#dish-"+strconv.FormatInt(v.dish, 10))
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.portions", int64(*change.Remaining))
	return respond.SeeOther(c, menu)
}

// portionsFault is the key of the sentence that says what is wrong with a number of portions; empty if something else
// is.
func portionsFault(err error) string {
	var invalid *booking.InvalidError
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return "fault.invalid_number"
	case errors.Is(err, strconv.ErrRange), errors.As(err, &invalid):
		return "fault.out_of_range"
	}
	return ""
}
