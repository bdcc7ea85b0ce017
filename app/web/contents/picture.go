package contents

import (
	"slices"

	"github.com/gofiber/fiber/v2"

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
	form := views.ContentsForm{Values: map[string]string{views.FieldVersion: setup.TagOf(w.Restaurant,
		setup.DocPicture)}}
	return p.showPicture(c, w, form, fiber.StatusOK)
}

// showPicture shows the picture as diners see it, with the forms that change it.
func (p *Pages) showPicture(c *fiber.Ctx, w workplace.Workplace, form views.ContentsForm, status int) error {
	page := views.ContentsPicture{StaffShell: p.Places.Shell(c, w, views.SectionSetup), ContentsForm: form,
		Version: form.Values[views.FieldVersion], IsUploaded: setup.IsUploaded(w.Restaurant.Picture),
		ReadOnly: !w.By.May(team.ChangeMenu)}
	page.Path = views.ContentsPictureURL(w.Restaurant.ID)
	page.Of = &w.Restaurant
	page.Drawings = drawings(page.Lang, setup.Pictures())
	page.Values[views.FieldPicture] = w.Restaurant.Picture
	if page.IsUploaded {
		page.Values[views.FieldPicture] = setup.DrawingFor(w.Restaurant.Cuisine)
	}
	return respond.Render(c, status, pages.Picture(page))
}

// savePicture answers POST …/setup/picture: a form with a file, or with the name of a drawing in its place.
func (p *Pages) savePicture(c *fiber.Ctx, w workplace.Workplace) error {
	sent, err := respond.MultipartForm(c)
	if err != nil {
		return err
	}
	form := formOf(sent)
	lang, message := respond.Lang(c), "flash.picture_drawn"
	if form.Values[views.FieldAction] == views.ActionUpload {
		message = "flash.picture_saved"
		if !hasFile(sent) {
			form.Errors[views.FieldFile] = respond.FieldSentence(lang, respond.Field{Reason: "no_file"})
			return p.showPicture(c, w, form, fiber.StatusUnprocessableEntity)
		}
	}
	if err = p.takeFile(c, w, sent, form); err == nil {
		_, err = p.Rules.Save(c.UserContext(), w.By, setup.Replacement{RestaurantID: w.Restaurant.ID,
			Documents: []setup.Document{setup.ShownPicture{Picture: form.Values[views.FieldPicture]}},
			Tag:       form.Values[views.FieldVersion]})
	}
	if err != nil {
		faults, status := faultsOf(lang, err, itemField)
		if faults == nil {
			return err
		}
		form.Errors, form.Values[views.FieldVersion] = faults, setup.TagOf(w.Restaurant, setup.DocPicture)
		return p.showPicture(c, w, form, status)
	}
	return respond.RedirectSaying(c, views.ContentsPictureURL(w.Restaurant.ID), views.FlashSuccess, message)
}

// drawings are the drawn pictures as choices.
func drawings(lang string, names []string) []views.Choice {
	choices := make([]views.Choice, 0, len(names))
	for _, name := range slices.Sorted(slices.Values(names)) {
		choices = append(choices, views.Choice{Value: name, Label: i18n.T(lang, "picture."+name)})
	}
	return choices
}
