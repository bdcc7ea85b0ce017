package diner

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/mail"
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
	notes, err := s.Mailbox.ListMails(c.UserContext(), session.UserID, asked)
	if err != nil {
		return err
	}
	page := views.Mailbox{Layout: s.layout(c), Pager: respond.Pager(c, views.MailboxURL(), views.FieldAfter,
		notes.Next)}
	for _, n := range notes.Items {
		letter, err := s.letterOf(c, n)
		if err != nil {
			return err
		}
		page.Letters = append(page.Letters, letter)
	}
	return respond.Render(c, fiber.StatusOK, pages.Mailbox(page))
}

func (s *Pages) letterOf(c *fiber.Ctx, n mail.Note) (views.MailboxLetter, error) {
	letter, zone, err := s.compose(c, n)
	return views.MailboxLetter{Letter: letter.Letter, Subject: letter.Subject, To: n.Email,
		At: n.CreatedAt.In(zone), Calendar: letter.Calendar != ""}, err
}

// compose writes a letter as it would be sent, and says in which zone its reader takes times.
func (s *Pages) compose(c *fiber.Ctx, n mail.Note) (mail.Letter, *time.Location, error) {
	if n.Link.ID != "" {
		n.Link.Token = s.Identity.Signer.Sign(n.Link.ID)
		return mail.ComposeLink(n, ""), s.Zone, nil
	}
	if n.Invitation.ID != "" {
		n.Invitation.Token = s.Team.Signer.Sign(n.Invitation.ID)
		return mail.ComposeInvitation(n, ""), s.Zone, nil
	}
	if n.Refusal.RestaurantID != 0 {
		return mail.ComposeRefusal(n, ""), s.Zone, nil
	}
	if n.Webhook.ID != "" {
		return mail.ComposeWebhook(n, ""), s.Zone, nil
	}
	place, err := s.Bookings.Catalog.FindRestaurant(c.UserContext(), n.Reservation.RestaurantID)
	if err != nil {
		return mail.Letter{}, s.Zone, err
	}
	n.OfferToken, n.PaymentToken = s.Offers.Sign(n.EntryID), s.PaymentLinks.Sign(n.Reservation.ID)
	letter, err := mail.Compose(n, place, "")
	return letter, place.Location, err
}
