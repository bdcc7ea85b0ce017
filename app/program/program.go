// Package program builds the product from its parts: the stores, the use cases, the waiting room and the site. The
// binary and every test that needs the whole start the same program.
package program

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/availability"
	"lunchgo/app/booking"
	"lunchgo/app/closing"
	"lunchgo/app/coupon"
	"lunchgo/app/door"
	"lunchgo/app/evening"
	"lunchgo/app/events/kafka"
	"lunchgo/app/favourites"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/identity/oidc"
	"lunchgo/app/identity/passkey"
	"lunchgo/app/legal"
	"lunchgo/app/lineup"
	"lunchgo/app/mail"
	"lunchgo/app/messages"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/push"
	"lunchgo/app/receipt"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reports"
	"lunchgo/app/reserve"
	"lunchgo/app/reviews"
	"lunchgo/app/setup"
	"lunchgo/app/show"
	"lunchgo/app/sms"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web"
	"lunchgo/app/web/ops"
	"lunchgo/app/web/usecases"
	"lunchgo/app/webhooks"
	"lunchgo/views/i18n"
)

// How many passwords are hashed at once, and how long others wait for their turn.
const (
	hashesAtOnce = 2
	hashPatience = 5 * time.Second
)

// Program is one running process of the product.
type Program struct {
	usecases.All
	Stores       Stores
	Hasher       *identity.Hasher
	Payments     *payments.Service
	Bank         *practice.Bank // of demos; nil where they pay otherwise
	Availability *availability.Cache
	Site         *web.Server

	config   Config
	backends Backends
	log      *slog.Logger
	offerer  *reserve.Offerer
	post     *mail.Post   // nil without a mail server
	texter   *sms.Sender  // nil without a provider
	relay    *kafka.Relay // nil without Kafka
	line     *ops.LineMetrics
	ran      *ops.JobMetrics
	audits   *ops.AuditMetrics
	outgoing *ops.EventMetrics
	concerns *audit.Board
	sender   webhooks.Sender
	pusher   push.Sender

	webhookMetrics *ops.WebhookMetrics
	paid           *ops.PaymentMetrics

	stop    context.CancelFunc
	ended   context.CancelFunc
	life    context.Context // of what requests begin and do not wait for; ends with Close
	running sync.WaitGroup
}

