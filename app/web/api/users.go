package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

type signUpRequest struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Name     string `json:"name"`
	// 7 to 15 digits, with a leading +, spaces and dashes as people write them.
	Phone string `json:"phone"`
}

type user struct {
	ID        string    `json:"id"`
	Email     string    `json:"email"`
	Name      string    `json:"name"`
	Phone     string    `json:"phone"`
	CreatedAt time.Time `json:"createdAt"` // when the account was made
}

// createUser answers POST /api/users. For an address that has an account it answers alike, with an id that nobody has:
// a letter tells the owner of the address.
func (a *API) createUser(c *fiber.Ctx) error {
	var in signUpRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	u, err := a.Tries.SignUp(c, identity.SignUp{Email: in.Email, Password: in.Password, Name: in.Name, Phone: in.Phone,
		Language: language(c)})
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(user{ID: u.ID, Email: u.Email, Name: u.Name, Phone: u.Phone,
		CreatedAt: u.CreatedAt})
}

type signInRequest struct {
	Email    string `json:"email,omitempty"`
	Password string `json:"password,omitempty"`
	Link     string `json:"link,omitempty"` // the token of a link that came by mail
}

type session struct {
	Token     string    `json:"token"`     // sent back as Authorization: Bearer
	ExpiresAt time.Time `json:"expiresAt"` // when the token ends by itself
}

// createSession answers POST /api/sessions.
func (a *API) createSession(c *fiber.Ctx) error {
	var in signInRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	token, s, err := a.signIn(c, in)
	if err != nil {
		return err
	}
	if err := a.Identity.Sessions.Record(c.UserContext(), s, respond.Device(c)); err != nil {
		return err
	}
	return c.JSON(session{Token: token, ExpiresAt: s.Expires})
}

func (a *API) signIn(c *fiber.Ctx, in signInRequest) (string, identity.Session, error) {
	if in.Link != "" {
		return a.Identity.SignInByLink(c.UserContext(), in.Link)
	}
	return a.Tries.SignIn(c, in.Email, in.Password)
}

// deleteSession answers DELETE /api/sessions: the session of this request ends.
func (a *API) deleteSession(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	if err := a.Identity.Sessions.Revoke(c.UserContext(), s); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
