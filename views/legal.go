package views

import (
	"lunchgo/app/booking"
	"lunchgo/app/legal"
)

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
