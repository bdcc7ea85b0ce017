package diner

import (
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// sendSignInLink answers POST /signin/link, alike whether the address has an account.
func (s *Pages) sendSignInLink(c *fiber.Ctx) error {
	email := respond.FormValue(c, views.FieldEmail)
	next := respond.NextPath(respond.FormValue(c, views.FieldNext))
	if err := s.Limits.SendSignInLink(c, email, next); err != nil {
		return s.signInAgain(c, email, err)
	}
	return s.linkSent(c, views.LinkSent{Email: identity.NormalEmail(email)})
}

// linkSent says that a letter is on its way.
func (s *Pages) linkSent(c *fiber.Ctx, page views.LinkSent) error {
	page.Layout, page.Mailbox, page.None = s.layout(c), s.Mailbox != nil, s.NoLetters
	page.Next = respond.NextPath(respond.FormValue(c, views.FieldNext))
	page.Path = views.SignInURL(page.Next)
	return respond.Render(c, fiber.StatusOK, pages.LinkSent(page))
}

// linkPage answers GET /link. It changes nothing: programs that look for viruses open the links of letters, too.
func (s *Pages) linkPage(c *fiber.Ctx) error {
	token := c.Query(views.FieldToken)
	link, err := s.Identity.FindLink(c.UserContext(), token)
	if errors.Is(err, identity.ErrLinkOver) {
		return s.linkOver(c)
	} else if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Link(views.Link{Layout: s.layout(c), Kind: string(link.Kind),
		Email: link.Email, Token: token}))
}

func (s *Pages) linkOver(c *fiber.Ctx) error {
	page := views.Link{Layout: s.layout(c), Kind: views.LinkOver}
	page.Path = views.UseLinkURL()
	return respond.Render(c, fiber.StatusConflict, pages.Link(page))
}

// useLink answers POST /link.
func (s *Pages) useLink(c *fiber.Ctx) error {
	token := respond.FormValue(c, views.FieldToken)
	link, err := s.Identity.FindLink(c.UserContext(), token)
	next := views.HomeURL()
	if err == nil && link.Kind == identity.LinkSignIn {
		next, err = s.enterByLink(c, link, token)
	} else if err == nil {
		next = s.bookedBy(c, link)
		_, err = s.Identity.UseLink(c.UserContext(), token)
	}
	if errors.Is(err, identity.ErrLinkOver) {
		return s.linkOver(c)
	} else if err != nil {
		return err
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.link_"+string(link.Kind))
	if _, err := respond.Session(c); link.Kind == identity.LinkObject ||
		err != nil && link.Kind != identity.LinkSignIn {
		return respond.Redirect(c, views.SignInURL(""))
	}
	return respond.Redirect(c, next)
}

// bookedBy is where a link about an address leads its account: who confirms it, in a browser that is signed in to the
// account, to the newest reservation that holds seats; an account that was made for a reservation, to its list.
func (s *Pages) bookedBy(c *fiber.Ctx, link identity.Link) string {
	session, err := respond.Session(c)
	if err == nil && session.UserID == link.UserID && link.Kind == identity.LinkConfirm {
		held, err := s.Bookings.ListUpcoming(c.UserContext(), link.UserID, keyset.Request{})
		if err == nil && len(held.Items) > 0 {
			newer := func(a, b booking.Reservation) int { return a.CreatedAt.Compare(b.CreatedAt) }
			return views.ReservationURL(slices.MaxFunc(held.Items, newer).ID)
		}
	}
	if user, err := s.Identity.Store.FindUser(c.UserContext(), link.UserID); err == nil && user.Provisional {
		return views.ReservationsURL()
	}
	return views.HomeURL()
}

// enterByLink signs the browser in, which becomes a known device of the account, and returns where it leads.
func (s *Pages) enterByLink(c *fiber.Ctx, link identity.Link, token string) (next string, err error) {
	signed, session, err := s.Identity.SignInByLink(c.UserContext(), token)
	if err != nil {
		return "", err
	}
	if err := s.signInBrowser(c, signed, session); err != nil {
		return "", err
	}
	s.Limits.RememberDevice(c, link.Email)
	if next = respond.NextPath(link.Next); next != "" {
		return next, nil
	}
	return s.homeOf(c, session.UserID), nil
}
