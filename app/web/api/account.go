package api

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) accountRoutes() group {
	return group{"account", "Sign-up, sign-in, sessions, and the data of an account.", []operation{
		{route: "POST /users", id: "createUser", right: access.Anyone, run: takes(anyone, a.createUser),
			summary: "Make an account",
			text: "The address gets a letter with a link that confirms it. For an address that has an account " +
				"the answer is alike, with an id that nobody has: the letter tells the owner. Sign in by POST " +
				"/api/sessions; who has made an account can do so at once.",
			status: 201, says: "The account.", refuses: []string{"too_many_attempts"}},
		{route: "POST /sessions", id: "createSession", right: access.Anyone, run: takes(anyone, a.createSession),
			summary: "Sign in",
			text:    "By email and password, or by the token of a link that came by mail.",
			says:    "A session.", refuses: []string{"wrong_password", "link_over", "too_many_attempts"}},
		{route: "DELETE /sessions", id: "deleteSession", right: access.SignedIn,
			run:     does(respond.Session, a.deleteSession),
			summary: "Sign out: end the session of this request",
			says:    "Done."},
		{route: "GET /account", id: "findAccount", right: access.SignedIn,
			run:     answers(respond.Session, a.findAccount),
			summary: "The own account",
			says:    "The account."},
		{route: "PATCH /account", id: "changeAccount", right: access.SignedIn, limit: ofChanges,
			run:     takes(respond.Session, a.changeAccount),
			summary: "Change name, phone, language or allergies; what is left out stays",
			text: "Allergies are one line. They fill in the booking form of the site; a request for a reservation " +
				"says its own.",
			says: "The account as it is now."},
		{route: "DELETE /account", id: "deleteAccount", right: access.SignedIn, limit: ofChanges, lacks: true,
			run:     doesWith(respond.Session, a.deleteAccount),
			summary: "Delete the account",
			text: "What the law wants kept stays without name, address, phone and notes. It needs the password, " +
				"or a session by a link that was opened less than 15 minutes ago. There must be no reservation " +
				"whose time is not over, no money in the wallet, and another owner of each restaurant that the " +
				"person owns.",
			says: "Done.",
			refuses: []string{"demo_account", "reservations_left", "balance_left", "only_owner",
				"too_many_attempts"}},
		{route: "PUT /account/password", id: "changePassword", right: access.SignedIn, limit: ofChanges,
			run:     doesWith(respond.Session, a.changePassword),
			summary: "Set another password, and end all other sessions",
			text:    "A session by a link that was opened less than 15 minutes ago needs no current password.",
			says:    "Done.", refuses: []string{"demo_account", "too_many_attempts"}},
		{route: "GET /account/sessions", id: "listSessions", right: access.SignedIn,
			run:     answers(respond.Session, a.listSessions),
			summary: "Where the account is signed in: this session first, then the newest",
			text:    "There are 50 at most; with one more, the oldest ends.",
			says:    "The sessions."},
		{route: "DELETE /account/sessions", id: "endOtherSessions", right: access.SignedIn, limit: ofChanges,
			run:     does(respond.Session, a.endOtherSessions),
			summary: "End all sessions but this one",
			says:    "Done."},
		{route: "DELETE /account/sessions/{id}", id: "endSession", right: access.Own, limit: ofChanges,
			run:     does(respond.Session, a.endSession),
			summary: "End a session",
			says:    "Done."},
		{route: "GET /account/export", id: "exportAccount", right: access.SignedIn, limit: ofChanges,
			run:     does(respond.Session, a.exportAccount),
			summary: "A copy of all that is stored of the person, as a file",
			text:    "A member for each kind of thing, each a list; members that are not described may be added.",
			gives:   map[string][]map[string]any{}, says: "The copy."},
		{route: "POST /sessions/links", id: "sendSignInLink", right: access.Anyone, letters: true,
			run:     doesWith(anyone, a.sendSignInLink),
			summary: "Have a sign-in link sent",
			text: "The answer is alike whether the address has an account, and whether it was written to a " +
				"moment ago. The link works once, within 15 minutes.",
			status: 202, says: "If the address has an account, a letter is on its way.",
			refuses: []string{"too_many_attempts"}},
		{route: "POST /links", id: "useLink", right: access.Anyone, run: takes(anyone, a.useLink),
			summary: "Do what a link by mail does",
			text: "Confirms an address, moves the account to a new one, or objects to that, once. A link that " +
				"signs in goes to POST /api/sessions.",
			says: "Done.", refuses: []string{"link_over"}},
		{route: "POST /account/email", id: "changeEmail", right: access.SignedIn, limit: ofChanges, letters: true,
			run:     doesWith(respond.Session, a.changeEmail),
			summary: "Ask for another address",
			text: "A link is sent to the new address, and a notice to the one of now if that is confirmed. The " +
				"account moves when the link is used. The answer is alike if the address has an account. The " +
				"password is not needed in a session by a link of the last 15 minutes.",
			status: 202, says: "A letter is on its way, if the address is free."},
		{route: "POST /account/email/confirmation", id: "sendConfirmation", right: access.SignedIn,
			limit: ofChanges, letters: true, run: does(respond.Session, a.sendConfirmation),
			summary: "Have the link that confirms one's address sent again",
			status:  202, says: "A letter is on its way, unless the address is confirmed."},
	}}
}

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
	HistoryConsent bool   `json:"historyConsent"`
	Allergies      string `json:"allergies"` // fill in the booking form
	// Urgent letters go to the phone as well, where the installation sends text messages.
	Texts bool `json:"texts"`
}

