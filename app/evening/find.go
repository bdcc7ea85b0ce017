package evening

import (
	"regexp"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/hangul"
)

// Group is a part of the evening's parties, by their state.
type Group string

// The groups of parties. Every party is in GroupAll or in GroupOver, and in one of the others.
const (
	GroupAll      Group = ""         // the evening's: all but those in GroupOver
	GroupExpected Group = "expected" // confirmed
	GroupPresent  Group = "present"  // arrived or seated
	GroupOnHold   Group = "on_hold"  // wait for their payment
	GroupGone     Group = "gone"     // completed, and no-shows
	GroupOver     Group = "over"     // expired, cancelled, refunded
)

// Groups are those that a host chooses from, in order.
func Groups() []Group {
	return []Group{GroupAll, GroupExpected, GroupPresent, GroupOnHold, GroupGone, GroupOver}
}

// Group is the one of the party besides GroupAll.
func (p Party) Group() Group {
	switch {
	case p.IsExpected():
		return GroupExpected
	case p.IsPresent():
		return GroupPresent
	case p.State == booking.Temporary:
		return GroupOnHold
	case p.HasBeenThere(), p.State == booking.NoShow:
		return GroupGone
	}
	return GroupOver
}

// In says whether the party is in a group.
func (p Party) In(g Group) bool {
	if g == GroupAll {
		return p.Group() != GroupOver
	}
	return p.Group() == g
}

// Query is what a host looks for among the evening's parties.
type Query struct {
	// Text is part of a name, also by initial consonants, digits of a phone number, or the beginning of a code; empty:
	// anything.
	Text  string
	Group Group
}

// leastDigits is how many digits look like a part of a phone number.
const leastDigits = 3

// Find returns the parties that match, in order.
func (e Evening) Find(q Query) []Party {
	text := strings.ToLower(booking.PlainText(q.Text))
	number := digits(text)
	name := func(name string) bool { return strings.Contains(name, text) }
	if pattern := hangul.Pattern(text); pattern != "" {
		name = regexp.MustCompile(pattern).MatchString
	}
	var found []Party
	for _, p := range e.Parties {
		if p.In(q.Group) && (name(strings.ToLower(p.Name)) || p.matches(text, number)) {
			found = append(found, p)
		}
	}
	return found
}

// matches returns whether a text is a part of the party's phone number, or the beginning of its code.
func (p Party) matches(text, number string) bool {
	isNumber := len(number) >= leastDigits && strings.Trim(text, "0123456789 -+()") == ""
	return isNumber && strings.Contains(digits(p.Phone), number) ||
		len(text) >= leastDigits && strings.HasPrefix(strings.ToLower(p.Code()), strings.ReplaceAll(text, "-", ""))
}

// digits are those of a text.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