// New builds a program on open backends: the stores, what diners and staff can do, the waiting room, and the site in
// front of it all. Start it, Serve it, and Close it in the end.
func New(config Config, backends Backends, log *slog.Logger) (*Program, error) {
	stores := NewStores(backends.DB)
	config.Options = config.withDefaults(stores)
	config.Web.PlayMoney = config.Demo
	if !config.Demo {
		config.Wallets = wallet.WithoutCharges{Store: config.Wallets}
	}
	config.Holds = cmp.Or(config.Holds, booking.DefaultLimits())
	stores.Slots.Limits, stores.Reservations.Limits, stores.Waitlist.Limits = config.Holds, config.Holds, config.Holds
	life, ended := context.WithCancel(context.Background())
	p := &Program{life: life, ended: ended, Stores: stores, config: config, backends: backends, log: log,
		stop: func() {}, line: ops.NewLineMetrics(), ran: ops.NewJobMetrics(), audits: new(ops.AuditMetrics),
		concerns:       &audit.Board{},
		webhookMetrics: ops.NewWebhookMetrics(), paid: ops.NewPaymentMetrics()}
	zone := config.Web.Zone
	var err error
	if zone == nil {
		if zone, err = time.LoadLocation("Asia/Seoul"); err != nil {
			return nil, fmt.Errorf("time zone: %w", err)
		}
	}
	if p.config.Room.Receipts, err = receipt.NewSigner(config.Secrets); err != nil {
		return nil, err
	}
	if err := p.addPeople(); err != nil {
		return nil, err
	}
	p.Go, p.Wallets = p.inBackground, p.config.Wallets
	p.Documents = cmp.Or(p.config.Documents, legal.BuiltIn())
	p.Providers = oidc.NewService(p.config.SignIn, p.config.Secrets, time.Now, p.log)
	p.Reports, p.Guests = reports.NewService(stores.Reports), guests.NewService(stores.Guests)
	p.Offers = reserve.NewOfferLinks(config.Secrets)
	p.PaymentLinks = reserve.NewPaymentLinks(config.Secrets)
	p.CompanionLinks = reserve.NewCompanionLinks(config.Secrets)
	p.ComingLinks = reserve.NewComingLinks(config.Secrets)
	if err := p.addWebhooks(); err != nil {
		return nil, err
	}
	catalog := reserve.NewCachedCatalog(stores.Catalog, config.CatalogMaxAge, i18n.PlaceNames)
	if err := p.addPost(catalog); err != nil {
		return nil, err
	}
	p.addTexts(catalog)
	if err := p.addPush(catalog); err != nil {
		return nil, err
	}
	p.addRelay()
	p.Coupons = coupon.NewService(stores.Campaigns, config.Now)
	p.addBookings(catalog)
	p.addSetup(catalog)
	p.addPayments(zone)
	p.Contents = &setup.Contents{Store: p.Stores.Contents, Decoder: setup.NewDecoder(), Now: p.config.Now}
	p.Rehearsals = &rehearsal.Service{Store: p.Stores.Rehearsals, Bookings: p.Bookings,
		Lines: lineup.Lengths{Room: p.Room}, Go: p.inBackground, Now: p.config.Now, Log: log}
	if p.config.Demo && p.config.Show.Slug != "" {
		p.Show = &show.Service{Place: p.config.Show, Bookings: p.Bookings, Users: p.Stores.Users, Store: p.Stores.Seeds,
			Wallets: p.Stores.Wallets, Go: p.inBackground, Now: p.config.Now, Log: log}
	}
	p.Site = p.newSite(zone)
	return p, nil
}

func (p *Program) addPeople() (err error) {
	p.Hasher, err = identity.NewHasher(p.config.HashCost, hashesAtOnce, hashPatience)
	if err != nil {
		return err
	}
	sessions := identity.NewSessions(p.config.Secrets, p.Stores.Users, time.Now)
	p.Identity = &identity.Service{Store: p.Stores.Users, Hasher: p.Hasher, Sessions: sessions, Now: time.Now,
		Demo: p.config.Demo, Links: p.Stores.Users, Identities: p.Stores.Users, Consents: p.Stores.Users,
		Signer: identity.NewLinkSigner(p.config.Secrets)}
	p.Passkeys, err = passkey.New(passkey.Config{Origin: p.config.Passkeys, Store: p.Stores.Users, Users: p.Stores.Users,
		Sessions: sessions, Redis: p.backends.Redis, Prefix: p.config.Prefix, Log: p.log})
	if err != nil {
		return err
	}
	p.Accounts = &identity.Accounts{Store: p.Stores.Users, Hasher: p.Hasher, Sessions: sessions, Now: time.Now}
	p.Team = &team.Service{Store: p.Stores.Team, Signer: team.NewInvitationSigner(p.config.Secrets)}
	p.Operators = &identity.Operators{Store: p.Stores.Operators, People: p.Identity,
		Signer: identity.NewOperatorSigner(p.config.Secrets)}
	return nil
}

