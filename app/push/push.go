// Package push reaches diners who are away, at the browsers that they have subscribed (Web Push, RFC 8030): the letters
// that cannot wait go there too. Staff who have asked for it hear of new bookings so. The database notes what is to be
// pushed with the letter; a Sender sends it.
package push

import (
	"context"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/refusal"
	"lunchgo/app/team"
	"lunchgo/app/token"
	"lunchgo/app/webhooks"
)

// GatherTime is how far apart pushes of new bookings to a browser are at least: what comes in between is one push.
const GatherTime = time.Minute

// MaxSubscriptions is how many browsers of a diner are pushed to: with one more, the oldest goes.
const MaxSubscriptions = 10

const (
	maxEndpoint = 1000 // bytes
	authBytes   = 16   // RFC 8291, 3.2
)

// Subscription is where a browser is pushed to, as it says itself. It goes with the session in which it was made.
type Subscription struct {
	ID       int64
	Endpoint string // https; whoever knows it, and signs with Key, can push
	P256dh   string // the browser's public key, in base64url
	Auth     string // 16 bytes, in base64url
	Key      string // of ours that it was made with, as Key.Public has it
}

// isValid says whether a subscription can be sent to. Its host is resolved when something is.
func (s Subscription) isValid(private bool) bool {
	point, _ := base64.RawURLEncoding.DecodeString(s.P256dh)
	auth, err := base64.RawURLEncoding.DecodeString(s.Auth)
	_, keyErr := ecdh.P256().NewPublicKey(point)
	return err == nil && keyErr == nil && len(auth) == authBytes &&
		webhooks.CheckURL(s.Endpoint, maxEndpoint, private) == ""
}

// Key says who pushes (VAPID, RFC 8292). A subscription takes pushes of the key alone that it was made with.
type Key struct{ private, public string } // in base64url

// Public returns the key that browsers subscribe with: the point on P-256, uncompressed, in base64url.
func (k Key) Public() string { return k.public }

// Keys are those of the installation's secrets. Browsers subscribe with the first.
type Keys []Key

// NewKeys derives the keys, so that all processes push alike.
func NewKeys(secrets token.Secrets) (keys Keys, err error) {
	for _, secret := range secrets {
		seed, err := hkdf.Key(sha256.New, []byte(secret), nil, "lunchgo web push v1", 32)
		if err != nil {
			return nil, fmt.Errorf("push: derive the key: %w", err)
		}
		private, err := ecdh.P256().NewPrivateKey(seed) // refuses one of four billion secrets
		if err != nil {
			return nil, fmt.Errorf("push: derive the key: %w", err)
		}
		encode := base64.RawURLEncoding.EncodeToString
		keys = append(keys, Key{encode(private.Bytes()), encode(private.PublicKey().Bytes())})
	}
	return keys, nil
}

// find returns the key that a subscription was made with; false if its secret is none any more.
func (keys Keys) find(s Subscription) (Key, bool) {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.public == s.Key })
	if i < 0 {
		return Key{}, false
	}
	return keys[i], true
}

// Push is a letter, or new bookings, on its way to a browser.
type Push struct {
	mail.Note // its attempts are those of the push
	Bookings  Bookings
	To        Subscription
}

// Bookings are those that diners have made at a restaurant since its staff were pushed to last.
type Bookings struct {
	RestaurantID int64 // 0 of a letter
	IDs          []int64
	Count        int
	People       int
	First, Last  booking.SlotKey // that are booked, by time
}

// Store keeps subscriptions.
type Store interface {
	// Subscribe keeps a subscription until its session ends. One with the same endpoint, or of the same session, goes.
	// Returns identity.ErrNoSession for a session that is not listed.
	Subscribe(ctx context.Context, session identity.Session, s Subscription) error
	// SubscribeParty keeps a subscription of a party at the door until the party is forgotten. Returns
	// booking.ErrNotFound for a party that does not wait, and for one that has MaxSubscriptions others.
	SubscribeParty(ctx context.Context, partyID string, s Subscription) error
	// Follow has new bookings pushed to the browser of a session until that or the membership ends. Returns
	// booking.ErrNotFound for a session without a subscription, or of who does not work there.
	Follow(ctx context.Context, session identity.Session, restaurantID int64) error
	// Unfollow ends that.
	Unfollow(ctx context.Context, session identity.Session, restaurantID int64) error
	// Follows says whether new bookings are pushed to the browser of a session.
	Follows(ctx context.Context, session identity.Session, restaurantID int64) (bool, error)
}

// Queue keeps pushes. Several instances may take from it at once.
type Queue interface {
	// TakePushes takes up to limit pushes that are due. Whoever takes one has until its next attempt is due to send it:
	// 10 s, which doubles with every attempt. New bookings of a restaurant are one push to each browser.
	TakePushes(ctx context.Context, limit int) ([]Push, error)
	// DeletePush deletes a push that was sent, or is given up. Of new bookings those that come after it are gathered for
	// GatherTime.
	DeletePush(ctx context.Context, p Push) error
	// PostponePush makes a push that was sent due once more.
	PostponePush(ctx context.Context, p Push, until time.Time) error
	// Unsubscribe deletes a subscription with its pushes.
	Unsubscribe(ctx context.Context, id int64) error
}

// Service is what diners and staff do with their subscriptions.
type Service struct {
	Store           Store
	Keys            Keys
	PrivateNetworks bool // endpoints may be inside the server's network, and without TLS: for tests
}

// Subscribe has letters that cannot wait pushed to a browser until its session ends. Returns refusal.Invalid for what
// no browser sends, and identity.ErrNoSession.
func (s *Service) Subscribe(ctx context.Context, session identity.Session, sub Subscription) error {
	if !s.takes(sub) {
		return refusal.Invalid
	}
	return s.Store.Subscribe(ctx, session, sub)
}

// SubscribeParty has the call of a party at the door pushed to a browser. Returns refusal.Invalid as Subscribe does,
// and the errors of Store.SubscribeParty.
func (s *Service) SubscribeParty(ctx context.Context, partyID string, sub Subscription) error {
	if !s.takes(sub) {
		return refusal.Invalid
	}
	return s.Store.SubscribeParty(ctx, partyID, sub)
}

// Follow has new bookings of a restaurant pushed to a browser of its staff. Returns refusal.Invalid and
// identity.ErrNoSession as Subscribe does, and the errors of team.Staff.Check.
func (s *Service) Follow(ctx context.Context, by team.Staff, session identity.Session, sub Subscription) error {
	if err := by.Check(by.RestaurantID(), team.SeeEvening); err != nil {
		return err
	}
	if err := s.Subscribe(ctx, session, sub); err != nil {
		return err
	}
	return s.Store.Follow(ctx, session, by.RestaurantID())
}

func (s *Service) takes(sub Subscription) bool {
	_, ours := s.Keys.find(sub)
	return ours && sub.isValid(s.PrivateNetworks)
}
