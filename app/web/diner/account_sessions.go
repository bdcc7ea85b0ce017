package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/identity/passkey"
	"lunchgo/app/refusal"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// accountSessions answers GET /account/sessions.
func (s *Pages) accountSessions(c *fiber.Ctx, session identity.Session) error {
	records, err := s.Identity.Sessions.List(c.UserContext(), session, respond.Device(c))
	if err != nil {
		return err
	}
	for i := range records {
		records[i].Issued = records[i].Issued.In(s.Zone)
	}
	page := views.AccountSessions{Layout: s.layout(c), Sessions: records}
	linked, err := s.Identity.Identities.ListIdentities(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	for _, l := range linked {
		l.Since = l.Since.In(s.Zone)
		page.Providers = append(page.Providers,
			views.LinkedProvider{Linked: l, Name: s.issuerName(page.Lang, l.Issuer)})
	}
	if page.Passkeys, err = s.passkeysOf(c, session); err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.AccountSessions(page))
}

// passkeysOf are the passkeys of the reader, and whether there can be more.
func (s *Pages) passkeysOf(c *fiber.Ctx, session identity.Session) (views.Passkeys, error) {
	all, err := s.Passkeys.ListPasskeys(c.UserContext(), session.UserID)
	for i := range all {
		all[i].CreatedAt, all[i].UsedAt = all[i].CreatedAt.In(s.Zone), all[i].UsedAt.In(s.Zone)
	}
	return views.Passkeys{All: all, Device: respond.Device(c),
		CanAdd: s.Passkeys.IsOn() && len(all) < identity.MaxPasskeys}, err
}

// endSession answers POST /account/sessions/:id/end. A session that has just ended elsewhere is over as well.
func (s *Pages) endSession(c *fiber.Ctx, session identity.Session) error {
	return respond.Done(c, s.Identity.Sessions.End(c.UserContext(), session, c.Params("id")),
		views.AccountSessionsURL(), views.FlashSuccess, "flash.session_ended")
}

// endIdentity answers POST /account/identities/end.
func (s *Pages) endIdentity(c *fiber.Ctx, session identity.Session) error {
	err := s.Identity.Identities.EndIdentity(c.UserContext(), session.UserID, respond.FormValue(c, views.FieldIssuer))
	return doneWithWayIn(c, err, "flash.identity_ended")
}

// doneWithWayIn goes back to the list of sessions and of ways to sign in, which says what came of one of these.
func doneWithWayIn(c *fiber.Ctx, err error, key string) error {
	for _, why := range []*refusal.Refusal{identity.ErrLastWayIn, identity.ErrPasskeyTaken,
		identity.ErrTooManyPasskeys, identity.ErrDemoAccount, passkey.ErrRefused, passkey.ErrAway} {
		if errors.Is(err, why) {
			return respond.RedirectSaying(c, views.AccountSessionsURL(), views.FlashError, "error."+why.Code)
		}
	}
	return respond.Done(c, err, views.AccountSessionsURL(), views.FlashSuccess, key)
}

// endOtherSessions answers POST /account/sessions/end.
func (s *Pages) endOtherSessions(c *fiber.Ctx, session identity.Session) error {
	return respond.Done(c, s.Identity.Sessions.EndOthers(c.UserContext(), session), views.AccountSessionsURL(),
		views.FlashSuccess, "flash.others_ended")
}
