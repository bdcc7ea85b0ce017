package respond

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/cache"
	"lunchgo/app/identity"
	"lunchgo/app/wallet"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// LanguageCookie holds the reader's own choice of language.
const LanguageCookie = "lang"

// A name hardly ever changes, and whether somebody is staff decides here only whether a link is shown: a diner who
// chose a menu for some minutes and then books in a rush costs no query.
const (
	personLife = 10 * time.Minute
	mostPeople = 20_000
)

// Layouts makes frames. Its methods may be called at once from many goroutines.
type Layouts struct {
	people identity.Store
	purses wallet.Store

	company views.Company

	log   *slog.Logger
	known cache.Cache[string, person]
}

type person struct {
	name       string
	isStaff    bool
	isOperator bool

	isConfirmed bool // letters to the address reach the person
}

// NewLayouts returns a maker that remembers names for some minutes, and names the company that runs the site.
func NewLayouts(people identity.Store, purses wallet.Store, company views.Company, log *slog.Logger) *Layouts {
	return &Layouts{people: people, purses: purses, company: company, log: log,
		known: cache.Cache[string, person]{Life: personLife, Most: mostPeople}}
}

// Forget lets the next page of this process ask for a person's name anew. Others do in some minutes.
func (m *Layouts) Forget(userID string) { m.known.Forget(userID) }

// WithBalance is the frame of a page that shows the balance: it asks the database for it.
func (m *Layouts) WithBalance(c *fiber.Ctx) views.Layout {
	f := m.WithoutBalance(c)
	session, err := Session(c)
	if err != nil {
		return f
	}
	f.Unconfirmed = m.unconfirmed(c, session.UserID)
	account, err := m.purses.Find(c.UserContext(), session.UserID)
	if err != nil {
		m.log.WarnContext(c.UserContext(), "read balance failed", "error", err) // a page without it beats no page
		return f
	}
	f.Balance, f.BalanceKnown = account.Balance, true
	return f
}

// unconfirmed is a person's address while they have not confirmed it. Only for those who had not some minutes ago it
// costs a query, so that they see at once that they have by now.
func (m *Layouts) unconfirmed(c *fiber.Ctx, userID string) string {
	if who, ok := m.known.Peek(userID); !ok || who.isConfirmed {
		return ""
	}
	user, err := m.people.FindUser(c.UserContext(), userID)
	if err != nil || user.EmailConfirmed {
		return ""
	}
	return user.Email
}

// WithoutBalance is the frame of a page that must not cost a query in a rush: without the balance.
func (m *Layouts) WithoutBalance(c *fiber.Ctx) views.Layout {
	f := m.bare(c)
	f.Flash = TakeFlash(c, f.Lang)
	session, err := Session(c)
	if err != nil {
		return f
	}
	who, err := m.known.Load(c.UserContext(), session.UserID, func(ctx context.Context) (person, error) {
		return m.find(ctx, session.UserID)
	})
	switch {
	case errors.Is(err, identity.ErrNotFound): // the session outlived the account
	case err != nil:
		m.log.WarnContext(c.UserContext(), "read name of account failed", "error", err)
		f.SignedInName = f.T("nav.account")
	default:
		f.SignedInName, f.IsStaff, f.IsOperator = who.name, who.isStaff, who.isOperator
		f.EmailConfirmed = who.isConfirmed
	}
	return f
}

// ForError is the frame of a page that tells of a failure: it asks nobody, and leaves the message of an earlier
// request for the page after it.
func (m *Layouts) ForError(c *fiber.Ctx) views.Layout {
	f := m.bare(c)
	session, err := Session(c)
	if err != nil {
		return f
	}
	f.SignedInName = f.T("nav.account")
	if who, ok := m.known.Peek(session.UserID); ok {
		f.SignedInName, f.IsStaff, f.IsOperator = who.name, who.isStaff, who.isOperator
	}
	return f
}

func (m *Layouts) bare(c *fiber.Ctx) views.Layout {
	f := views.Layout{Lang: Lang(c), Path: views.HomeURL(), Company: m.company}
	if c.Method() == fiber.MethodGet && IsLocalPath(c.OriginalURL()) {
		f.Path = views.PlainPath(c.OriginalURL())
	}
	return f
}

// langKey is where a request has the language of its address.
const langKey = "lang"

// SetLang has a request answered in a language.
func SetLang(c *fiber.Ctx, lang string) { c.Locals(langKey, lang) }

// Lang is the language of the address, if it has one, or of the reader: the one they chose, else the one their browser
// asks for, else Korean.
func Lang(c *fiber.Ctx) string {
	if lang, ok := c.Locals(langKey).(string); ok {
		return lang
	}
	return i18n.Lang(c.Cookies(LanguageCookie), c.Get(fiber.HeaderAcceptLanguage))
}

// IsLocalPath says whether a path, with or without a query, leads to this site whatever the browser makes of it.
// Where a form says where to go next, anything else could send the reader to another site.
func IsLocalPath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return false
	}
	// Browsers read a backslash as a slash, and drop tabs and line ends.
	return !strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f })
}

func (m *Layouts) find(ctx context.Context, userID string) (person, error) {
	user, err := m.people.FindUser(ctx, userID)
	if err != nil {
		return person{}, err
	}
	memberships, err := m.people.ListMemberships(ctx, userID)
	return person{name: user.Name, isStaff: len(memberships) > 0, isOperator: user.Operator,
		isConfirmed: user.EmailConfirmed}, err
}