// addBookings builds what depends on one another: bookings enter the room, the room has its turns served by the
// bookings, and the availability, which bookings keep up to date, closes lines of the room and wakes the offerer. Two
// functions refer to parts that follow, and are not called before Start and Serve.
func (p *Program) addBookings(catalog *reserve.CachedCatalog) {
	bookings := &reserve.Service{Catalog: catalog, Directory: catalog.Directory,
		Slots: p.config.WrapSlots(p.Stores.Slots), Stocks: p.Stores.Stocks, Reservations: p.Stores.Reservations,
		Members: p.Stores.Users, Accounts: p.Identity, Coupons: p.Coupons, Now: p.config.Now, Log: p.log}
	bookings.HoldUnseen = cmp.Or(p.config.HoldUnseen, booking.HoldUnseen)
	slots := lineup.Slots{Bookings: bookings, HoldUnseen: bookings.HoldUnseen}
	p.Room = p.openRoom(lineup.Handler{Slots: slots, Campaigns: lineup.Campaigns{Service: p.Coupons}})
	p.Availability = availability.Open(p.backends.Redis, p.config.Prefix, p.Stores.Slots, p.log,
		func(ctx context.Context, slot booking.SlotKey, o booking.Occupancy) {
			p.closeLine(ctx, slots, slot, o)
			if p.relay != nil {
				p.relay.Hint()
			}
			if o.Promised > 0 {
				p.offerer.Notify(slot)
			}
		})
	p.offerer = reserve.NewOfferer(p.Stores.Waitlist, catalog, p.Availability)
	bookings.Availability, bookings.Lines, bookings.Room = p.Availability, lineup.Lengths{Room: p.Room}, p.Room
	p.Bookings = bookings
	p.Doors = &door.Service{Store: p.Stores.Doors, Bookings: bookings, Links: door.NewLinks(p.config.Secrets),
		ClaimTime: p.Room.MaxWait()}
	p.Evenings = &evening.Service{Store: p.Stores.Evenings, Lines: slotLines{p.Room}, Bookings: bookings,
		Doors: p.Stores.Doors, Concerns: p.concerns}
	p.Waitlists = &reserve.Waitlists{Store: p.Stores.Waitlist, Catalog: catalog, Availability: p.Availability,
		Now: p.config.Now}
}

// addSetup adds what owners decide. This process sees it at once, the others when they read the catalogue again.
func (p *Program) addSetup(catalog *reserve.CachedCatalog) {
	forget := func(id int64, slots []booking.SlotKey) {
		catalog.Forget(id)
		p.refresh(slots)
	}
	isOperator := p.Stores.Operators.IsOperator
	p.Reviews = &reviews.Service{Store: p.Stores.Reviews, IsOperator: isOperator}
	p.Closings = &closing.Service{Store: p.Stores.Closings, Bookings: p.Bookings, Now: p.config.Now}
	p.Messages = &messages.Service{Store: p.Stores.Messages, Now: p.config.Now}
	p.Closings.Messages = p.Messages
	p.Favourites = &favourites.Service{Store: p.Stores.Favourites, Catalog: catalog}
	p.Rules = &setup.Service{Store: p.Stores.Documents, IsOperator: isOperator, AtOnce: p.config.Demo, Forget: forget,
		Now: p.config.Now, NoPayments: !p.config.Demo && p.config.Payments.Provider == nil}
	p.Closings.Rules = p.Rules
	p.Drafts = &reserve.Drafts{Store: p.Stores.Drafts, IsOperator: isOperator, Ready: p.Rules.Ready, Changed: forget}
}

func (p *Program) openRoom(handler waiting.Handler) *waiting.Room {
	config := p.config.Room
	config.Prefix, config.Log, config.Seen = p.config.Prefix, p.log, p.Stores.Reservations.SeeHolds
	config.ServedSince = p.Stores.Slots.ServedSince
	config.Logs = p.Stores.LineLogs
	config.Tallies = func(ctx context.Context, counted []waiting.Tally) error {
		ofSlots := lineup.TalliesOf(counted)
		if len(ofSlots) == 0 {
			return nil
		}
		return p.Stores.Reports.AddTallies(ctx, ofSlots)
	}
	config.Tracer = p.backends.Tracer
	config.Lines.Fallback, config.Lines.Observer, config.Lines.Logger = !p.config.NoFallback, p.line, p.log
	return waiting.Open(p.backends.Redis, handler, waiting.NewSigner(p.config.Secrets), config)
}

