package workplace

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/views"
)

// sections are the parts of the staff's side, in the order of the navigation, with the action that each needs. A draft
// has no evening yet.
var sections = []struct {
	section views.StaffSection
	action  team.Action
	ofDraft bool
}{
	{views.SectionTonight, team.SeeEvening, false},
	{views.SectionGuests, team.SeeGuests, false},
	{views.SectionReviews, team.AnswerReviews, false},
	{views.SectionReports, team.SeeReports, false},
	{views.SectionSetup, team.SeeSettings, true},
	{views.SectionTeam, team.SeeTeam, true},
}

// Shell is what a page of staff shows around its content: the restaurant, and the ways to the parts that the reader may
// see.
func (f Finder) Shell(c *fiber.Ctx, w Workplace, current views.StaffSection) views.StaffShell {
	shell := views.StaffShell{Layout: f.Layout(c), RestaurantID: w.Restaurant.ID, IsDraft: w.Restaurant.Draft,
		Location: w.Restaurant.Location, Current: current}
	shell.Restaurant = w.Restaurant.Name.In(shell.Lang)
	shell.Role = shell.T("staff." + string(w.By.Role()))
	for _, s := range sections {
		if w.By.May(s.action) && (s.ofDraft || !w.Restaurant.Draft) {
			shell.Sections = append(shell.Sections, s.section)
		}
	}
	return shell
}
