package views

import (
	"lunchgo/app/booking"
)

// ContentsMenu is the list of a restaurant's dishes. Component: contents.Menu(views.ContentsMenu).
type ContentsMenu struct {
	StaffShell
	Version  string
	Items    []booking.MenuItem // on the menu, in order
	Retired  []booking.MenuItem
	ReadOnly bool
}

// ContentsForm is a form with what was typed, by the names of its fields.
type ContentsForm struct {
	Values map[string]string
	Errors FieldErrors
}

// ContentsItemForm is a dish. Component: contents.Item(views.ContentsItemForm).
type ContentsItemForm struct {
	StaffShell
	ContentsForm
	ID         string // "new" for one to come
	Version    string
	Categories []Choice
	Pictures   []Choice
	MaxMinutes int
}

// ContentsPicture is the picture of a restaurant as diners see it. Component: contents.Picture(views.ContentsPicture).
type ContentsPicture struct {
	StaffShell
	ContentsForm
	Version    string
	Of         *booking.Restaurant
	IsUploaded bool
	Drawings   []Choice
	ReadOnly   bool
	// Of the gallery, which is another document.
	GalleryVersion string
	MaxPhotos      int
}

// ContentsCoupons are the campaigns of a restaurant, and the form for another. Component:
// contents.Coupons(views.ContentsCoupons).
type ContentsCoupons struct {
	StaffShell
	ContentsForm
	Campaigns []ContentsCampaign
	MayChange bool
}

// ContentsCampaign is a campaign in the list.
type ContentsCampaign struct {
	ID     int64
	Name   string
	What   string // what a coupon takes off
	When   string
	State  string // in the reader's language
	Issued int
	Total  int
	IsOver bool
}
