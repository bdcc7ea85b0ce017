package contents

import (
	"io"
	"mime/multipart"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/picture"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// formOf are the fields of a form with a file, without the file.
func formOf(sent *multipart.Form) views.ContentsForm {
	form := views.ContentsForm{Values: map[string]string{}, Errors: views.FieldErrors{}}
	for name, values := range sent.Value {
		form.Values[name] = strings.Clone(values[0])
	}
	return form
}

// fileOf is the file that was chosen in a form; nil for none.
func fileOf(sent *multipart.Form) *multipart.FileHeader {
	for _, file := range append(sent.File[views.FieldFile], sent.File[views.FieldPhoto]...) {
		if file.Size > 0 {
			return file
		}
	}
	return nil
}

// takeFile stores the picture of a form, if it has one, and puts its hash in place of the one that was chosen. It stays
// there when something else of the form is wrong.
func (p *Pages) takeFile(c *fiber.Ctx, w workplace.Workplace, sent *multipart.Form, form views.ContentsForm) error {
	chosen := fileOf(sent)
	if chosen == nil {
		return nil
	}
	opened, err := chosen.Open()
	if err != nil {
		return respond.BadRequest
	}
	defer func() { _ = opened.Close() }()
	file, err := io.ReadAll(io.LimitReader(opened, picture.MaxBytes+1))
	if err != nil {
		return respond.BadRequest
	}
	u, err := p.Contents.AddPicture(c.UserContext(), w.By, w.Restaurant.ID, file)
	if err == nil {
		form.Values[views.FieldPicture] = u.Hash
	}
	return err
}
