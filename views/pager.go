package views

// Pager has the links between the pages of a list. They are addresses of their own, so the browser's way back works.
// Component: components.Pages(views.Pager, label).
type Pager struct {
	Lang  string
	First string // the first page; empty on it
	Next  string // empty on the last page
}

// Names of the cursors in the addresses of pages that show several lists; "after" is that of the only or the main one.
const (
	FieldAfter       = "after"
	FieldAfterComing = "coming_after" // reservations to come
	FieldAfterOwn    = "own_after"    // the reader's own coupons
	FieldAfterWaits  = "wait_after"   // a slot's waitlist
)
