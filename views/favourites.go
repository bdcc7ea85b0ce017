package views

import "lunchgo/app/favourites"

// Favourites are the restaurants that a diner has saved, the latest first.
// Component: pages.Favourites(views.Favourites).
type Favourites struct {
	Layout
	Saved []favourites.Saved
	Pager Pager
}
