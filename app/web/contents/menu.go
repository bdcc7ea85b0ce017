package contents

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/contents"
)

// menu answers GET …/setup/menu.
func (p *Pages) menu(c *fiber.Ctx, w workplace.Workplace) error {
	return p.showMenu(c, w, nil)
}

// showMenu lists the dishes, after a move that was refused with its reason.
func (p *Pages) showMenu(c *fiber.Ctx, w workplace.Workplace, refused error) error {
	menu, err := p.Contents.Menu(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	page := views.ContentsMenu{StaffShell: p.Places.Shell(c, w, views.SectionSetup),
		ReadOnly: !w.By.May(team.ChangeMenu)}
	if page.Version, err = setup.Tag(menu); err != nil {
		return err
	}
	for _, item := range menu.Items {
		if item.Retired {
			page.Retired = append(page.Retired, item)
		} else {
			page.Items = append(page.Items, item)
		}
	}
	status := fiber.StatusOK
	if refused != nil {
		problem := respond.ProblemOf(refused)
		status = problem.Status
		page.Flash = views.Flash{Kind: views.FlashError, Message: respond.Sentence(page.Lang, problem)}
	}
	return respond.Render(c, status, pages.Menu(page))
}

// categories are those that diners read in their own language.
var categories = []string{"set", "starter", "main", "side", "dessert", "drink"}

// moveItem answers POST …/setup/menu/{item}/move.
func (p *Pages) moveItem(c *fiber.Ctx, w workplace.Workplace) error {
	menu, at, err := p.findItem(c, w)
	if err != nil {
		return err
	}
	to := at + 1
	if respond.FormValue(c, views.FieldMove) == "up" {
		to = at - 1
	}
	if to >= 0 && to < len(menu.Items) && !menu.Items[to].Retired {
		menu.Items[at], menu.Items[to] = menu.Items[to], menu.Items[at]
	}
	write := setup.Write{RestaurantID: w.Restaurant.ID, Tag: respond.FormValue(c, views.FieldVersion)}
	if _, err := p.Contents.PutMenu(c.UserContext(), w.By, write, menu); err != nil {
		if faults, _ := faultsOf(respond.Lang(c), err, same); faults == nil {
			return err
		}
		return p.showMenu(c, w, err)
	}
	return c.Redirect(views.ContentsMenuURL(w.Restaurant.ID), fiber.StatusSeeOther)
}

func same(name string) string { return name }

// findItem returns the menu and where in it the dish is that the path names; at its end for "new".
func (p *Pages) findItem(c *fiber.Ctx, w workplace.Workplace) (menu setup.Menu, at int, err error) {
	if menu, err = p.Contents.Menu(c.UserContext(), w.By, w.Restaurant.ID); err != nil {
		return menu, 0, err
	}
	if c.Params("item") == newItem {
		return menu, len(menu.Items), nil
	}
	id, err := respond.NumberParam(c, "item")
	at = slices.IndexFunc(menu.Items, func(item booking.MenuItem) bool { return item.ID == id })
	if err != nil || at < 0 {
		return menu, 0, respond.NotFound
	}
	return menu, at, nil
}
