package ratelimit

import (
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/token"
	"lunchgo/app/web/respond"
)

// A browser is known for so long after it last signed in, and for so many accounts.
const (
	deviceLife   = 365 * 24 * time.Hour
	mostAccounts = 4
)

// devices knows browsers that have signed in to an account before, by a signed cookie that lists the accounts. The
// cookie opens nothing: it lets the owner's tries to sign in count apart from those of strangers who guess.
type devices struct {
	signer token.Signer
	secure bool
}

func (d devices) cookie() string {
	if d.secure {
		return "__Host-device"
	}
	return "device"
}

// read returns what a browser is called and the accounts that it has signed in to, the latest last.
func (d devices) read(c *fiber.Ctx) (device string, accounts []string) {
	payload, ok := d.signer.Verify(c.Cookies(d.cookie()))
	if !ok {
		return "", nil
	}
	parts := strings.Split(payload, "~")
	return parts[0], parts[1:]
}

// known returns what a browser is called if it has signed in to the account before; empty if not.
func (d devices) known(c *fiber.Ctx, account string) string {
	device, accounts := d.read(c)
	if !slices.Contains(accounts, account) {
		return ""
	}
	return device
}

// RememberDevice makes the browser that sent the request a known device of an account. The caller has made sure that
// its user is the account's owner.
func (g *Guard) RememberDevice(c *fiber.Ctx, email string) {
	d, account := g.devices, accountName(email)
	device, accounts := d.read(c)
	if device == "" {
		device = rand.Text()[:12]
	}
	accounts = append(slices.DeleteFunc(accounts, func(a string) bool { return a == account }), account)
	accounts = accounts[max(len(accounts)-mostAccounts, 0):]
	respond.SetCookie(c, d.cookie(), d.signer.Sign(strings.Join(append([]string{device}, accounts...), "~")),
		deviceLife)
}
