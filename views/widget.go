package views

// Widget is what a restaurant's own site shows of it in a frame: a day's times, which open the booking outside the
// frame. Component: pages.Widget(views.Widget).
type Widget struct {
	Restaurant
}

// WidgetURL is a restaurant's widget. The query is date= and party=. GET: pages.Widget.
func WidgetURL(slug string) string { return "/widget/" + slug }

// SetupWebsite shows owners what to paste into their own site. Component: setup.Website(views.SetupWebsite).
type SetupWebsite struct {
	StaffShell
	Frame string // HTML of the widget
	Link  string // HTML of a link to the restaurant's page
}
