package views

import (
	"time"

	"lunchgo/app/identity"
)

// The answers of AccountHistoryURL, and of FieldTexts.
const (
	ConsentYes = "yes"
	ConsentNo  = "no"
)

// Account is what a person keeps about themselves, with the ways to all that they can do with it.
// Component: pages.Account(views.Account).
type Account struct {
	Layout
	Email          string
	EmailConfirmed bool
	Name           string
	Phone          string
	Language       string // of letters and pages
	Sessions       int    // where the account is signed in
	Consent        Consent
	HistoryConsent bool   // restaurants may keep notes and tags
	Allergies      string // fill in the booking form
	MaxAllergies   int    // characters
	CanText        bool   // the installation sends texts
	Texts          bool   // what cannot wait goes to the phone as well
	Demo           bool   // anybody may sign in: the password stays, and so does the account
	Errors         FieldErrors
}

// AccountPassword is the form for another password. Passwords are never rendered back.
// Component: pages.AccountPassword(views.AccountPassword).
type AccountPassword struct {
	Layout
	Email       string
	Fresh       bool // a link was just opened, which is proof enough
	MinPassword int  // characters
	Errors      FieldErrors
}

// AccountSessions lists where the account is signed in. Component: pages.AccountSessions(views.AccountSessions).
type AccountSessions struct {
	Layout
	Sessions  []identity.SessionRecord // this one first
	Providers []LinkedProvider
	Passkeys  Passkeys
}

// Passkeys are those that sign the account in.
type Passkeys struct {
	All    []identity.Passkey // the first one first
	Device string             // that shows the page, as its owner knows it; may be empty
	CanAdd bool
}

// LinkedProvider is a provider that signs the account in.
type LinkedProvider struct {
	identity.Linked
	Name string
}

// AccountDelete says what deleting the account does, and asks for a proof; or it says what has to be done before.
// Component: pages.AccountDelete(views.AccountDelete).
type AccountDelete struct {
	Layout
	Email        string
	Fresh        bool                 // a link was just opened, which is proof enough
	Reservations []AccountReservation // whose time is not over, the next ones
	More         int                  // of them that are not listed
	Money        int64                // won in the wallet
	Restaurants  []string             // that would have no owner
	Errors       FieldErrors
}

// Blocked returns whether something has to be done before.
func (d AccountDelete) Blocked() bool {
	return len(d.Reservations) > 0 || d.Money > 0 || len(d.Restaurants) > 0
}

// AccountReservation is a reservation that keeps an account from being deleted.
type AccountReservation struct {
	ID         string
	Restaurant string
	At         time.Time
}
