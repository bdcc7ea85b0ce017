package contents

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/contents"
	"lunchgo/views/i18n"
)

// picture answers GET …/setup/picture.
func (p *Pages) picture(c *fiber.Ctx, w workplace.Workplace) error {
	return p.showPicture(c, w, views.ContentsForm{Values: map[string]string{}}, fiber.StatusOK)
}

// showPicture shows the pictures as diners see them, with the forms that change them.
func (p *Pages) showPicture(c *fiber.Ctx, w workplace.Workplace, form views.ContentsForm, status int) error {
	page := views.ContentsPicture{StaffShell: p.Places.Shell(c, w, views.SectionSetup), ContentsForm: form,
		Version: setup.TagOf(w.Restaurant, setup.DocPicture), IsUploaded: setup.IsUploaded(w.Restaurant.Picture),
		ReadOnly: !w.By.May(team.ChangeMenu), GalleryVersion: setup.TagOf(w.Restaurant, setup.DocGallery),
		MaxPhotos: setup.MaxPhotos}
	page.Path = views.ContentsPictureURL(w.Restaurant.ID)
	page.Of = &w.Restaurant
	page.Drawings = drawings(page.Lang, setup.Pictures())
	page.Values[views.FieldPicture] = w.Restaurant.Picture
	if page.IsUploaded {
		page.Values[views.FieldPicture] = setup.DrawingFor(w.Restaurant.Cuisine)
	}
	return respond.Render(c, status, pages.Picture(page))
}

// savePicture answers POST …/setup/picture: a form with a file, or with the name of a drawing in its place, or one of the
// gallery.
func (p *Pages) savePicture(c *fiber.Ctx, w workplace.Workplace) error {
	sent, err := respond.MultipartForm(c)
	if err != nil {
		return err
	}
	form := formOf(sent)
	lang, action, fault := respond.Lang(c), form.Values[views.FieldAction], views.FieldFile
	if action == views.ActionAddPhoto {
		fault = views.FieldPhoto
	}
	if (action == views.ActionUpload || action == views.ActionAddPhoto) && fileOf(sent) == nil {
		form.Errors[fault] = respond.FieldSentence(lang, respond.Field{Reason: "no_file"})
		return p.showPicture(c, w, form, fiber.StatusUnprocessableEntity)
	}
	document, message := shownBy(action)
	if err = p.takeFile(c, w, sent, form); err == nil {
		_, err = p.Rules.Save(c.UserContext(), w.By, setup.Replacement{RestaurantID: w.Restaurant.ID,
			Documents: []setup.Document{document(w.Restaurant, form.Values[views.FieldPicture])},
			Tag:       form.Values[views.FieldVersion]})
	}
	if err != nil {
		faults, status := faultsOf(lang, err, func(string) string { return fault })
		if faults == nil {
			return err
		}
		form.Errors = faults
		return p.showPicture(c, w, form, status)
	}
	return respond.RedirectSaying(c, views.ContentsPictureURL(w.Restaurant.ID), views.FlashSuccess, message)
}

// shownBy is what a button makes of the restaurant's pictures with the picture of its form, and what is said then.
func shownBy(action string) (document func(r booking.Restaurant, picture string) setup.Document, message string) {
	gallery := func(change func(g setup.Gallery, picture string) setup.Gallery) func(booking.Restaurant,
		string) setup.Document {
		return func(r booking.Restaurant, picture string) setup.Document {
			return change(setup.Gallery{Photos: r.Photos}, picture)
		}
	}
	switch action {
	case views.ActionAddPhoto:
		return gallery(setup.Gallery.With), "flash.photo_added"
	case views.ActionRemovePhoto:
		return gallery(setup.Gallery.Without), "flash.photo_removed"
	case views.ActionEarlier:
		return gallery(setup.Gallery.Earlier), "flash.photo_moved"
	}
	shown := func(_ booking.Restaurant, picture string) setup.Document { return setup.ShownPicture{Picture: picture} }
	if action == views.ActionUpload {
		return shown, "flash.picture_saved"
	}
	return shown, "flash.picture_drawn"
}

// drawings are the drawn pictures as choices.
func drawings(lang string, names []string) []views.Choice {
	choices := make([]views.Choice, 0, len(names))
	for _, name := range slices.Sorted(slices.Values(names)) {
		choices = append(choices, views.Choice{Value: name, Label: i18n.T(lang, "picture."+name)})
	}
	return choices
}
