package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/availability"
	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web"
	"lunchgo/app/web/ops"
	"lunchgo/db"
	"lunchgo/locks"
)

// Every key and channel of the product in Redis begins with it.
const keyPrefix = "lunchgo:"

// Paces of what an instance does by itself, and of what it remembers.
const (
	sweepEvery    = time.Second     // holds that have ended are given back
	offerEvery    = 2 * time.Second // waitlists are looked at, besides at once after a change
	revokedEvery  = 2 * time.Second // sign-outs at other instances are noticed
	catalogMaxAge = 5 * time.Second // a changed menu or opening hour shows
	passwordsWait = 5 * time.Second // for a turn at hashing
	hashesAtOnce  = 2
)

// instance is one running process of the product: the parts, and what has to be ended.
type instance struct {
	config   Config
	backends *backends
	log      *slog.Logger

	catalog      *db.Catalog
	slots        *db.SlotStore
	reservations *db.ReservationStore
	wallets      *db.WalletStore
	users        *db.UserStore
	mails        *db.MailStore
	operator     *db.SeedStore

	hasher       *identity.Hasher
	people       *identity.Service
	bookings     *reserve.Service
	waitlists    *reserve.Waitlists
	offerer      *reserve.Offerer
	coupons      *coupon.Service
	room         *waiting.Room
	availability *availability.Cache
	site         *web.Server
	line         *ops.LineMetrics
	books        *ops.AuditMetrics

	stop    context.CancelFunc
	running sync.WaitGroup
}

// newInstance builds the parts on open backends and starts what runs in the background. Close it.
func newInstance(c Config, b *backends, log *slog.Logger) (*instance, error) {
	i := &instance{
		config:       c,
		backends:     b,
		log:          log,
		catalog:      db.NewCatalog(b.DB),
		slots:        db.NewSlotStore(b.DB),
		reservations: db.NewReservationStore(b.DB),
		wallets:      db.NewWalletStore(b.DB),
		users:        db.NewUserStore(b.DB),
		mails:        db.NewMailStore(b.DB),
		operator:     db.NewSeedStore(b.DB),
		line:         ops.NewLineMetrics(),
		books:        ops.NewAuditMetrics(),
	}
	secret, err := c.signingSecret()
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		return nil, fmt.Errorf("time zone: %w", err)
	}
	if i.hasher, err = identity.NewHasher(identity.Strong, hashesAtOnce, passwordsWait); err != nil {
		return nil, err
	}
	i.newServices(secret)
	post, err := newPost(c, secret, i.mails, i.bookings.Catalog, log)
	if err != nil {
		return nil, err
	}
	i.openRoom(secret)
	i.site = i.newSite(zone, secret)
	i.work(post)
	return i, nil
}

func (i *instance) newServices(secret []byte) {
	sessions := identity.NewSessions(secret, i.users, time.Now, i.log)
	i.people = &identity.Service{Store: i.users, Hasher: i.hasher, Sessions: sessions, Now: time.Now}
	i.bookings = &reserve.Service{
		Catalog:      &reserve.CachedCatalog{Source: i.catalog, MaxAge: catalogMaxAge},
		Slots:        i.slots,
		Stocks:       db.NewStockStore(i.backends.DB),
		Reservations: i.reservations,
		Now:          time.Now,
		Log:          i.log,
	}
	i.coupons = &coupon.Service{Store: db.NewCouponStore(i.backends.DB), Now: time.Now}
}

// openRoom opens the waiting room, and the cache whose news close its lines.
func (i *instance) openRoom(secret []byte) {
	desk := waiting.Reservations{Bookings: i.bookings}
	desks := waiting.Dispatcher{Slots: desk, Campaigns: waiting.Coupons{Campaigns: i.coupons}}
	i.room = waiting.Open(i.backends.Redis, desks, waiting.NewSigner(secret), waiting.Config{
		Prefix: keyPrefix, Grace: i.config.LineGrace, MaxWait: i.config.LineMaxWait, MaxLine: i.config.LineMaxLength,
		Lines: locks.Config{Fallback: true, Observer: i.line, Logger: i.log}, Log: i.log,
	})
	close := closeLines(desk, i.room, i.log)
	i.availability = availability.Open(i.backends.Redis, keyPrefix, i.slots, i.log,
		func(ctx context.Context, slot booking.SlotKey, o booking.Occupancy) {
			close(ctx, slot, o)
			if o.Promised > 0 {
				i.offerer.Look(slot)
			}
		})
	i.bookings.Availability, i.bookings.Lines = i.availability, waiting.Lines{Room: i.room}
	i.bookings.Coupons, i.bookings.Room = i.coupons, i.room
	store := db.NewWaitlistStore(i.backends.DB)
	i.waitlists = &reserve.Waitlists{Store: store, Catalog: i.bookings.Catalog, Availability: i.availability, Now: time.Now}
	i.offerer = reserve.NewOfferer(store, i.bookings.Catalog, i.availability, offerEvery, i.log)
}

func (i *instance) newSite(zone *time.Location, secret []byte) *web.Server {
	c, b := i.config, i.backends
	return web.New(web.Deps{
		Config: web.Config{Secure: c.secure(), TrustedProxies: c.TrustedProxies, BaseURL: c.PublicURL, Zone: zone,
			Demo: demoAccounts(c), Mailbox: mailbox(c, i.mails)},
		Identity: i.people, Bookings: i.bookings, Waitlists: i.waitlists, Offers: reserve.NewOfferLinks(secret), Coupons: i.coupons, Wallets: i.wallets, Room: i.room, Log: i.log,
		Checks:         map[string]ops.Check{"postgres": b.DB.Ping},
		OptionalChecks: map[string]ops.Check{"redis": func(ctx context.Context) error { return b.Redis.Ping(ctx).Err() }},
		Pool:           b.DB.Stats, Line: i.line, Audit: i.books,
	})
}

// work starts what runs in the background. post may be nil.
func (i *instance) work(post *mail.Post) {
	ctx, stop := context.WithCancel(context.Background())
	i.stop = stop
	sweeper := reserve.Sweeper{Reservations: i.reservations, Availability: i.availability, Every: sweepEvery, Log: i.log}
	i.running.Go(func() { sweeper.Run(ctx) })
	i.running.Go(func() { i.offerer.Run(ctx) })
	i.running.Go(func() { i.people.Sessions.Follow(ctx, revokedEvery) })
	if post != nil {
		i.running.Go(func() { post.Run(ctx) })
	}
	if i.config.AuditEvery > 0 {
		auditor := audit.Job{Books: db.NewAuditStore(i.backends.DB), Every: i.config.AuditEvery, Tell: auditInto(i.books), Log: i.log}
		i.running.Go(func() { auditor.Run(ctx) })
	}
}

// closeLines answers those who wait for a slot as soon as it is known that nobody can be seated there any more.
func closeLines(desk waiting.Reservations, room *waiting.Room, log *slog.Logger) func(context.Context, booking.SlotKey, booking.Occupancy) {
	return func(ctx context.Context, slot booking.SlotKey, o booking.Occupancy) {
		answer := desk.Closing(ctx, slot, o)
		if answer == nil {
			return
		}
		if err := room.CloseLine(ctx, waiting.LineOf(slot), *answer); err != nil {
			log.Warn("a line is not closed", "slot", slot, "error", err)
		}
	}
}

// close ends what runs in the background. The site and the room are closed already where the instance served.
func (i *instance) close() error {
	i.stop()
	i.running.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	err := i.room.Close(ctx)
	i.availability.Close()
	if errors.Is(err, locks.ErrClientClosed) {
		return nil
	}
	return err
}
