package views

// Coming asks a diner, by the link of a reminder, whether the party comes. Component: pages.Coming(views.Coming).
type Coming struct {
	Layout
	Booked
	Token string
	Open  bool // the restaurant waits for the party
	Said  bool // it comes
}

// State is the part of the page's keys in the catalogues.
func (c Coming) State() string {
	switch {
	case !c.Open:
		return "over"
	case c.Said:
		return "said"
	}
	return "ask"
}
