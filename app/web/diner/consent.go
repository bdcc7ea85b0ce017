package diner

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// consentOf asks for what is in force and newer than what somebody has agreed to; a stranger has agreed to nothing.
func (s *Pages) consentOf(lang, key string, agreed identity.Documents) views.Consent {
	asked := s.Documents.Versions(s.today())
	if asked.Terms <= agreed.Terms {
		asked.Terms = ""
	}
	if asked.Privacy <= agreed.Privacy {
		asked.Privacy = ""
	}
	return views.Consent{Lang: lang, Key: key, Documents: asked}
}

// consentOfUser is consentOf for somebody who has an account.
func (s *Pages) consentOfUser(ctx context.Context, lang, key, userID string) (views.Consent, error) {
	agreed, err := s.Identity.Consents.FindAgreed(ctx, userID)
	return s.consentOf(lang, key, agreed), err
}

// saidTo is what a form says that its press agrees to: only a form that has shown it agrees to anything.
func (s *Pages) saidTo(c *fiber.Ctx, way identity.ConsentWay) identity.Agreement {
	said := identity.Documents{Terms: respond.FormValue(c, views.FieldTerms),
		Privacy: respond.FormValue(c, views.FieldPrivacy)}
	return identity.Agreement{Documents: s.Documents.Accepted(said, s.today()), Way: way}
}

// askedBy is what a booking form that was sent asks for when it is shown again, without a question to the database:
// somebody with an account is asked for the documents that the form has asked for, in the versions of now.
func (s *Pages) askedBy(c *fiber.Ctx) views.Consent {
	asked := s.consentOf(respond.Lang(c), "legal.by_booking", identity.Documents{})
	if _, unknown := respond.Session(c); unknown != nil {
		return asked
	}
	said := s.saidTo(c, identity.ByBooking)
	if said.Terms == "" {
		asked.Terms = ""
	}
	if said.Privacy == "" {
		asked.Privacy = ""
	}
	return asked
}

// agree answers POST /account/consents.
func (s *Pages) agree(c *fiber.Ctx, session identity.Session) error {
	err := s.Identity.Consents.Agree(c.UserContext(), session.UserID, s.saidTo(c, identity.ByAccount))
	if err != nil {
		return err
	}
	return respond.RedirectSaying(c, views.AccountURL(), views.FlashSuccess, "flash.documents_agreed")
}

// consentTime is how long a booking's consent has to be stored.
const consentTime = 30 * time.Second

// noteBooking stores what a booking agrees to, once it has its place in the line, and has the form ask no more. The
// press does not wait for the database. Whose consent could not be stored is asked again.
func (s *Pages) noteBooking(c *fiber.Ctx, p *submission) {
	if !p.asks.Asks() {
		return
	}
	p.asks = views.Consent{}
	userID, said := p.by.UserID, s.saidTo(c, identity.ByBooking)
	s.Go(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, consentTime)
		defer cancel()
		if err := s.Identity.Consents.Agree(ctx, userID, said); err != nil {
			s.Log.WarnContext(ctx, "store consent failed", "error", err)
		}
	})
}
