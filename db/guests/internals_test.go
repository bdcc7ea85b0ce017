package guests

// What the benchmark of package guests_test reaches of the inside: it uses db/testkit, which imports this package.
var (
	Pages         = allGuests.page
	PagesByName   = guestsByName.page
	PagesByDigits = guestsByDigits.page
	IDs           = allGuests.ids
)

// VisitorRow is a row of those queries.
type VisitorRow = visitorRow
