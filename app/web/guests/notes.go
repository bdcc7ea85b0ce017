package guests

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// refuse shows a form again as it was typed, with what is wrong, and returns the status.
func refuse(page *views.GuestProfile, form written) int {
	problem := respond.ProblemOf(form.err)
	page.Errors, page.Note = views.FieldErrors{}, form.note
	for _, f := range problem.Fields {
		page.Errors[f.Name] = page.T("history.fault_"+f.Name+"_"+f.Reason, "Max", f.Max)
	}
	if len(problem.Fields) == 0 {
		page.Refused = respond.Sentence(page.Lang, problem)
	}
	if form.tags != nil {
		page.Form = *form.tags
	}
	return problem.Status
}

// done leads to the guest, or shows the form again if it was refused for what it says.
func (p *Pages) done(c *fiber.Ctx, w workplace.Workplace, form written, flash string) error {
	if form.err == nil {
		return respond.RedirectSaying(c, views.GuestURL(w.Restaurant.ID, strings.Clone(c.Params("guest"))),
			views.FlashSuccess, flash)
	}
	status := respond.ProblemOf(form.err).Status
	if status != fiber.StatusConflict && status != fiber.StatusUnprocessableEntity {
		return form.err
	}
	return p.show(c, w, form)
}

// addNote answers POST …/guests/{guest}/notes.
func (p *Pages) addNote(c *fiber.Ctx, w workplace.Workplace) error {
	form := written{note: respond.FormValue(c, views.FieldText)}
	_, form.err = p.Guests.AddNote(c.UserContext(), w.By, w.Restaurant.ID, strings.Clone(c.Params("guest")), form.note)
	return p.done(c, w, form, "flash.note_added")
}

// deleteNote answers POST …/guests/{guest}/notes/{note}/delete.
func (p *Pages) deleteNote(c *fiber.Ctx, w workplace.Workplace) error {
	note, err := respond.NumberParam(c, "note")
	if err != nil {
		return err
	}
	err = p.Guests.DeleteNote(c.UserContext(), w.By, w.Restaurant.ID, strings.Clone(c.Params("guest")), note)
	return p.done(c, w, written{err: err}, "flash.note_deleted")
}

// setTags answers POST …/guests/{guest}/tags.
func (p *Pages) setTags(c *fiber.Ctx, w workplace.Workplace) error {
	tags := respond.TagForm(c, "")
	form := written{tags: &tags}
	guest := strings.Clone(c.Params("guest"))
	_, form.err = p.Guests.SetTags(c.UserContext(), w.By, w.Restaurant.ID, guest, tags.Tags())
	return p.done(c, w, form, "flash.tags_saved")
}
