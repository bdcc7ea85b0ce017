// Package legal has what the site has people agree to: the terms of use and the privacy policy, in versions, each in
// force from a day on.
package legal

import (
	"cmp"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/refusal"
)

// ErrNotFound says that a document has no such version.
var ErrNotFound = refusal.NotFound.Because("legal: no such version of the document")

// Kind is which document.
type Kind string

// The documents.
const (
	Terms   Kind = "terms"
	Privacy Kind = "privacy"
)

// Kinds are all documents, in the order in which they are named.
var Kinds = []Kind{Terms, Privacy}

// Document is one version of a document.
type Document struct {
	Kind    Kind
	Version booking.Date // the day from which it is in force
	Title   booking.Text
	Body    booking.Text // safe HTML, without the title
}

// Library is all versions of all documents. It does not change.
type Library struct{ all map[Kind][]Document } // the earliest first

// List returns the versions of a document, the latest first, those that are to come among them.
func (l *Library) List(kind Kind) []Document {
	all := slices.Clone(l.all[kind])
	slices.Reverse(all)
	return all
}

// Find returns a version. Returns ErrNotFound.
func (l *Library) Find(kind Kind, version booking.Date) (Document, error) {
	for _, d := range l.all[kind] {
		if d.Version == version {
			return d, nil
		}
	}
	return Document{}, ErrNotFound
}

// InForce returns the version that is in force on a day: the latest one that has begun, or else the first.
func (l *Library) InForce(kind Kind, day booking.Date) Document {
	all := l.all[kind]
	for _, d := range slices.Backward(all) {
		if d.Version <= day {
			return d
		}
	}
	return all[0]
}

// Versions are those that are in force on a day.
func (l *Library) Versions(day booking.Date) identity.Documents {
	return identity.Documents{Terms: string(l.InForce(Terms, day).Version),
		Privacy: string(l.InForce(Privacy, day).Version)}
}

// Accepted returns what is left of the versions that a form names: those that have been in force by a day. What a form
// that was opened a while ago has shown counts; what never was, or is to come, does not.
func (l *Library) Accepted(said identity.Documents, day booking.Date) identity.Documents {
	accept := func(kind Kind, version string) string {
		d, err := l.Find(kind, booking.Date(version))
		if err != nil || d.Version > l.InForce(kind, day).Version {
			return ""
		}
		return version
	}
	return identity.Documents{Terms: accept(Terms, said.Terms), Privacy: accept(Privacy, said.Privacy)}
}

// sorted returns a library of documents.
func sorted(all []Document) *Library {
	l := &Library{map[Kind][]Document{}}
	for _, d := range all {
		l.all[d.Kind] = append(l.all[d.Kind], d)
	}
	for _, kind := range Kinds {
		slices.SortFunc(l.all[kind], func(a, b Document) int { return cmp.Compare(a.Version, b.Version) })
	}
	return l
}
