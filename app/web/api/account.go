package api

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

// account is somebody's own one.
type account struct {
	ID             string    `json:"id"`
	Email          string    `json:"email"`
	EmailConfirmed bool      `json:"emailConfirmed"`
	Name           string    `json:"name"`
	Phone          string    `json:"phone"`
	Language       string    `json:"language"` // of letters
	CreatedAt      time.Time `json:"createdAt"`
	// Restaurants may keep notes and tags about the person, and what bookings of the past said.
	HistoryConsent bool `json:"historyConsent"`
}

func newAccount(a identity.Account) account {
	return account{ID: a.ID, Email: a.Email, EmailConfirmed: a.EmailConfirmed, Name: a.Name, Phone: a.Phone,
		Language: a.Language, CreatedAt: a.CreatedAt, HistoryConsent: a.HistoryConsent}
}

// findAccount answers GET /api/account.
func (a *API) findAccount(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	found, err := a.Accounts.Store.FindAccount(c.UserContext(), s.UserID)
	if err != nil {
		return err
	}
	return c.JSON(newAccount(found))
}

// profileRequest changes what it has.
type profileRequest struct {
	Name     *string `json:"name" required:"false"`
	Phone    *string `json:"phone" required:"false"`
	Language *string `json:"language" required:"false"`

	// False deletes all notes and tags that restaurants keep about the person.
	HistoryConsent *bool `json:"historyConsent" required:"false"`
}

// changeAccount answers PATCH /api/account.
func (a *API) changeAccount(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	var in profileRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	changed, err := a.Accounts.ChangeProfile(c.UserContext(), s.UserID, identity.Profile(in))
	if err != nil {
		return err
	}
	a.Layouts.Forget(s.UserID)
	return c.JSON(newAccount(changed))
}

type passwordRequest struct {
	Current string `json:"current,omitempty"` // wrong: 422, reason wrong_password
	New     string `json:"new,omitempty"`
}

// changePassword answers PUT /api/account/password.
func (a *API) changePassword(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	var in passwordRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	err = a.Tries.Prove(c.UserContext(), s.UserID, func() error {
		return a.Accounts.ChangePassword(c.UserContext(), s, identity.PasswordChange(in))
	})
	if err != nil {
		return wrongProof(err, "current")
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// wrongProof says in which field a password is wrong. Unlike at sign-in the request has a session, so it is not 401.
func wrongProof(err error, field string) error {
	if errors.Is(err, identity.ErrWrongPassword) {
		return invalid(field, "wrong_password")
	}
	return err
}

// ownSession is a session as its owner sees it.
type ownSession struct {
	ID        string    `json:"id"` // names the session; it is no token
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	// Browser and system, such as Chrome, Android; empty if they are not known.
	Device  string `json:"device"`
	Current bool   `json:"current"`
}

type sessionsAnswer struct {
	Sessions []ownSession `json:"sessions"`
}

// listSessions answers GET /api/account/sessions.
func (a *API) listSessions(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	records, err := a.Identity.Sessions.List(c.UserContext(), s, respond.Device(c))
	if err != nil {
		return err
	}
	sessions := make([]ownSession, 0, len(records))
	for _, r := range records {
		sessions = append(sessions, ownSession{ID: r.ID, CreatedAt: r.Issued, ExpiresAt: r.Expires, Device: r.Device,
			Current: r.Current})
	}
	return c.JSON(sessionsAnswer{sessions})
}

// endSession answers DELETE /api/account/sessions/{id}.
func (a *API) endSession(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	if err := a.Identity.Sessions.End(c.UserContext(), s, param(c, "id")); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// endOtherSessions answers DELETE /api/account/sessions.
func (a *API) endOtherSessions(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	if err := a.Identity.Sessions.EndOthers(c.UserContext(), s); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// exportAccount answers GET /api/account/export.
func (a *API) exportAccount(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	return a.Downloads.Export(c, a.Accounts.Store, s.UserID)
}

type deletionRequest struct {
	Password string `json:"password,omitempty"` // wrong: 422, reason wrong_password
}

// deleteAccount answers DELETE /api/account. A session by a fresh link may send nothing.
func (a *API) deleteAccount(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	var in deletionRequest
	if len(c.Request().Body()) > 0 {
		if err := decode(c, &in); err != nil {
			return err
		}
	}
	err = a.Tries.Prove(c.UserContext(), s.UserID,
		func() error { return a.Accounts.Delete(c.UserContext(), s, in.Password) })
	if err != nil {
		return wrongProof(err, "password")
	}
	a.Layouts.Forget(s.UserID)
	return c.SendStatus(fiber.StatusNoContent)
}
