package ratelimit

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

// SignIn is identity.Service.SignIn for whoever sent the request. A browser that signs in becomes a known device of the
// account. Returns respond.TooManyAttempts with the time until the next try too.
func (g *Guard) SignIn(c *fiber.Ctx, email, password string) (signed string, session identity.Session, err error) {
	ctx, tries := c.UserContext(), g.triesOf(c, email)
	if wait := g.counter.take(ctx, tries...); wait > 0 {
		return "", identity.Session{}, limited(respond.TooManyAttempts, wait)
	}
	signed, session, err = g.people.SignIn(ctx, email, password)
	switch {
	case err == nil:
		g.counter.forgive(ctx, tries[0], tries[1:]...)
		g.RememberDevice(c, email)
	case !errors.Is(err, identity.ErrWrongPassword): // no word about the password
		g.counter.undoTake(ctx, tries...)
	}
	return signed, session, err
}

// triesOf are the buckets that a try to sign in takes from; the first is the person's own. A known device of the
// account counts for itself, and not among strangers.
func (g *Guard) triesOf(c *fiber.Ctx, email string) []bucket {
	account := accountName(email)
	if device := g.devices.known(c, account); device != "" {
		return []bucket{{key: "{signin}:" + account + ":" + device, pace: signInsOfDevice}}
	}
	address := g.address(c)
	return []bucket{{key: "{signin}:" + account + ":" + address, pace: signInsOfPair},
		{key: "{signin}:" + account, pace: signInsOfStrangers},
		{key: "{signin}:" + address, pace: signInsOfAddress}}
}

// SendSignInLink is identity.Service.SendSignInLink for whoever sent the request; each counts for their address.
// Returns a problem with respond.TooManyRequests too.
func (g *Guard) SendSignInLink(c *fiber.Ctx, email, next string) error {
	of := bucket{key: "{signinlink:" + g.address(c) + "}", pace: linksOfAddress}
	if wait := g.counter.take(c.UserContext(), of); wait > 0 {
		return limited(respond.TooManyRequests, wait)
	}
	return g.people.SendSignInLink(c.UserContext(), email, next)
}

// FollowLink counts a press of a link that signs in for a payment, for the address that it comes from. Returns a
// problem with respond.TooManyRequests.
func (g *Guard) FollowLink(c *fiber.Ctx) error { return g.countAtAddress(c, "paymentlink") }

// ReturnFromProvider counts, in the same way, who comes back from a provider of sign-ins, which is asked about each.
func (g *Guard) ReturnFromProvider(c *fiber.Ctx) error { return g.countAtAddress(c, "signinwith") }

// AskForPasskey counts, in the same way, who is about to sign in by a passkey: each keeps a challenge in Redis.
func (g *Guard) AskForPasskey(c *fiber.Ctx) error { return g.countAtAddress(c, "passkeychallenge") }

// AnswerByPasskey counts, in the same way, who answers such a challenge.
func (g *Guard) AnswerByPasskey(c *fiber.Ctx) error { return g.countAtAddress(c, "passkey") }

func (g *Guard) countAtAddress(c *fiber.Ctx, what string) error {
	of := bucket{key: "{" + what + ":" + g.address(c) + "}", pace: linksOfAddress}
	if wait := g.counter.take(c.UserContext(), of); wait > 0 {
		return tooManyRequests(wait)
	}
	return nil
}

// SignUp is identity.Service.SignUp for whoever sent the request. Every one counts for their address. Returns a problem
// with respond.TooManyRequests and the time until the next try too.
func (g *Guard) SignUp(c *fiber.Ctx, in identity.SignUp) (user identity.User, err error) {
	err = g.countSignUp(c, func(ctx context.Context) error {
		user, err = g.people.SignUp(ctx, in)
		return err
	})
	return user, err
}

// Introduce is identity.Service.Introduce, counted and refused as SignUp is.
func (g *Guard) Introduce(c *fiber.Ctx, in identity.SignUp, key string) (signed string, session identity.Session,
	err error) {
	err = g.countSignUp(c, func(ctx context.Context) error {
		signed, session, err = g.people.Introduce(ctx, in, key)
		return err
	})
	return signed, session, err
}

// countSignUp makes an account, unless too many were made from the address; one that is not made does not count.
func (g *Guard) countSignUp(c *fiber.Ctx, signUp func(context.Context) error) error {
	of := bucket{key: "{signup:" + g.address(c) + "}", pace: per(time.Hour, g.limits.SignUps)}
	if wait := g.counter.take(c.UserContext(), of); wait > 0 {
		return limited(respond.TooManyRequests, wait)
	}
	err := signUp(c.UserContext())
	if err != nil {
		g.counter.undoTake(c.UserContext(), of)
	}
	return err
}

// accountName names the account of an e-mail address, whether there is one or not.
func accountName(email string) string { return digest(identity.NormalEmail(email)) }