func newAccount(a identity.User) account {
	return account{ID: a.ID, Email: a.Email, EmailConfirmed: a.EmailConfirmed, Name: a.Name, Phone: a.Phone,
		Language: a.Language, CreatedAt: a.CreatedAt, HistoryConsent: a.HistoryConsent,
		Allergies: a.Allergies, Texts: a.Texts}
}

func (a *API) findAccount(c *fiber.Ctx, s identity.Session) (account, error) {
	return as(newAccount)(a.Accounts.Store.FindUser(c.UserContext(), s.UserID))
}

// profileChange changes what it has.
type profileChange struct {
	Name     *string `json:"name" required:"false"`
	Phone    *string `json:"phone" required:"false"`
	Language *string `json:"language" required:"false"`

	Allergies *string `json:"allergies" required:"false"` // one line

	Texts *bool `json:"texts" required:"false"` // urgent letters go to the phone as well

	// False deletes all notes and tags that restaurants keep about the person.
	HistoryConsent *bool `json:"historyConsent" required:"false"`
}

func (a *API) changeAccount(c *fiber.Ctx, s identity.Session, in profileChange) (account, error) {
	changed, err := a.Accounts.ChangeProfile(c.UserContext(), s.UserID, identity.Profile(in))
	if err == nil {
		a.Layouts.Forget(s.UserID)
	}
	return newAccount(changed), err
}

type passwordChange struct {
	Current string `json:"current,omitempty"` // wrong: 422, reason wrong_password
	New     string `json:"new,omitempty"`
}

func (a *API) changePassword(c *fiber.Ctx, s identity.Session, in passwordChange) error {
	return wrongProof("current", a.Tries.Prove(c.UserContext(), s.UserID, func() error {
		return a.Accounts.ChangePassword(c.UserContext(), s, identity.PasswordChange(in))
	}))
}

// wrongProof says in which field a password is wrong. Unlike at sign-in the request has a session, so it is not 401.
func wrongProof(field string, err error) error {
	if errors.Is(err, identity.ErrWrongPassword) {
		return invalid(field, "wrong_password")
	}
	return err
}

type sessionsAnswer struct {
	Sessions []identity.SessionRecord `json:"sessions"`
}

func (a *API) listSessions(c *fiber.Ctx, s identity.Session) (sessionsAnswer, error) {
	records, err := a.Identity.Sessions.List(c.UserContext(), s, respond.Device(c))
	return sessionsAnswer{orEmpty(records)}, err
}

func (a *API) endSession(c *fiber.Ctx, s identity.Session) error {
	return a.Identity.Sessions.End(c.UserContext(), s, param(c, "id"))
}

func (a *API) endOtherSessions(c *fiber.Ctx, s identity.Session) error {
	return a.Identity.Sessions.EndOthers(c.UserContext(), s)
}

func (a *API) exportAccount(c *fiber.Ctx, s identity.Session) error {
	return a.Downloads.Export(c, a.Accounts.Store, s.UserID)
}

type accountDeletion struct {
	Password string `json:"password,omitempty"` // wrong: 422, reason wrong_password
}

// deleteAccount needs no password in a session by a fresh link.
func (a *API) deleteAccount(c *fiber.Ctx, s identity.Session, in accountDeletion) error {
	err := a.Tries.Prove(c.UserContext(), s.UserID, func() error {
		return a.Accounts.Delete(c.UserContext(), s, in.Password)
	})
	if err == nil {
		a.Layouts.Forget(s.UserID)
	}
	return wrongProof("password", err)
}
