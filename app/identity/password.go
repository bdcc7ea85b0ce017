package identity

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"
)

// Cost is what a hash takes, and what it looks like.
type Cost = argon2id.Params

// Strong is the cost of OWASP's password storage cheat sheet: 19 MiB, two passes, parallelism 1; 41 ms on the machine
// this was measured on.
var Strong = Cost{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// Hasher hashes passwords with argon2id, a few at a time: each takes 19 MiB and a core, and a rush of sign-ins must not
// take the server's memory.
type Hasher struct {
	cost   Cost
	slots  *semaphore.Weighted // of passwords that are verified
	making *semaphore.Weighted // of hashes that are made: sign-ins do not queue behind sign-ups
	wait   time.Duration
	count  atomic.Int64
	decoy  string // compared against when there is no such user, so that the answer takes as long
}

// NewHasher returns a hasher that verifies atOnce passwords at a time, makes one hash besides, and lets further ones
// wait up to wait for their turn.
func NewHasher(cost Cost, atOnce int, wait time.Duration) (*Hasher, error) {
	decoy, err := argon2id.CreateHash(rand.Text(), &cost)
	if err != nil {
		return nil, fmt.Errorf("identity: hash: %w", err)
	}
	return &Hasher{cost: cost, slots: semaphore.NewWeighted(int64(atOnce)), making: semaphore.NewWeighted(1),
		wait: wait, decoy: decoy}, nil
}

// Hash returns the encoded hash of a password, however its characters are composed. Returns ErrBusy when too many wait.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	if err := h.acquire(ctx, h.making); err != nil {
		return "", err
	}
	defer h.release(h.making)
	return argon2id.CreateHash(norm.NFC.String(password), &h.cost)
}

// Verify compares a password with a hash; an empty hash is nobody's and takes as long. Returns ErrWrongPassword,
// ErrBusy.
func (h *Hasher) Verify(ctx context.Context, password, hash string) error {
	if err := h.acquire(ctx, h.slots); err != nil {
		return err
	}
	defer h.release(h.slots)
	known := hash != ""
	if !known {
		hash = h.decoy
	}
	match, err := argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
	if err != nil || !match || !known {
		return ErrWrongPassword
	}
	return nil
}

// acquire waits for a slot. The caller must release it. Returns ErrBusy when none came free in time.
func (h *Hasher) acquire(ctx context.Context, slots *semaphore.Weighted) error {
	if slots.TryAcquire(1) { // also when the machine is too busy to look before the wait is over
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, h.wait)
	defer cancel()
	if slots.Acquire(ctx, 1) != nil {
		return ErrBusy
	}
	return nil
}

func (h *Hasher) release(slots *semaphore.Weighted) {
	h.count.Add(1)
	slots.Release(1)
}

// Hashes is how many passwords were hashed or compared so far.
func (h *Hasher) Hashes() int64 { return h.count.Load() }

// claim is what somebody shows who asks for more than a session alone allows.
type claim struct {
	session  Session
	user     User   // of the session
	password string // as typed
	at       time.Time
}

// prove returns ErrWrongPassword unless it is the person who asks, and not somebody who found their browser signed in.
func (h *Hasher) prove(ctx context.Context, c claim) error {
	if c.session.IsFresh(c.at) || c.user.Provisional { // which has no password
		return nil
	}
	if len(c.password) > MaxPassword {
		return ErrWrongPassword
	}
	return h.Verify(ctx, c.password, c.user.PasswordHash)
}
