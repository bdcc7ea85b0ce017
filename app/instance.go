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
	revokedEvery  = 2 * time.Second // sign-outs at other instances are noticed
	catalogMaxAge = 5 * time.Second // a changed menu or opening hour shows
	passwordsWait = 5 * time.Second // for a turn at hashing
	hashesAtOnce  = 2
)

// instance is one running process of the product: the parts, and what has to be ended.
type instance struct {
	log          *slog.Logger
	catalog      *db.Catalog
	slots        *db.SlotStore
	reservations *db.ReservationStore
	wallets      *db.WalletStore
	users        *db.UserStore
	operator     *db.SeedStore
	hasher       *identity.Hasher
	room         *waiting.Room
	availability *availability.Cache
	site         *web.Server

	stop    context.CancelFunc
	running sync.WaitGroup
}

// newInstance builds the parts on open backends and starts what runs in the background. Close it.
func newInstance(c Config, b *backends, log *slog.Logger) (*instance, error) {
	secret, err := c.signingSecret()
	if err != nil {
		return nil, err
	}
	i := &instance{
		log:          log,
		catalog:      db.NewCatalog(b.DB),
		slots:        db.NewSlotStore(b.DB),
		reservations: db.NewReservationStore(b.DB),
		wallets:      db.NewWalletStore(b.DB),
		users:        db.NewUserStore(b.DB),
		operator:     db.NewSeedStore(b.DB),
	}
	if i.hasher, err = identity.NewHasher(identity.Strong, hashesAtOnce, passwordsWait); err != nil {
		return nil, err
	}
	sessions := identity.NewSessions(secret, i.users, time.Now, log)
	people := &identity.Service{Store: i.users, Hasher: i.hasher, Sessions: sessions, Now: time.Now}

	bookings := &booking.Service{
		Catalog:      &booking.CachedCatalog{Source: i.catalog, MaxAge: catalogMaxAge},
		Slots:        i.slots,
		Stocks:       db.NewStockStore(b.DB),
		Reservations: i.reservations,
		Now:          time.Now,
		Log:          log,
	}
	desk := waiting.Reservations{Bookings: bookings}
	coupons := &coupon.Service{Store: db.NewCouponStore(b.DB), Now: time.Now}
	desks := waiting.Desks{Slots: desk, Campaigns: waiting.Coupons{Campaigns: coupons}}
	lineMetrics, auditMetrics := ops.NewLineMetrics(), ops.NewAuditMetrics()
	i.room = waiting.Open(b.Redis, desks, waiting.NewSigner(secret), waiting.Config{
		Prefix: keyPrefix, Grace: c.LineGrace, MaxWait: c.LineMaxWait, MaxLine: c.LineMaxLength,
		Lines: locks.Config{Fallback: true, Observer: lineMetrics, Logger: log}, Log: log,
	})
	i.availability = availability.Open(b.Redis, keyPrefix, i.slots, log, closeLines(desk, i.room, log))
	bookings.Availability, bookings.Lines = i.availability, waiting.Lines{Room: i.room}

	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		return nil, fmt.Errorf("time zone: %w", err)
	}
	mails := db.NewMailStore(b.DB)
	post, err := newPost(c, mails, bookings.Catalog, log)
	if err != nil {
		return nil, err
	}
	i.site = web.New(web.Deps{
		Config: web.Config{Secure: c.secure(), TrustedProxies: c.TrustedProxies, BaseURL: c.PublicURL, Zone: zone,
			Demo: demoAccounts(c), Mailbox: mailbox(c, mails)},
		Identity: people, Bookings: bookings, Coupons: coupons, Wallets: i.wallets, Room: i.room, Log: log,
		Checks: map[string]ops.Check{"postgres": b.DB.Ping},
		Spared: map[string]ops.Check{"redis": func(ctx context.Context) error { return b.Redis.Ping(ctx).Err() }},
		Pool:   b.DB.Stats, Line: lineMetrics, Audit: auditMetrics,
	})

	ctx, stop := context.WithCancel(context.Background())
	i.stop = stop
	sweeper := booking.Sweeper{Reservations: i.reservations, Availability: i.availability, Every: sweepEvery, Log: log}
	i.running.Go(func() { sweeper.Run(ctx) })
	if post != nil {
		i.running.Go(func() { post.Run(ctx) })
	}
	i.running.Go(func() { sessions.Follow(ctx, revokedEvery) })
	if c.AuditEvery > 0 {
		auditor := audit.Job{Books: db.NewAuditStore(b.DB), Every: c.AuditEvery, Tell: auditInto(auditMetrics), Log: log}
		i.running.Go(func() { auditor.Run(ctx) })
	}
	return i, nil
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
