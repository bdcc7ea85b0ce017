// Package ratelimit bounds how much one account, or one address without an account, may ask of the server: one counter
// in Redis for all processes. Signed-in work counts by account, never by address, since a carrier puts a whole city
// behind one.
package ratelimit

import (
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/netip"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/identity"
	"lunchgo/app/token"
)

// Config is what a guard works with.
type Config struct {
	People  *identity.Service
	Redis   redis.Cmdable
	Prefix  string        // of every key in Redis
	Secrets token.Secrets // sign the cookies of known devices; the same in all instances
	Secure  bool          // served over TLS
	Proxies []string      // addresses or networks whose X-Forwarded-For is believed
	Limits  Limits
	Log     *slog.Logger
}

// Guard keeps requests within the limits. Its methods may be called at once from many goroutines.
type Guard struct {
	people  *identity.Service
	proxies []netip.Prefix
	limits  Limits
	counter *counter
	leases  *leases
	reads   *memory
	devices devices
	log     *slog.Logger
	warned  atomic.Int64 // when the log last said that a proxy is not trusted, in ns of the Unix time
}

// New returns a guard.
func New(c Config) *Guard {
	counter := newCounter(c.Redis, c.Prefix, c.Log)
	return &Guard{people: c.People, proxies: prefixes(c.Proxies), limits: c.Limits.Defaults(), counter: counter,
		leases: newLeases(counter), reads: newMemory(),
		devices: devices{signer: token.NewSigner(c.Secrets, "lunchgo device v1", token.Short), secure: c.Secure},
		log:     c.Log}
}

// digest is a short text for a long one that a person or a program has chosen, or that keys in Redis should not show.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}
