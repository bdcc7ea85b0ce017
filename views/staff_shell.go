package views

import (
	"slices"
	"time"
)

// StaffSection is a part of the staff's side; also the end of its address and of its keys in the catalogue.
type StaffSection string

// The parts of the staff's side.
const (
	SectionTonight StaffSection = "tonight"
	SectionGuests  StaffSection = "guests"
	SectionReviews StaffSection = "reviews"
	SectionReports StaffSection = "reports"
	SectionSetup   StaffSection = "setup"
	SectionTeam    StaffSection = "team"
)

// StaffShell is what every page of a restaurant's staff shows around its content. It has no wallet.
type StaffShell struct {
	Layout
	RestaurantID int64
	Restaurant   string
	Location     *time.Location // of the restaurant
	Role         string         // of the reader, in their language
	IsDraft      bool           // not published yet
	Current      StaffSection
	Sections     []StaffSection // those that the reader may see, in order
}

// Local is a time by the clock of the restaurant.
func (s StaffShell) Local(at time.Time) time.Time { return at.In(s.Location) }

// SeesTeam returns whether the reader may see the team's page, which has a way to leave the team.
func (s StaffShell) SeesTeam() bool { return slices.Contains(s.Sections, SectionTeam) }

// StaffDocument is what layouts.Staff needs besides its children.
type StaffDocument struct {
	StaffShell
	Title           string // of the page, without the restaurant's and the site's names
	Narrow          bool   // a column for reading and forms instead of the full width
	NoScriptRefresh int    // seconds after which a browser without JavaScript asks again; 0 for never
	HasStream       bool   // the page has an event stream of its own: one is all that it opens
}

// StaffSectionURL is the first page of a part of the staff's side.
func StaffSectionURL(restaurant int64, section StaffSection) string {
	if section == SectionTonight {
		return staffRestaurantURL(restaurant)
	}
	return staffRestaurantURL(restaurant) + "/" + string(section)
}
