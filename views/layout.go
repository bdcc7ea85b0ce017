package views

import (
	"time"

	"lunchgo/views/i18n"
)

// Layout is what every page shows around its content: who reads, in which language, and what just happened.
type Layout struct {
	Lang         string // "ko" or "en"
	Path         string // path and query of this request; where a change of language or a sign-in returns to
	SignedInName string // empty when nobody is signed in
	Balance      int64  // of the signed-in diner's wallet, won
	BalanceKnown bool   // false on pages that must not cost a query: they show no balance
	IsStaff      bool   // shows the way to the staff pages
	IsOperator   bool   // shows the way to the operators' page
	// the signed-in reader's address while it is not confirmed; empty on pages that must not cost a query
	Unconfirmed string
	// EmailConfirmed is whether the address was confirmed some minutes ago.
	EmailConfirmed bool
	Flash          Flash // the toast of this response, empty for none
	Waits          WaitBar
	Company        Company
}

// Company is who runs the site, as Korea's e-commerce act has sites say, articles 10 and 13. The zero value names
// nobody.
type Company struct {
	Name           string
	Representative string
	Registration   string // business registration number
	MailOrder      string // mail-order business report number; empty where none is asked for
	Address        string
	Phone          string
	Email          string
}

// SignedIn returns whether somebody is signed in.
func (f Layout) SignedIn() bool { return f.SignedInName != "" }

// T is a text of the catalogue in the reader's language; args are name, value pairs.
func (f Layout) T(key string, args ...any) string { return i18n.T(f.Lang, key, args...) }

// FlashKind is the tone of a toast.
type FlashKind string

// Tones of a toast.
const (
	FlashSuccess FlashKind = "success"
	FlashInfo    FlashKind = "info"
	FlashError   FlashKind = "error"
)

// Flash is a short message about what the last request did, in the reader's language.
type Flash struct {
	Kind    FlashKind
	Message string
}

// Document is what layouts.Page needs besides its children.
type Document struct {
	Layout
	Title           string // of the page, without the site's name
	Listing         Listing
	NoScriptRefresh int    // seconds after which a browser without JavaScript asks again; 0 for never
	RefreshURL      string // where that goes, empty for the same page
	Narrow          bool   // a column for reading and forms instead of the full width
	HasStream       bool   // the page has an event stream of its own: one is all that it opens
	HasResults      bool   // the first link skips to what was found, not to all
	Task            bool   // one thing to finish: small screens hide the site's navigation
	Keep            Keep
}

// Keep names the pages of which the browser keeps copies for when it has no connection. The zero value names none.
type Keep struct {
	Session string   // whose copies they are: they go with it
	Pages   []string // their addresses, that of the page itself among them
	At      time.Time
}

// Error is the page for a request that the server cannot serve; layout and words depend on Status. The statuses with
// words of their own are 400, 403, 404, 405, 409, 413, 422, 429, 500 and 503.
// Component: pages.Error(views.Error).
type Error struct {
	Layout
	Status     int
	Message    string // what is wrong, in the reader's language; empty for the status's own words
	RetryAfter int    // seconds until another try makes sense, for 429 and 503; 0 for never
	IsForm     bool   // a form was sent, which only its reader can send again; else the page asks again by itself
	RetryURL   string // where that form is, if it is known
	RequestID  string // shown for 5xx so that support can find it; may be empty
}
