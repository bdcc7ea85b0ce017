package identity

import (
	"context"
	"errors"
	"net/mail"
	"strings"
)

// IsEmail says whether an address, as NormalEmail returns it, is one that letters can reach: its host has a domain,
// which names of the mail server's own network lack.
func IsEmail(email string) bool {
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > MaxEmail || !isText(email) {
		return false
	}
	host, domain, _ := strings.Cut(email[strings.LastIndexByte(email, '@')+1:], ".")
	return host != "" && domain != "" && !strings.HasPrefix(host, "[")
}

// maxNext is how many bytes of a path a link remembers: of a longer one it remembers none.
const maxNext = 2000

// SendSignInLink writes to an address, if it has an account, with a link that signs in and leads to the path next;
// empty for where its person begins. It answers alike, after as many steps, for an address without one and for one that
// was written to often already. Returns *InvalidError for what is no address.
func (s *Service) SendSignInLink(ctx context.Context, email, next string) error {
	email = NormalEmail(email)
	if !IsEmail(email) {
		return &InvalidError{Fields: []FieldError{{"email", "invalid_email"}}}
	}
	if len(next) > maxNext {
		next = ""
	}
	err := s.Links.SendLink(ctx, LinkSignIn, Addressee{Email: email, Next: next})
	if _, ok := errors.AsType[*LetterLimitError](err); ok {
		return nil
	}
	return err
}

// SendConfirmation writes once more to somebody who has not confirmed their address; to others it does not. Returns
// *LetterLimitError.
func (s *Service) SendConfirmation(ctx context.Context, userID string) error {
	return s.Links.SendLink(ctx, LinkConfirm, Addressee{UserID: userID})
}

// EmailChange is what somebody says who wants another address.
type EmailChange struct {
	Email    string
	Password string // not asked for in a session by a link that was just pressed
}

// ChangeEmail has a link written to the address that somebody wants, and a notice to the one they have: the account
// moves when the link is pressed. It answers alike for an address that has an account. Returns *InvalidError,
// ErrWrongPassword, ErrBusy, ErrDemoAccount, *LetterLimitError.
func (s *Service) ChangeEmail(ctx context.Context, session Session, in EmailChange) error {
	email := NormalEmail(in.Email)
	user, err := s.Store.FindUser(ctx, session.UserID)
	if err != nil {
		return err
	}
	if user.Demo {
		return ErrDemoAccount
	}
	if !IsEmail(email) {
		return &InvalidError{Fields: []FieldError{{"email", "invalid_email"}}}
	}
	if user.Email == email {
		return &InvalidError{Fields: []FieldError{{"email", "same_email"}}}
	}
	if err := s.Hasher.prove(ctx, claim{session, user, in.Password, s.Now()}); err != nil {
		return err
	}
	return s.Links.SendChange(ctx, session.UserID, email)
}

// FindLink returns what a link that came by mail would do. It changes nothing. Returns ErrLinkOver.
func (s *Service) FindLink(ctx context.Context, signed string) (Link, error) {
	id, err := s.Signer.Read(signed)
	if err != nil {
		return Link{}, err
	}
	return s.Links.FindLink(ctx, id)
}

// UseLink does what a link does that does not sign in. Returns ErrLinkOver.
func (s *Service) UseLink(ctx context.Context, signed string) (UsedLink, error) {
	id, err := s.Signer.Read(signed)
	if err != nil {
		return UsedLink{}, err
	}
	return s.useLink(ctx, LinkUse{ID: id, Kinds: []LinkKind{LinkConfirm, LinkChange, LinkObject}})
}

// SignInByLink signs in whoever was sent a link, and confirms their address. If nobody had confirmed it before, whoever
// chose the account's password may have typed an address that is not theirs: the password is forgotten, and other
// sessions end. Returns ErrLinkOver.
func (s *Service) SignInByLink(ctx context.Context, signed string) (token string, session Session, err error) {
	link, err := s.FindLink(ctx, signed)
	if err != nil {
		return "", Session{}, err
	}
	user, err := s.Store.FindUser(ctx, link.UserID)
	if errors.Is(err, ErrNotFound) || err == nil && user.Demo && !s.Demo {
		err = ErrLinkOver
	}
	if err != nil {
		return "", Session{}, err
	}
	token, session = s.Sessions.IssueByLink(link.UserID)
	if _, err := s.useLink(ctx, LinkUse{ID: link.ID, Kinds: []LinkKind{LinkSignIn}, Keep: session.ID}); err != nil {
		return "", Session{}, err
	}
	return token, session, nil
}

func (s *Service) useLink(ctx context.Context, use LinkUse) (UsedLink, error) {
	use.At = s.Now()
	used, err := s.Links.UseLink(ctx, use)
	if err == nil && used.Reset {
		s.Sessions.learn(Revocations{Ended: []EndedSessions{used.Ended}})
	}
	return used, err
}
