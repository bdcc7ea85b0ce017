// Package sms reaches people at their phones, by text message or by AlimTalk (KakaoTalk, in words that Kakao has
// approved beforehand): the letters that cannot wait go there too. The database notes what is to be sent with the
// letter; a Sender sends it.
package sms

import (
	"context"
	"time"

	"lunchgo/app/mail"
)

// Message is what a phone gets.
type Message struct {
	LetterID int64  // for whoever looks it up at the provider
	To       string // digits, as dialled within Korea
	Text     string
	Template *Template // nil: a text message
}

// Template is a form of AlimTalk with what fills it in. Whoever cannot get it gets the text.
type Template struct {
	ID     string
	Values map[string]string // by the name of a variable
}

// Provider sends messages.
type Provider interface {
	// Send hands a message over once. Returns a *RefusedError for one that the provider takes neither now nor later, and
	// any other error where it is not known whether it was taken.
	Send(ctx context.Context, m Message) error
}

// RefusedError says that a provider does not take a message.
type RefusedError struct {
	Code string // the provider's
}

func (e *RefusedError) Error() string { return "sms: refused: " + e.Code }

// Text is a letter on its way to a phone.
type Text struct {
	mail.Note        // its attempts are those of the text
	Phone     string // digits
}

// MaxAttempts is how often a text is tried: over 5 minutes.
const MaxAttempts = 5

// Store keeps texts. Several instances may take from it at once.
type Store interface {
	// Want has the letters of a while go to phones too. docs/operations.md says which, and to whom.
	Want(ctx context.Context, wanted time.Duration) error
	// TakeTexts takes up to limit texts that are due. Whoever takes one has until its next attempt is due to send it:
	// 10 s, which doubles with every attempt.
	TakeTexts(ctx context.Context, limit int) ([]Text, error)
	// MarkText notes that a text was sent, or why not. After a *RefusedError or mail.ErrOutdated it is not tried again.
	MarkText(ctx context.Context, letterID int64, failure error) error
}
