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
	Answer  Answer // to what it asks; zero if it asks nothing
	Footer  string
}

// Answer is a link by which a letter is answered in one press.
type Answer struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Fact is a row of a letter: what it is about, and its value.
type Fact struct {
	Label string
	Value string
}
