package program

import (
	"cmp"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/events/kafka"
	"lunchgo/app/identity"
	"lunchgo/app/identity/oidc"
	"lunchgo/app/legal"
	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/reserve"
	"lunchgo/app/show"
	"lunchgo/app/sms"
	"lunchgo/app/telemetry"
	"lunchgo/app/token"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web"
	"lunchgo/app/webhooks"
	"lunchgo/db/pg"
)

// Config is what differs between installations.
type Config struct {
	Secrets    token.Secrets  // sign sessions and tickets; the same in all instances
	Web        web.Config     // a nil Zone means Seoul
	Room       waiting.Config // limits of the lines; New sets the prefix, the log and the observer
	Mail       MailConfig
	Texts      TextsConfig
	Webhooks   webhooks.ClientConfig
	Payments   PaymentsConfig
	SignIn     []oidc.Config  // providers by which people sign in, in the order in which they are offered
	Passkeys   string         // the origin for which browsers keep passkeys; empty: none
	Documents  *legal.Library // that people agree to; nil: the built-in ones
	AuditEvery time.Duration  // how often all instances together audit the tables; 0: never
	Show       show.Place     // where visitors of a demo try a rush; none without a slug
	ShowEvery  time.Duration  // how often one begins by itself; 0: when a visitor asks
	Demo       bool           // a demo: its accounts can sign in, and wallets are charged with play money
	Holds      booking.Limits // of accounts; the zero value means the defaults
	// how long Serve goes on after its context has ended, while /readyz sends new requests elsewhere
	Drain      time.Duration
	HoldUnseen time.Duration // how long a hold lasts that came while its diner was away, until they see it; 3 min
	// how long accounts are kept that nobody confirms, uses, or has anything with; 0: for ever
	UnusedKeep time.Duration
	// how long letters are kept, from when they are noted; 0: for ever
	LettersKeep time.Duration
	Kafka       kafka.Cluster // where events are sent to; without brokers: nowhere
	EventsKeep  time.Duration // how long those that were sent can be replayed

	Options
}

// MailConfig says how letters are sent. Without a mail server a demo shows them at /mailbox; elsewhere there are none.
type MailConfig struct {
	SMTPURL string
	From    string
	Site    string // address of the installation, without a slash at its end
}

// TextsConfig says how texts are sent to phones. Without a provider there are none.
type TextsConfig struct {
	Provider  sms.Provider
	Templates map[mail.Kind]string // forms of AlimTalk; a text message where there is none
}

// PaymentsConfig says through whom diners pay what their wallets lack. Without a provider, and without practice, nobody
// can.
type PaymentsConfig struct {
	Provider payments.Provider // nil: none
	Practice bool              // the bank of demos, in place of a provider
	Grace    time.Duration     // by which an open window prolongs a hold, once
}

// Backends are the open connections that a program works on. It does not close them.
type Backends struct {
	DB    *pg.Pool
	Redis redis.UniversalClient

	Tracer *telemetry.Tracer // nil: no traces
}

// Options are what a test sets otherwise. Their zero value is what the product runs with.
type Options struct {
	Prefix        string           // of every key and channel in Redis
	Now           func() time.Time // the clock of everything that is booked
	HashCost      identity.Cost    // of a password
	NoFallback    bool             // without Redis no line goes on
	CatalogMaxAge time.Duration
	ShutdownTime  time.Duration
	Paces         Paces
	Wallets       wallet.Store                              // what the site moves money through
	WrapSlots     func(reserve.SlotStore) reserve.SlotStore // what bookings decide through
}

// Paces say how often a program does what it does by itself.
type Paces struct {
	Sweep   time.Duration // holds that have ended are given back
	Offer   time.Duration // all waitlists are looked at, besides one at once after a change
	Revoked time.Duration // sign-outs at other instances are noticed
	Mail    time.Duration // due letters and pushes are looked for
	Payment time.Duration // payments whose next step is due are looked for, besides those of this instance at once
	Webhook time.Duration // webhooks that are due are looked for
	Forget  time.Duration // notes about guests whose time is over are deleted
	// an event says which slots are sold out or have seats again; up to ten times that while none are
	Announce time.Duration
	Trim     time.Duration // events that were kept long enough are deleted
	Events   kafka.Paces   // events are sent
}

// KeyPrefix is what every key and channel of the product in Redis begins with.
const KeyPrefix = "lunchgo:"

func (o Options) withDefaults(stores Stores) Options {
	o.Prefix = cmp.Or(o.Prefix, KeyPrefix)
	o.CatalogMaxAge = cmp.Or(o.CatalogMaxAge, 5*time.Second)
	o.ShutdownTime = cmp.Or(o.ShutdownTime, 3*time.Second)
	o.HashCost = cmp.Or(o.HashCost, identity.Strong)
	o.Paces.Sweep = cmp.Or(o.Paces.Sweep, time.Second)
	o.Paces.Offer = cmp.Or(o.Paces.Offer, 2*time.Second)
	o.Paces.Revoked = cmp.Or(o.Paces.Revoked, 2*time.Second)
	o.Paces.Mail = cmp.Or(o.Paces.Mail, 2*time.Second)
	o.Paces.Payment = cmp.Or(o.Paces.Payment, 2*time.Second)
	o.Paces.Webhook = cmp.Or(o.Paces.Webhook, time.Second)
	o.Paces.Forget = cmp.Or(o.Paces.Forget, time.Hour)
	o.Paces.Announce = cmp.Or(o.Paces.Announce, 200*time.Millisecond)
	o.Paces.Trim = cmp.Or(o.Paces.Trim, time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wallets == nil {
		o.Wallets = stores.Wallets
	}
	if o.WrapSlots == nil {
		o.WrapSlots = func(s reserve.SlotStore) reserve.SlotStore { return s }
	}
	return o
}
