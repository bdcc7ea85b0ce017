// Package ratelimit bounds how often somebody may try to sign in: tightly for an account, whose password may be
// what is being guessed, and loosely for an address, behind which a whole office may sit. Sign-ins that succeed do
// not count, and each process counts for itself.
package ratelimit

import (
	"errors"
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

// Code is that of the problem of somebody who tried too often.
const Code = "too_many_attempts"

// What is allowed before the first refusal, and how long each further try takes to be allowed again. An address
// may fail for hundreds of people at the same minute; a password is out of reach of 2,880 guesses a day.
var (
	perAccount = pace{burst: 10, every: 30 * time.Second}
	perAddress = pace{burst: 300, every: 200 * time.Millisecond}
)

// Guard signs people in and up who have not tried too often. Its methods may be called at once from many goroutines.
type Guard struct {
	people    *identity.Service
	proxies   []netip.Prefix
	accounts  *limiter
	addresses *limiter
}

// NewGuard returns a guard that believes the X-Forwarded-For of the proxies, which are addresses or networks.
func NewGuard(people *identity.Service, proxies []string) *Guard {
	return &Guard{people: people, proxies: prefixes(proxies), accounts: newLimiter(perAccount),
		addresses: newLimiter(perAddress)}
}

// SignIn is identity.Service.SignIn for whoever sent the request. Returns a problem with Code and the time until
// the next try too.
func (g *Guard) SignIn(c *fiber.Ctx, email, password string) (token string, session identity.Session, err error) {
	address, account := g.address(c), identity.NormalEmail(email)
	if wait := g.addresses.take(address); wait > 0 {
		return "", identity.Session{}, tooMany(wait)
	}
	if wait := g.accounts.take(account); wait > 0 {
		return "", identity.Session{}, tooMany(wait)
	}
	token, session, err = g.people.SignIn(c.UserContext(), email, password)
	switch {
	case err == nil:
		g.accounts.forget(account)
		g.addresses.giveBack(address)
	case !errors.Is(err, identity.ErrWrongPassword): // no word about the password
		g.accounts.giveBack(account)
		g.addresses.giveBack(address)
	}
	return token, session, err
}

// SignUp is identity.Service.SignUp for whoever sent the request. Accounts that are made count for their address,
// and so does asking whether there is one. Returns a problem with Code and the time until the next try too.
func (g *Guard) SignUp(c *fiber.Ctx, in identity.SignUp) (identity.User, error) {
	address := g.address(c)
	if wait := g.addresses.take(address); wait > 0 {
		return identity.User{}, tooMany(wait)
	}
	user, err := g.people.SignUp(c.UserContext(), in)
	if err != nil && !errors.Is(err, identity.ErrEmailTaken) {
		g.addresses.giveBack(address)
	}
	return user, err
}

// tooMany counts in whole seconds, since that is what Retry-After counts in.
func tooMany(wait time.Duration) error {
	problem := respond.NewProblem(Code)
	problem.RetryAfter = (wait + time.Second - 1).Truncate(time.Second)
	return problem
}
