package views

import (
	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/legal"
)

// Consent is what a press agrees to, beside its button. The zero value asks for nothing. Component:
// components.Consent(views.Consent).
type Consent struct {
	Lang string
	Key  string // of the line before the names of the documents
	identity.Documents
}

// Asks returns whether there is something to agree to.
func (a Consent) Asks() bool { return a.Documents != identity.Documents{} }

// Kinds are the documents to agree to.
func (a Consent) Kinds() (asked []legal.Kind) {
	if a.Terms != "" {
		asked = append(asked, legal.Terms)
	}
	if a.Privacy != "" {
		asked = append(asked, legal.Privacy)
	}
	return asked
}

// LegalDocument is a version of what the site has people agree to. Component: pages.LegalDocument(views.LegalDocument).
type LegalDocument struct {
	Layout
	Listing  Listing
	Document legal.Document
	InForce  booking.Date     // the version that is
	Versions []legal.Document // the latest first
}

// State is the key of what a version is now: earlier, in force, or to come.
func (d LegalDocument) State(version booking.Date) string {
	switch {
	case version == d.InForce:
		return "legal.in_force"
	case version > d.InForce:
		return "legal.to_come"
	}
	return "legal.earlier"
}
