package guests

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/guests"
	"lunchgo/app/sheet"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// file answers GET /staff/restaurants/{id}/guests/file.csv.
func (p *Pages) file(c *fiber.Ctx, w workplace.Workplace) error {
	lang := respond.Lang(c)
	words := guests.Words{
		Heading: func(key string) string { return i18n.T(lang, "history."+key) },
		Tag:     func(kind string) string { return i18n.T(lang, "guest_tag."+kind) }}
	return SendFile(c, File{Downloads: p.Downloads, Guests: p.Guests, Now: p.Now()}, w, words)
}

// File is what a file of guests is made with.
type File struct {
	Downloads *respond.Downloads
	Guests    *guests.Service
	Now       time.Time
}

// SendFile answers with the guests that the search of a request finds, as a file for spreadsheets. Returns
// *booking.InvalidError about guests.FieldQuery, and the problem overloaded.
func SendFile(c *fiber.Ctx, f File, w workplace.Workplace, words guests.Words) error {
	search, err := guests.ParseSearch(strings.Clone(c.Query(views.FieldWords)))
	if err != nil {
		return err
	}
	today, lang := string(w.Today(f.Now)), respond.Lang(c)
	file := respond.CSV(w.Restaurant.Slug+"-guests-"+today+".csv",
		sheet.FileName(w.Restaurant.Name.In(lang), i18n.T(lang, "history.title"), today))
	return f.Downloads.Serve(c, file, func() (respond.Write, error) {
		export, err := f.Guests.Export(c.UserContext(), w.By, w.Restaurant, search)
		return func(ctx context.Context, to io.Writer) error { return export.WriteCSV(ctx, to, words) }, err
	})
}
