package views

// Letter is an e-mail. Component: letters.Letter(views.Letter).
type Letter struct {
	Lang   string
	Title  string
	Lead   string
	Facts  []Fact
	URL    string // absolute, of what the letter is about
	Label  string
	Footer string
}

// Fact is something said of a reservation.
type Fact struct {
	Label string
	Value string
}
