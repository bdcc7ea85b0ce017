package views

import (
	"lunchgo/app/booking"
	"lunchgo/app/legal"
)

// DocumentURL is the version of a document that is in force, such as /terms. GET: pages.LegalDocument.
func DocumentURL(kind legal.Kind) string { return "/" + string(kind) }

// DocumentVersionURL is a version of a document. The query is version=YYYY-MM-DD. GET: pages.LegalDocument.
func DocumentVersionURL(kind legal.Kind, version booking.Date) string {
	return withQuery(DocumentURL(kind), FieldVersion, string(version))
}
