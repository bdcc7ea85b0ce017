package views

import (
	"slices"
	"strconv"
)

// SetupPage is a page of the set-up; also the end of its address.
type SetupPage string

// The pages of the set-up, in the order of the guide.
const (
	SetupBasics   SetupPage = "basics"
	SetupHours    SetupPage = "hours"
	SetupParties  SetupPage = "parties"
	SetupTerms    SetupPage = "terms"
	SetupPicture  SetupPage = "picture"
	SetupMenu     SetupPage = "menu"
	SetupSeats    SetupPage = "seats"
	SetupPublish  SetupPage = "publish"
	SetupClosures SetupPage = "closures" // no step of the guide
	SetupPreview  SetupPage = "preview"  // no step of the guide
	SetupCoupons  SetupPage = "coupons"  // no step of the guide
	SetupOwnSite  SetupPage = "website"  // no step of the guide
	// SetupRehearsal is no step of the guide; its address is RehearsalURL.
	SetupRehearsal SetupPage = "rehearsal"
	// SetupWebhooks is no step of the guide; its address is WebhooksURL.
	SetupWebhooks SetupPage = "webhooks"
)

// SetupSteps are the steps of the guide.
func SetupSteps() []SetupPage {
	return []SetupPage{SetupBasics, SetupHours, SetupParties, SetupTerms, SetupPicture, SetupMenu, SetupSeats,
		SetupPublish}
}

// OpenRestaurantURL is the form that opens a restaurant. POST: 303 to the first step of the guide.
func OpenRestaurantURL() string { return "/staff/restaurants/new" }

// SetupURL is the overview of a restaurant's set-up.
func SetupURL(restaurant int64) string { return StaffSectionURL(restaurant, SectionSetup) }

// SetupPageURL is a page of a restaurant's set-up. POST: 303 to the same page, or to the next step of the guide.
func SetupPageURL(restaurant int64, page SetupPage) string {
	if page == SetupRehearsal {
		return RehearsalURL(restaurant)
	}
	if page == SetupWebhooks {
		return WebhooksURL(restaurant)
	}
	return SetupURL(restaurant) + "/" + string(page)
}

// NextStep is the step of the guide after a page; the page itself where none is.
func NextStep(page SetupPage) SetupPage {
	steps := SetupSteps()
	if i := slices.Index(steps, page); i >= 0 && i+1 < len(steps) {
		return steps[i+1]
	}
	return page
}

// Names of fields of the set-up. Those of a document's members are as in the JSON API, e.g. "tiers[0].amount".
const (
	FieldTag = "tag" // of the documents that the form shows
)

// SetupField is an input of a form of the set-up.
type SetupField struct {
	Name    string
	Label   string
	Value   string
	Hint    string
	Error   string
	Type    string   // of the input: text, number, time or date; textarea, select or hidden
	Options []Choice // of a select
}

// SetupRow is a row of inputs, e.g. a span of a day.
type SetupRow struct {
	Fields []SetupField
}

// SetupGroup is a part of a form: fields, rows, and buttons that add rows or fill them.
type SetupGroup struct {
	Legend  string
	Hint    string
	Rows    []SetupRow
	Buttons []SetupButton
}

// SetupButton sends the form without storing it.
type SetupButton struct {
	Action string
	Label  string
	About  string // the label with what it is about, for screen readers; may be empty
}

// SetupForm is a page of the set-up with a form. Component: setup.Form(views.SetupForm).
type SetupForm struct {
	StaffShell
	Page     SetupPage
	Title    string
	Lead     string
	Groups   []SetupGroup
	Tag      string
	Errors   []SetupError
	Affected *SetupAffected // set when the change waits for being confirmed
	Checks   []SetupCheck   // of this page
	ReadOnly bool
}

// SetupError is what is wrong with a field, or with the form where Field is empty.
type SetupError struct {
	Field string
	Text  string
}

// SetupCheck is a contradiction with the way to what can be done about it.
type SetupCheck struct {
	IsError bool
	Text    string
	Page    SetupPage
}

// Blocks returns whether one of them keeps a restaurant from being published.
func Blocks(all []SetupCheck) bool {
	return slices.ContainsFunc(all, func(c SetupCheck) bool { return c.IsError })
}

// SetupAffected are bookings that a change leaves outside the rules.
type SetupAffected struct {
	Count    int
	Holds    int
	Money    int64
	Bookings []SetupBooking // the soonest ones
}

// SetupBooking is one of them.
type SetupBooking struct {
	When  string
	Name  string
	Party int
	Why   string
	URL   string // of its slot
}

// SetupStep is a step of the guide.
type SetupStep struct {
	Page    SetupPage
	Label   string
	Summary string // what is set up
	Done    bool
}

// SetupOverview is the first page of the set-up. Component: setup.Overview(views.SetupOverview).
type SetupOverview struct {
	StaffShell
	WebhookDisabled bool // the program has given one up
	Steps           []SetupStep
	More            []SetupStep // that are no steps of the guide
	Checks          []SetupCheck
	Submitted       string // when the owner asked for it to be published, in words; empty: not yet
	Refusal         string // why an operator has sent it back
	Next            SetupPage
}

// SetupPublishing is the last step. Component: setup.Publish(views.SetupPublishing).
type SetupPublishing struct {
	StaffShell
	Checks     []SetupCheck
	Submitted  string
	Refusal    string
	AtOnce     bool // the owner publishes
	MayPublish bool // the reader is the owner
	DinersURL  string
}

// SetupOpening is the form that opens a restaurant. Component: setup.Open(views.SetupOpening).
type SetupOpening struct {
	Layout
	Fields []SetupField
	Errors []SetupError
}

// SetupPreviewed is a restaurant as diners would see it. Component: setup.Preview(views.SetupPreviewed).
type SetupPreviewed struct {
	StaffShell
	Diner Restaurant // without its layout
	Day   string     // whose slots are shown; empty for none
	Slots []string
}

// StepNumber is a step's place in the guide, from 1 on; empty for a page that is no step.
func StepNumber(page SetupPage) string {
	for i, step := range SetupSteps() {
		if step == page {
			return strconv.Itoa(i + 1)
		}
	}
	return ""
}

// IsOptional returns whether a restaurant can take bookings without a step of the guide, as with the rules that it
// begins with.
func IsOptional(page SetupPage) bool {
	return page != SetupBasics && page != SetupHours && page != SetupPublish
}
