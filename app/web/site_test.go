package web_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/availability"
	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web"
	"lunchgo/app/web/diner"
	"lunchgo/app/web/ops"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

var quiet = slog.New(slog.DiscardHandler)

// password of every account of the tests.
const password = "correct horse"

// house is a running site with one restaurant, on servers and data of the test's own.
type house struct {
	t            *testing.T
	url          string
	site         *web.Server
	rdb          redis.UniversalClient
	prefix       string
	database     string // its address
	queries      *tap   // between the site and its database; nil for none
	db           *db.DB
	bookings     *reserve.Service
	waitlists    *reserve.Waitlists
	offers       reserve.OfferLinks
	reservations *db.ReservationStore
	wallets      *db.WalletStore
	people       *identity.Service
	room         *waiting.Room
	restaurant   booking.Restaurant
	menu         []booking.MenuItem
	secure       bool
	terms        func(*booking.Restaurant) // what the restaurant asks of its guests, if not the usual
	log          *slog.Logger
}

// quickHash is what a hash costs in these tests: too little for the passwords of people.
var quickHash = identity.Cost{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

func newHouse(t *testing.T, settings ...func(*house)) *house {
	t.Helper()
	h := &house{t: t, prefix: dbtest.KeyPrefix(t), log: quiet}
	for _, set := range settings {
		set(h)
	}
	h.openStores()
	h.openParts()
	h.addRestaurant()
	h.serve()
	return h
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) openStores() {
	h.database = dbtest.Template(h.t, "schema", func(url string) error {
		d, err := db.Open(context.Background(), db.Config{URL: url})
		if err != nil {
			return err
		}
		if err := d.Migrate(context.Background()); err != nil {
			return err
		}
		return d.Close()
	})
	var err error
	if h.queries != nil {
		h.database = h.queries.open(h.t, h.database)
	}
	h.db, err = db.Open(h.t.Context(), db.Config{URL: h.database, MaxConns: 4})
	h.must(err)
	h.t.Cleanup(func() { _ = h.db.Close() })
	address, err := redis.ParseURL(dbtest.RedisURL(h.t))
	h.must(err)
	client := redis.NewClient(address)
	h.rdb = client
	h.t.Cleanup(func() { _ = client.Close() })
}

func (h *house) openParts() {
	secret := []byte(rand.Text() + rand.Text())
	users, slots := db.NewUserStore(h.db), db.NewSlotStore(h.db)
	h.reservations, h.wallets = db.NewReservationStore(h.db), db.NewWalletStore(h.db)
	hasher, err := identity.NewHasher(quickHash, 2, 20*time.Second)
	h.must(err)
	h.people = &identity.Service{Store: users, Hasher: hasher, Now: time.Now,
		Sessions: identity.NewSessions(secret, users, time.Now, quiet)}
	h.bookings = &reserve.Service{Catalog: &reserve.CachedCatalog{Source: db.NewCatalog(h.db), MaxAge: time.Minute},
		Slots: slots, Stocks: db.NewStockStore(h.db), Reservations: h.reservations, Now: time.Now, Log: quiet}
	cache := availability.Open(h.rdb, h.prefix, slots, quiet, nil)
	h.t.Cleanup(cache.Close)
	h.room = waiting.Open(h.rdb, waiting.Reservations{Bookings: h.bookings}, waiting.NewSigner(secret),
		waiting.Config{Prefix: h.prefix, Log: quiet, Lines: locks.Config{Logger: quiet}})
	h.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		h.must(h.room.Close(ctx))
	})
	h.bookings.Availability, h.bookings.Lines = cache, waiting.Lines{Room: h.room}
	h.bookings.Coupons, h.bookings.Room = &coupon.Service{Store: db.NewCouponStore(h.db), Now: time.Now}, h.room
	h.offers = reserve.NewOfferLinks(secret)
	h.waitlists = &reserve.Waitlists{Store: db.NewWaitlistStore(h.db), Catalog: h.bookings.Catalog, Availability: cache, Now: time.Now}
}

