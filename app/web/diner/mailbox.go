package diner

import (
	"cmp"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// mailbox answers GET /mailbox where no mail server sends letters: with those that are due to the signed-in person.
func (s *Pages) mailbox(c *fiber.Ctx) error {
	if s.Mailbox == nil {
		return respond.NotFound
	}
	session, err := respond.Session(c)
	if err != nil {
		return err
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	letters, err := s.Mailbox.List(c.UserContext(), session.UserID, asked)
	if err != nil {
		return err
	}
	page := views.Mailbox{Layout: s.layout(c), Pager: respond.Pager(c, views.MailboxURL(), views.FieldAfter,
		letters.Next)}
	for _, l := range letters.Items {
		page.Letters = append(page.Letters, views.MailboxLetter{Letter: l.Letter.Letter, Subject: l.Subject, To: l.To,
			At: l.At.In(cmp.Or(l.Zone, s.Zone)), Calendar: l.Calendar != "", IsOld: l.IsOld})
	}
	return respond.Render(c, fiber.StatusOK, pages.Mailbox(page))
}
