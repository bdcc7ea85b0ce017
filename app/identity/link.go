package identity

import (
	"context"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/app/token"
)

// ErrLinkOver says that a link was never sent, is used, or is older than it may be.
var ErrLinkOver = refusal.New(refusal.Conflict, "link_over", "identity: link used, expired or forged")

// LinkKind is what a link by mail does.
type LinkKind string

// The kinds of links.
const (
	LinkConfirm LinkKind = "confirm" // the address is its reader's
	LinkSignIn  LinkKind = "signin"  // the same, and signs in
	LinkChange  LinkKind = "change"  // the account moves to the address
	LinkObject  LinkKind = "object"  // the account stays at, or comes back to, the address
)

// LinkPayment only counts: the letter brings the link of a reservation's payment, which is of no account.
const LinkPayment = LinkKind("payment")

// Life is how long a link is good.
func (k LinkKind) Life() time.Duration {
	switch k {
	case LinkSignIn:
		return 15 * time.Minute
	case LinkObject:
		return 7 * 24 * time.Hour
	}
	return 24 * time.Hour
}

// Limits of letters with a link of one kind, by account and by the address that they go to.
type letterLimits struct {
	pause  time.Duration // between two of them
	perDay int
}

func (k LinkKind) limits() letterLimits {
	switch k {
	case LinkSignIn: // somebody who waits for it asks again soon
		return letterLimits{pause: time.Minute, perDay: 20}
	case LinkPayment: // somebody books several tables at once
		return letterLimits{perDay: 10}
	}
	return letterLimits{pause: 3 * time.Minute, perDay: 5}
}

// LettersADay is how many letters with a link of a kind are sent in a day at most.
func (k LinkKind) LettersADay() int { return k.limits().perDay }

// Wait says how long it takes until one more letter may be sent, where the latest, at most LettersADay, were sent so
// long ago, the latest first. It is 0 for now.
func (k LinkKind) Wait(ago []time.Duration) time.Duration {
	limits := k.limits()
	var wait time.Duration
	if len(ago) > 0 {
		wait = max(0, limits.pause-ago[0])
	}
	if len(ago) >= limits.perDay {
		wait = max(wait, 24*time.Hour-ago[limits.perDay-1])
	}
	return wait
}

// LetterLimitError says that too many letters were asked for.
type LetterLimitError struct{ Wait time.Duration } // until the next may be

// ErrTooManyLetters is what a *LetterLimitError unwraps to.
var ErrTooManyLetters = refusal.Declare(refusal.Refusal{Kind: refusal.TooMany, Code: "too_many_letters",
	Text: "identity: too many letters"})

func (e *LetterLimitError) Error() string { return ErrTooManyLetters.Error() }
func (e *LetterLimitError) Unwrap() error { return ErrTooManyLetters }

// RetryAfter implements refusal.Timed.
func (e *LetterLimitError) RetryAfter(time.Time) time.Duration {
	return (e.Wait + time.Second - 1).Truncate(time.Second)
}

// Link is a link that was sent by mail.
type Link struct {
	ID         string
	Kind       LinkKind
	UserID     string
	Email      string // the address that it was sent to
	OtherEmail string // of a change the address before, of an objection the one that was to come
	Next       string // path that a link which signs in leads to; empty: where its person begins
}

// LinkUse is the press of a link.
type LinkUse struct {
	ID    string
	Kinds []LinkKind // that the page or call is for
	At    time.Time  // sessions that were issued until then end, if all end
	Keep  string     // id of the session that goes on even then; empty for none
}

// UsedLink is what a link has done.
type UsedLink struct {
	Link
	Reset bool          // the password is forgotten, and sessions have ended
	Ended EndedSessions // which, after a Reset
}

// LinkSigner signs the ids of links. Every server process must have the same key.
type LinkSigner struct{ signer token.Signer }

// NewLinkSigner derives the signing keys from the installation's secrets.
func NewLinkSigner(secrets token.Secrets) LinkSigner {
	return LinkSigner{token.NewSigner(secrets, "lunchgo link by mail v1", token.Long)}
}

// Sign returns the token of a link, safe in a URL.
func (s LinkSigner) Sign(id string) string { return s.signer.Sign(id) }

// Read returns the id of the link that a token was signed for. Returns ErrLinkOver for anything else.
func (s LinkSigner) Read(signed string) (id string, err error) {
	id, ok := s.signer.Verify(signed)
	if !ok {
		return "", ErrLinkOver
	}
	return id, nil
}

// LinkStore keeps the links that are sent by mail, and has letters written that bring them.
type LinkStore interface {
	// SignUp makes an account, and has its address written to. If the address has an account, that one stays as it is,
	// and its owner is written to, unless that was done often already. It takes as many steps either way.
	SignUp(ctx context.Context, u User) error
	// Introduce makes a provisional account, and has its address written to. Made again, it is the same account.
	// Returns ErrNotFound where the id is another account's, or the address is confirmed by now.
	Introduce(ctx context.Context, u User) error
	// IntroduceGuest makes a provisional account whose address staff know, and counts the letter that is to bring the
	// link of its payment; nobody is written to yet. Made again, it is the same account. Returns *LetterLimitError.
	IntroduceGuest(ctx context.Context, u User) error
	// ConfirmGuest notes that a letter about a reservation has reached the address of an account. Returns
	// ErrInvalidSession unless the account is of that reservation alone and without a password: a letter that is passed
	// on opens nothing else.
	ConfirmGuest(ctx context.Context, userID, reservationID string) error
	// SendLink has a link to confirm or to sign in written to a user's own address. For an address without a user it
	// takes as many steps, and answers alike; for somebody with nothing to confirm it does nothing. Returns
	// *LetterLimitError.
	SendLink(ctx context.Context, kind LinkKind, to Addressee) error
	// SendChange has a link written to the address that a user wants, and, if the present one is confirmed, an
	// objection to that one. An address that has an account is not written to. Returns *LetterLimitError; ErrNotFound
	// without the user.
	SendChange(ctx context.Context, userID, email string) error
	// FindLink returns a link that is good still. Returns ErrLinkOver.
	FindLink(ctx context.Context, id string) (Link, error)
	// UseLink does what a link of one of the kinds does, once. Returns ErrLinkOver.
	UseLink(ctx context.Context, use LinkUse) (UsedLink, error)
}

// Addressee is a user by id or, where that is empty, by address, and where the link leads them; see Link.
type Addressee struct {
	UserID string
	Email  string
	Next   string
}
