package views

// Letter is an e-mail. Component: letters.Letter(views.Letter).
type Letter struct {
	Lang    string
	Title   string
	Lead    string
	Message string // of the restaurant, in its own words; may have several lines; empty in most letters
	Facts   []Fact
	URL     string // absolute, of what the letter is about
	Label   string
	Footer  string
}

// Fact is a row of a letter: what it is about, and its value.
type Fact struct {
	Label string
	Value string
}