// addRestaurant opens a place with room for ten in every evening hour of every day.
func (h *house) addRestaurant() {
	zone, err := time.LoadLocation("Asia/Seoul")
	h.must(err)
	r := booking.Restaurant{
		Slug: "haru", Name: booking.Text{Ko: "하루식당", En: "Haru Table"}, Picture: "sushi",
		Description: booking.Text{Ko: "하루 한 상", En: "One table a day"}, Address: booking.Text{Ko: "서울 종로구; 1, 2층", En: "1 Jongno; Seoul, 2F"},
		District: "jongno", Cuisine: "korean", Location: zone, Capacity: 10, SlotMinutes: 60, DepositPerPerson: 10_000,
		HoldMinutes: 7, PartyMin: 1, PartyMax: 6, HorizonDays: 30,
		Policy: booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 1, Percent: 100}}},
	}
	for day := range 7 {
		r.Hours = append(r.Hours, booking.Opening{Weekday: time.Weekday(day), From: "18:00", Last: "20:00"})
	}
	if h.terms != nil {
		h.terms(&r)
	}
	menu := []booking.MenuItem{
		{Category: "main", Name: booking.Text{Ko: "비빔밥", En: "Bibimbap"}, Price: 12_000},
		{Category: "drink", Name: booking.Text{Ko: "식혜", En: "Sikhye"}, Price: 4_000},
	}
	id, err := db.NewSeedStore(h.db).PutRestaurant(h.t.Context(), r, menu)
	h.must(err)
	h.restaurant, err = h.bookings.Catalog.FindRestaurant(h.t.Context(), id)
	h.must(err)
	h.menu, err = h.bookings.Catalog.ListMenu(h.t.Context(), id)
	h.must(err)
}

func (h *house) serve() {
	h.site = web.New(web.Deps{
		Config:   web.Config{Secure: h.secure, Zone: h.restaurant.Location, Demo: demo},
		Identity: h.people, Bookings: h.bookings, Waitlists: h.waitlists, Offers: h.offers,
		Coupons: h.bookings.Coupons, Wallets: h.wallets, Room: h.room, Log: h.log,
		Checks: map[string]ops.Check{"postgres": h.db.Ping}, Pool: h.db.Stats, Line: ops.NewLineMetrics(),
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	h.must(err)
	h.url = "http://" + listener.Addr().String()
	served := make(chan error, 1)
	go func() { served <- h.site.Serve(listener) }()
	h.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		h.must(h.site.Shutdown(ctx))
		h.must(<-served)
	})
}

var demo = []diner.DemoAccount{{Name: booking.Text{Ko: "손님", En: "Diner"}, Email: "demo@lunchgo.example", Password: password}}

// slot is a bookable one, some days ahead so that no clock of the test's machine matters.
func (h *house) slot(at booking.TimeOfDay) booking.SlotKey {
	date := booking.DateOf(time.Now(), h.restaurant.Location).AddDays(3)
	return booking.SlotKey{RestaurantID: h.restaurant.ID, Date: date, Time: at}
}

func (h *house) start(slot booking.SlotKey) time.Time {
	at, err := h.restaurant.Start(slot.Date, slot.Time)
	h.must(err)
	return at
}

// diner is somebody with an account.
func (h *house) diner(balance int64) identity.User {
	h.t.Helper()
	id := rand.Text()
	u := identity.User{ID: id, Email: id + "@example.com", Name: "김손님", Phone: "010-1234-5678", PasswordHash: "!"}
	h.must(db.NewSeedStore(h.db).CreateDiners(h.t.Context(), []identity.User{u}, balance))
	return u
}

// browser is one that nobody uses yet; it speaks English, since tests read it more easily.
func (h *house) browser() *browser {
	jar, err := cookiejar.New(nil)
	h.must(err)
	transport := &http.Transport{}
	h.t.Cleanup(transport.CloseIdleConnections)
	return &browser{house: h, language: "en", client: &http.Client{Jar: jar, Transport: transport, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// signedIn is a browser whose user has an account with that balance. The session comes without a password: hashing one
// is slow on purpose.
func (h *house) signedIn(balance int64) *browser {
	b := h.browser()
	b.user = h.diner(balance)
	token, _ := h.people.Sessions.Issue(b.user.ID)
	b.setCookie("session", token)
	return b
}

// rival takes the line of a slot and keeps it until release is called.
func (h *house) rival(slot booking.SlotKey) (release func()) {
	h.t.Helper()
	client := locks.NewClient(h.rdb, locks.Config{Prefix: h.prefix, Logger: quiet, MaxHold: time.Minute})
	turn, err := client.Line(waiting.LineOf(slot)).Lock(h.t.Context(), "the-rival-"+rand.Text())
	h.must(err)
	h.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = client.Close(ctx)
	})
	return func() { h.must(turn.Release(context.Background(), 1)) }
}

// eventually waits for a condition that other goroutines bring about.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(15 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: not within 15 s", what)
		}
	}
}

// endHold lets the time to pay for a reservation be over.
func (h *house) endHold(id string) {
	h.t.Helper()
	h.exec(`UPDATE reservations SET hold_expires_at = now() - interval '1 minute' WHERE id = $1`, id)
}

// exec changes the database behind the site's back.
func (h *house) exec(statement string, args ...any) {
	h.t.Helper()
	pool, err := sql.Open("postgres", h.database)
	h.must(err)
	defer pool.Close()
	_, err = pool.ExecContext(h.t.Context(), statement, args...)
	h.must(err)
}
