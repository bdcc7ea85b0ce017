package pages

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/legal"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func currentVersion(d views.LegalDocument, v legal.Document) templ.Attributes {
	if v.Version == d.Document.Version {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}

// versionDate is the day from which a version is in force, as people write it.
func versionDate(lang string, version booking.Date) string {
	day, err := time.Parse(time.DateOnly, string(version))
	if err != nil {
		return string(version)
	}
	return i18n.LongDate(lang, day)
}
