package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

type signUp struct {
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

// createUser answers alike for an address that has an account, with an id that nobody has: a letter tells the owner of
// the address.
func (a *API) createUser(c *fiber.Ctx, _ struct{}, in signUp) (user, error) {
	u, err := a.Tries.SignUp(c, identity.SignUp{Email: in.Email, Password: in.Password, Name: in.Name, Phone: in.Phone,
		Language: language(c)})
	return user{ID: u.ID, Email: u.Email, Name: u.Name, Phone: u.Phone, CreatedAt: u.CreatedAt}, err
}

type signIn struct {
	Email    string `json:"email,omitempty"`
	Password string `json:"password,omitempty"`
	Link     string `json:"link,omitempty"` // the token of a link that came by mail
}

type session struct {
	Token     string    `json:"token"`     // sent back as Authorization: Bearer
	ExpiresAt time.Time `json:"expiresAt"` // when the token ends by itself
}

func (a *API) createSession(c *fiber.Ctx, _ struct{}, in signIn) (session, error) {
	token, s, err := a.signIn(c, in)
	if err == nil {
		err = a.Identity.Sessions.Record(c.UserContext(), s, respond.Device(c))
	}
	return session{Token: token, ExpiresAt: s.Expires}, err
}

func (a *API) signIn(c *fiber.Ctx, in signIn) (string, identity.Session, error) {
	if in.Link != "" {
		return a.Identity.SignInByLink(c.UserContext(), in.Link)
	}
	return a.Tries.SignIn(c, in.Email, in.Password)
}

func (a *API) deleteSession(c *fiber.Ctx, s identity.Session) error {
	return a.Identity.Sessions.Revoke(c.UserContext(), s)
}

type signInLinkRequest struct {
	Email string `json:"email"`
}

// sendSignInLink answers alike whether the address has an account.
func (a *API) sendSignInLink(c *fiber.Ctx, _ struct{}, in signInLinkRequest) error {
	return a.Tries.SendSignInLink(c, in.Email, "")
}

type emailRequest struct {
	Email    string `json:"email"`
	Password string `json:"password,omitempty"`
}

// changeEmail has the address change when the link in the letter to it is pressed.
func (a *API) changeEmail(c *fiber.Ctx, s identity.Session, in emailRequest) error {
	return wrongProof("password", a.Identity.ChangeEmail(c.UserContext(), s,
		identity.EmailChange{Email: in.Email, Password: in.Password}))
}

func (a *API) sendConfirmation(c *fiber.Ctx, s identity.Session) error {
	return a.Identity.SendConfirmation(c.UserContext(), s.UserID)
}

type linkRequest struct {
	Link string `json:"link"` // the token of a link that came by mail
}

type usedLink struct {
	Kind  identity.LinkKind `json:"kind"`
	Email string            `json:"email"` // the address that the link was sent to
}

// useLink does what a link by mail does that signs nobody in. Who has it needs no session.
func (a *API) useLink(c *fiber.Ctx, _ struct{}, in linkRequest) (usedLink, error) {
	used, err := a.Identity.UseLink(c.UserContext(), in.Link)
	return usedLink{Kind: used.Kind, Email: used.Email}, err
}
