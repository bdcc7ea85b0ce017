package setup

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Name is the name of a document; also the end of its address.
type Name string

// The documents.
const (
	DocSettings     Name = booking.DocSettings
	DocHours        Name = booking.DocHours
	DocClosures     Name = booking.DocClosures
	DocDeposits     Name = booking.DocDeposits
	DocCancellation Name = booking.DocCancellation
	DocPicture      Name = "picture" // a part of DocSettings
	DocGallery      Name = "gallery"
)

// Names are all documents that are no part of another, in the order of the set-up.
func Names() []Name {
	return []Name{DocSettings, DocHours, DocClosures, DocDeposits, DocCancellation, DocGallery}
}

// Action is the right that changing a document takes.
func (n Name) Action() team.Action {
	switch n {
	case DocHours, DocClosures:
		return team.ChangeHours
	case DocPicture, DocGallery:
		return team.ChangeMenu
	}
	return team.ChangeSettings
}

// Document is a part of a restaurant's set-up: Settings, Hours, Closures, Deposits, Cancellation, Gallery or
// ShownPicture.
type Document interface {
	// Name is which document it is.
	Name() Name
	// check returns every invalid field; was is the restaurant as it is.
	check(was booking.Restaurant, now time.Time) []booking.FieldError
	// apply returns the restaurant with what the document says, which check has accepted.
	apply(r booking.Restaurant) booking.Restaurant
}

// Of returns a document of a restaurant; nil for a name that is none.
func Of(name Name, r booking.Restaurant) Document {
	switch name {
	case DocSettings:
		return settingsOf(r)
	case DocHours:
		return hoursOf(r)
	case DocClosures:
		return closuresOf(r)
	case DocDeposits:
		return depositsOf(r)
	case DocCancellation:
		return cancellationOf(r)
	case DocPicture:
		return ShownPicture{r.Picture}
	case DocGallery:
		return Gallery{append([]string{}, r.Photos...)} // never null
	}
	return nil
}

// TagOf returns the tag of documents of a restaurant, for a request that changes them at once. Equal ones have equal
// tags.
func TagOf(r booking.Restaurant, names ...Name) string {
	documents := make([]Document, 0, len(names))
	for _, name := range names {
		documents = append(documents, Of(name, r))
	}
	if len(documents) == 1 {
		return tagOf(documents[0])
	}
	return tagOf(documents)
}

// tagOf is Tag for what JSON always holds.
func tagOf(document any) string {
	tag, err := Tag(document)
	if err != nil {
		return ""
	}
	return tag
}
