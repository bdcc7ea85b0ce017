package views

// MoveOffer is another time that a restaurant offers to a diner, who chooses among those of the day that are open to the
// party, or keeps what is booked. Component: pages.MoveOffer(views.MoveOffer).
type MoveOffer struct {
	Layout
	Booked          // as it is
	Day      string // that is offered
	Proposed string // HH:MM
	Slots    []Slot // of the day
	Text     string // of the restaurant
	Refund   *int64 // won that come back if the diner cancels instead; nil: the restaurant has not offered that
	Declined bool
	Refused  string // why the time that was chosen could not be had; empty: nothing was refused
	Key      string
}

// HasOpen returns whether the party can have one of the times.
func (o MoveOffer) HasOpen() bool {
	for _, slot := range o.Slots {
		if slot.CanBook(o.Party) {
			return true
		}
	}
	return false
}
