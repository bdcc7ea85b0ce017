package views_test

import (
	"lunchgo/views"
)

// shell is what surrounds the pages of a restaurant's evening, for somebody who may do everything.
func shell(lang, path string) views.StaffShell {
	return views.StaffShell{Layout: layout(lang, path), RestaurantID: 1, Restaurant: head(lang).Name,
		Role: pick(lang, "주인", "Owner"), Current: views.SectionTonight, Sections: []views.StaffSection{
			views.SectionTonight, views.SectionGuests, views.SectionReports, views.SectionSetup, views.SectionTeam}}
}