// closeLine answers those who wait for a slot as soon as it is known that nobody can be seated there any more.
func (p *Program) closeLine(ctx context.Context, slots lineup.Slots, slot booking.SlotKey,
	o booking.Occupancy) {
	answer := slots.Closing(ctx, slot, o)
	if answer == nil {
		return
	}
	if err := p.Room.CloseLine(ctx, lineup.OfSlot(slot), *answer); err != nil {
		p.log.WarnContext(ctx, "close line failed", "slot", slot, "error", err)
	}
}

// addPost adds what sends letters, where there is a mail server. Without one a demo shows them to whoever signed up with
// their address; anywhere else that would confirm addresses which nobody owns.
func (p *Program) addPost(catalog reserve.Catalog) error {
	c := p.config.Mail
	if c.SMTPURL == "" {
		if p.config.Demo {
			p.config.Web.Mailbox = &mail.Mailbox{Store: p.Stores.Mails, Composer: p.composer(catalog, ""), Now: time.Now}
			return nil
		}
		p.config.Web.NoLetters = true
		p.log.Error("SMTP_URL is not set: no letters are sent, so nobody can confirm an address, open a restaurant, be " +
			"invited to a team, or sign in without a password")
		return nil
	}
	carrier, err := mail.NewSMTP(c.SMTPURL, c.From)
	if err != nil {
		return err
	}
	p.post = &mail.Post{Store: p.Stores.Mails, Composer: p.composer(catalog, c.Site), Carrier: carrier, Now: time.Now,
		Log: p.log}
	return nil
}

// addTexts adds what sends texts to phones, where there is who sends them.
func (p *Program) addTexts(catalog reserve.Catalog) {
	c := p.config.Texts
	if c.Provider == nil {
		return
	}
	p.config.Web.Texts = true
	p.texter = &sms.Sender{Store: p.Stores.Texts, Composer: p.composer(catalog, p.config.Mail.Site), Provider: c.Provider,
		Templates: c.Templates, Now: time.Now, Log: p.log}
}

func (p *Program) composer(catalog reserve.Catalog, site string) mail.Composer {
	return mail.Composer{Catalog: catalog, Offers: p.Offers, Payments: p.PaymentLinks, Coming: p.ComingLinks,
		Links: p.Identity.Signer, Invitations: p.Team.Signer, Doors: door.NewLinks(p.config.Secrets), Site: site}
}

// addRelay adds what sends events, where there is Kafka.
func (p *Program) addRelay() {
	if len(p.config.Kafka.Brokers) == 0 {
		return
	}
	p.outgoing = ops.NewEventMetrics()
	p.relay = kafka.NewRelay(kafka.Config{Store: p.Stores.Outbox, Kafka: p.config.Kafka, Holder: rand.Text(),
		Paces: p.config.Paces.Events, Meter: p.outgoing, Log: p.log})
}

// inBackground runs a function until Close.
func (p *Program) inBackground(f func(ctx context.Context)) {
	p.running.Go(func() { f(p.life) })
}

func (p *Program) newSite(zone *time.Location) *web.Server {
	config, b := p.config.Web, p.backends
	config.Zone = zone
	return web.New(web.Deps{
		Config:      config,
		All:         p.All,
		Restaurants: p.Stores.Catalog,
		Payments:    p.Payments,
		Bank:        p.Bank,
		Redis:       b.Redis,
		Prefix:      p.config.Prefix,
		Secrets:     p.config.Secrets,
		Log:         p.log,
		Tracer:      p.backends.Tracer,
		Watched: ops.Deps{
			Checks:         map[string]ops.Check{"postgres": b.DB.Ping},
			OptionalChecks: map[string]ops.Check{"redis": p.writeToRedis},
			Pool:           b.DB.Stats,
			Replica:        b.DB.ReplicaStats(),
			Line:           p.line,
			Backends:       timed(b),
			Backlog:        backlogOf(b.DB),
			Jobs:           p.ran,
			Audit:          p.audits,
			Outgoing:       p.outgoing,
			Webhooks:       p.webhookMetrics,
			Payments:       p.paid,
		},
	})
}
