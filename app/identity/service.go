package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"lunchgo/app/refusal"
)

// Bounds of what a user says of themselves.
const (
	MaxEmail = 254
	MaxName  = 80 // runes

	MaxAllergies = 500 // runes
)

// SignUp is what somebody says who wants an account.
type SignUp struct {
	Email    string
	Password string
	Name     string
	Phone    string
	Language string // of letters, see User
	Agrees   Agreement
}

// InvalidError tells field by field what is wrong with a sign-up.
type InvalidError struct {
	Fields []FieldError
}

// FieldError is one fault of one field; Reason is stable, e.g. "invalid_email".
type FieldError struct {
	Field  string
	Reason string
}

func (e *InvalidError) Unwrap() error { return refusal.Invalid }

func (e *InvalidError) Error() string { return "identity: invalid sign-up" }

// Check returns *InvalidError with every fault found.
func (s SignUp) Check() error { return s.check(CheckPassword(s.Password, s.Email, s.Name)) }

// CheckWithoutPassword is Check for an account that has none, of fields as they were typed.
func (s SignUp) CheckWithoutPassword() error { return s.normal().check("") }

func (s SignUp) check(password string) error {
	var faults []FieldError
	fault := func(wrong bool, field, reason string) {
		if wrong {
			faults = append(faults, FieldError{field, reason})
		}
	}
	fault(!IsEmail(s.Email), "email", "invalid_email")
	name := CheckName(s.Name)
	fault(password != "", "password", password)
	fault(name != "", "name", name)
	fault(!IsPhone(s.Phone), "phone", "invalid_phone")
	if len(faults) > 0 {
		return &InvalidError{Fields: faults}
	}
	return nil
}

// isText says whether s is UTF-8 without control characters.
func isText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// IsPhone accepts digits with the usual separators: 7 to 15 digits, as ITU-T E.164 has at most.
func IsPhone(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, r == '-', r == ' ':
		default:
			return false
		}
	}
	return digits >= 7 && digits <= 15 && len(s) <= 25
}

// NormalEmail is an address as it is kept and looked for: however somebody types theirs, it is one account.
func NormalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// Service is what users can do with their accounts.
type Service struct {
	Store      Store
	Links      LinkStore
	Identities IdentityStore // who people are at providers
	Consents   ConsentStore
	Signer     LinkSigner
	Hasher     *Hasher
	Sessions   *Sessions
	Now        func() time.Time
	Demo       bool // the installation is a demo: its accounts can sign in
}

// SignUp makes an account, and writes to its address. If the address has an account already, it returns a user who does
// not exist, after as much work, and the letter says so: only the owner of an address learns whether it has an account.
// Returns *InvalidError, ErrBusy.
func (s *Service) SignUp(ctx context.Context, in SignUp) (User, error) {
	in = in.normal()
	if err := in.Check(); err != nil {
		return User{}, err
	}
	hash, err := s.Hasher.Hash(ctx, in.Password)
	if err != nil {
		return User{}, err
	}
	u := User{ID: rand.Text(), Email: in.Email, Name: in.Name, Phone: in.Phone, PasswordHash: hash,
		Language: in.Language, Agrees: in.Agrees, CreatedAt: s.Now().Truncate(time.Microsecond)}
	return u, s.Links.SignUp(ctx, u)
}

// Introduce makes a provisional account for somebody who books at once, writes to its address, and signs it in. The
// address may have an account, which stays as it is: nobody learns of it here. key is secret and of one form: sent
// again, the form leads to the same account. Returns *InvalidError; ErrInvalidSession where the account has been
// confirmed since.
func (s *Service) Introduce(ctx context.Context, in SignUp, key string) (token string, session Session, err error) {
	if err := in.CheckWithoutPassword(); err != nil {
		return "", Session{}, err
	}
	in = in.normal()
	id := sha256.Sum256([]byte("provisional account\x00" + key + "\x00" + in.Email))
	u := User{ID: base32.StdEncoding.EncodeToString(id[:])[:26], Email: in.Email, Name: in.Name, Phone: in.Phone,
		Language: in.Language, Agrees: in.Agrees, Provisional: true}
	if err := s.Links.Introduce(ctx, u); errors.Is(err, ErrNotFound) {
		return "", Session{}, ErrInvalidSession
	} else if err != nil {
		return "", Session{}, err
	}
	token, session = s.Sessions.Issue(u.ID)
	return token, session, nil
}

// Guest is somebody for whom staff book, and who is to pay.
type Guest struct {
	Email, Name, Phone, Language string
}

// IntroduceGuest makes a provisional account for a guest of staff, and returns its id. The address may have an account,
// which stays as it is. key is of one booking: asked again, it is the same account. Returns *LetterLimitError when the
// address got too many letters already.
func (s *Service) IntroduceGuest(ctx context.Context, g Guest, key string) (userID string, err error) {
	email := NormalEmail(g.Email)
	id := sha256.Sum256([]byte("account of a guest\x00" + key + "\x00" + email))
	userID = base32.StdEncoding.EncodeToString(id[:])[:26]
	return userID, s.Links.IntroduceGuest(ctx, User{ID: userID, Email: email, Name: g.Name, Phone: g.Phone,
		Language: g.Language, Provisional: true})
}

// SignInGuest signs in the account of a guest who has pressed the link of a letter to its address, and confirms that.
// Returns ErrInvalidSession when the account is of more than the reservation: its owner signs in as usual.
func (s *Service) SignInGuest(ctx context.Context, userID, reservationID string) (token string, session Session,
	err error) {
	if err := s.Links.ConfirmGuest(ctx, userID, reservationID); err != nil {
		return "", Session{}, err
	}
	token, session = s.Sessions.Issue(userID)
	return token, session, nil
}

func (s SignUp) normal() SignUp {
	s.Email, s.Name, s.Phone = NormalEmail(s.Email), NormalName(s.Name), strings.TrimSpace(s.Phone)
	return s
}

// SignIn returns a signed session. Returns ErrWrongPassword for an unknown address too, after as long; ErrBusy.
func (s *Service) SignIn(ctx context.Context, email, password string) (token string, session Session, err error) {
	if len(password) > MaxPassword || len(email) > MaxEmail || !isText(email) {
		return "", Session{}, ErrWrongPassword
	}
	u, err := s.findForSignIn(ctx, email)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", Session{}, err
	}
	if err := s.Hasher.Verify(ctx, password, u.PasswordHash); err != nil {
		return "", Session{}, err
	}
	token, session = s.Sessions.Issue(u.ID)
	return token, session, nil
}
