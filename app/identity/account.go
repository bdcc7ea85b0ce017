package identity

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"lunchgo/app/refusal"
)

// FreshLink is how long a sign-in by link counts as a proof of who asks, in place of the password: whoever has
// forgotten theirs signs in by link and sets another.
const FreshLink = 15 * time.Minute

// Why an account cannot be deleted yet.
var (
	ErrReservationsLeft = refusal.New(refusal.Conflict, "reservations_left", "identity: reservations are not over")
	ErrBalanceLeft      = refusal.New(refusal.Conflict, "balance_left", "identity: there is money in the wallet")
	ErrOnlyOwner        = refusal.New(refusal.Conflict, "only_owner", "identity: the only owner of a restaurant")
)

// ErrDemoAccount says that an account is for everybody to try: nobody may keep the others out.
var ErrDemoAccount = refusal.New(refusal.NotAllowed, "demo_account", "identity: an account of the demonstration")

// Profile is what a user changes of an account; nil leaves as it is.
type Profile struct {
	Name     *string
	Phone    *string
	Language *string // "ko" or "en"

	Allergies *string // one line

	Texts *bool // what cannot wait goes to the phone as well

	HistoryConsent *bool // false deletes what restaurants keep that needs it
}

// Obstacles are what keeps an account from being deleted.
type Obstacles struct {
	Reservations   int      // holds, money under way, and those whose time is not over
	ReservationIDs []string // of the next ones, at most ObstaclesListed
	Balance        int64    // won in the wallet
	RestaurantIDs  []int64  // that would have no owner
}

// ObstaclesListed is how many reservations Obstacles names.
const ObstaclesListed = 10

// Err is the first obstacle as an error: ErrReservationsLeft, ErrBalanceLeft or ErrOnlyOwner; nil without any.
func (o Obstacles) Err() error {
	switch {
	case o.Reservations > 0:
		return ErrReservationsLeft
	case o.Balance > 0:
		return ErrBalanceLeft
	case len(o.RestaurantIDs) > 0:
		return ErrOnlyOwner
	}
	return nil
}

// AccountStore keeps accounts. Its methods return ErrNotFound for an account that is not there, or deleted.
type AccountStore interface {
	FindUser(ctx context.Context, id string) (User, error)
	// UpdateProfile changes what is not nil.
	UpdateProfile(ctx context.Context, userID string, p Profile) error
	// SetPassword also ends sessions of the user, as SessionStore.EndSessions does.
	SetPassword(ctx context.Context, hash string, ended EndedSessions) (EndedSessions, error)
	FindObstacles(ctx context.Context, userID string) (Obstacles, error)
	// DeleteAccount leaves of a user what has to be kept, without name, address, phone or note, and ends their
	// sessions. Returns the error of Obstacles, and changes nothing then.
	DeleteAccount(ctx context.Context, ended EndedSessions) (EndedSessions, error)
	// Export writes all that is stored of a user as one JSON object, a member for each kind of thing. It takes little
	// memory, however much there is. What was written before an error is no whole object.
	Export(ctx context.Context, userID string, w io.Writer) error
}

// Accounts is what people do with an account that they have.
type Accounts struct {
	Store    AccountStore
	Hasher   *Hasher
	Sessions *Sessions
	Now      func() time.Time
}

// ChangeProfile changes what is given. Returns *InvalidError, by the rules of sign-up.
func (a *Accounts) ChangeProfile(ctx context.Context, userID string, p Profile) (User, error) {
	if p.Name != nil {
		*p.Name = NormalName(*p.Name)
	}
	if p.Phone != nil {
		*p.Phone = strings.TrimSpace(*p.Phone)
	}
	if p.Allergies != nil {
		*p.Allergies = NormalName(*p.Allergies)
	}
	if err := p.check(); err != nil {
		return User{}, err
	}
	if err := a.Store.UpdateProfile(ctx, userID, p); err != nil {
		return User{}, err
	}
	return a.Store.FindUser(ctx, userID)
}

func (p Profile) check() error {
	var faults []FieldError
	if p.Name != nil {
		faults = append(faults, faultsOf(SignUp{Name: *p.Name}, "name")...)
	}
	if p.Phone != nil {
		faults = append(faults, faultsOf(SignUp{Phone: *p.Phone}, "phone")...)
	}
	if p.Language != nil && *p.Language != "ko" && *p.Language != "en" {
		faults = append(faults, FieldError{"language", "unknown"})
	}
	if p.Allergies != nil {
		if reason := checkLine(*p.Allergies, MaxAllergies); reason != "" {
			faults = append(faults, FieldError{"allergies", reason})
		}
	}
	if len(faults) > 0 {
		return &InvalidError{Fields: faults}
	}
	return nil
}

// faultsOf are the faults of one field of a sign-up, so that its rules hold wherever it is changed.
func faultsOf(in SignUp, field string) (faults []FieldError) {
	if invalid, ok := errors.AsType[*InvalidError](in.Check()); ok {
		for _, fault := range invalid.Fields {
			if fault.Field == field {
				faults = append(faults, fault)
			}
		}
	}
	return faults
}

// PasswordChange is a new password, with the one of now or, for a session by a link that was just opened, without.
type PasswordChange struct {
	Current string
	New     string
}

// ChangePassword sets another password and ends all other sessions of the person. Returns *InvalidError of the field
// "new", ErrWrongPassword, ErrBusy.
func (a *Accounts) ChangePassword(ctx context.Context, session Session, change PasswordChange) error {
	account, err := a.Store.FindUser(ctx, session.UserID)
	if err != nil {
		return err
	}
	faults := faultsOf(SignUp{Email: account.Email, Name: account.Name, Password: change.New}, "password")
	for i := range faults {
		faults[i].Field = "new"
	}
	if len(faults) > 0 {
		return &InvalidError{Fields: faults}
	}
	if account.Demo {
		return ErrDemoAccount
	}
	if err := a.Hasher.prove(ctx, claim{session, account, change.Current, a.Now()}); err != nil {
		return err
	}
	hash, err := a.Hasher.Hash(ctx, change.New)
	if err != nil {
		return err
	}
	ended, err := a.Store.SetPassword(ctx, hash,
		EndedSessions{UserID: session.UserID, Until: a.Now(), Keep: session.ID})
	if err == nil {
		a.Sessions.learn(Revocations{Ended: []EndedSessions{ended}})
	}
	return err
}

// Delete deletes the account of a session, by its password or a fresh link. Returns ErrWrongPassword, ErrBusy,
// ErrReservationsLeft, ErrBalanceLeft, ErrOnlyOwner.
func (a *Accounts) Delete(ctx context.Context, session Session, password string) error {
	account, err := a.Store.FindUser(ctx, session.UserID)
	if err != nil {
		return err
	}
	if account.Demo {
		return ErrDemoAccount
	}
	if err := a.Hasher.prove(ctx, claim{session, account, password, a.Now()}); err != nil {
		return err
	}
	ended, err := a.Store.DeleteAccount(ctx, EndedSessions{UserID: session.UserID, Until: a.Now()})
	if err == nil {
		a.Sessions.learn(Revocations{Ended: []EndedSessions{ended}})
	}
	return err
}
