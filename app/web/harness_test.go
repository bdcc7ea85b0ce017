package web_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/legal"
	"lunchgo/app/lineup"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web/diner"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

var quiet = slog.New(slog.DiscardHandler)

// password of every account of the tests.
const password = "correct horse"

// harness is a running site with one restaurant, on servers and data of the test's own.
type harness struct {
	*programtest.Server
	t          *testing.T
	rivals     atomic.Int32 // who hold a line
	setup      programtest.Setup
	terms      func(*booking.Restaurant) // what the restaurant asks of its guests, if not the usual
	restaurant booking.Restaurant
	menu       []booking.MenuItem
}

func newHarness(t *testing.T, settings ...func(*harness)) *harness {
	t.Helper()
	h := &harness{t: t}
	h.setup.Config.NoFallback = true
	h.setup.Config.Web.Demo = demo
	h.setup.Config.Web.FormPatience = programtest.FormPatience(&h.rivals)
	for _, set := range settings {
		set(h)
	}
	h.Server = programtest.Start(t, h.setup)
	h.addRestaurant()
	return h
}

func (h *harness) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// addRestaurant opens a place with room for ten in every evening hour of every day.
func (h *harness) addRestaurant() {
	zone, err := time.LoadLocation("Asia/Seoul")
	h.must(err)
	r := booking.Restaurant{
		Location:         zone,
		DepositPerPerson: 10_000,
		Policy:           booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 1, Percent: 100}}},
		Settings: booking.Settings{Slug: "haru", Name: booking.Text{Ko: "하루식당", En: "Haru Table"}, Picture: "sushi",
			Description: booking.Text{Ko: "하루 한 상", En: "One table a day"},
			Address:     booking.Text{Ko: "서울 종로구; 1, 2층", En: "1 Jongno; Seoul, 2F"}, District: "jongno",
			Cuisine: "korean", Capacity: 10, SlotMinutes: 60, HoldMinutes: 7, PartyMin: 1, PartyMax: 6, HorizonDays: 30},
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
	id, err := h.Stores.Seeds.PutRestaurant(h.t.Context(), r, menu)
	h.must(err)
	h.restaurant, err = h.Bookings.Catalog.FindRestaurant(h.t.Context(), id)
	h.must(err)
	h.menu, err = h.Bookings.Catalog.ListMenu(h.t.Context(), id)
	h.must(err)
}

var demo = []diner.DemoAccount{{Name: booking.Text{Ko: "손님", En: "Diner"}, Email: "demo@lunchgo.example",
	Password: password}}

// slot is a bookable one, some days ahead so that no clock of the test's machine matters.
func (h *harness) slot(at booking.TimeOfDay) booking.SlotKey {
	date := booking.DateOf(time.Now(), h.restaurant.Location).AddDays(3)
	return booking.SlotKey{RestaurantID: h.restaurant.ID, Date: date, Time: at}
}

func (h *harness) start(slot booking.SlotKey) time.Time {
	at, err := h.restaurant.Start(slot.Date, slot.Time)
	h.must(err)
	return at
}

// diner is somebody with an account.
func (h *harness) diner(balance int64) identity.User {
	h.t.Helper()
	id := rand.Text()
	u := identity.User{ID: id, Email: id + "@example.com", Name: "김손님", Phone: "010-1234-5678", PasswordHash: "!"}
	h.must(h.Stores.Seeds.CreateDiners(h.t.Context(), []identity.User{u}, balance))
	h.must(h.Stores.Users.Agree(h.t.Context(), id, identity.Agreement{Documents: legal.BuiltIn().Versions("2999-01-01"),
		Way: identity.ByAccount}))
	return u
}

// browser is one that nobody uses yet; it speaks English, since tests read it more easily.
func (h *harness) browser() *browser {
	jar, err := cookiejar.New(nil)
	h.must(err)
	transport := &http.Transport{}
	h.t.Cleanup(transport.CloseIdleConnections)
	return &browser{harness: h, language: "en",
		client: &http.Client{Jar: jar, Transport: transport, Timeout: 20 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// signedIn is a browser whose user has an account with that balance. The session comes without a password: hashing one
// is slow on purpose.
func (h *harness) signedIn(balance int64) *browser {
	b := h.browser()
	b.user = h.diner(balance)
	token, _ := h.Identity.Sessions.Issue(b.user.ID)
	b.setCookie("session", token)
	return b
}

// rival takes the line of a slot and keeps it until release is called.
func (h *harness) rival(slot booking.SlotKey) (release func()) {
	h.t.Helper()
	return h.occupy(lineup.OfSlot(slot))
}

// occupy takes a turn in a line and keeps it until release is called.
func (h *harness) occupy(line locks.Name) (release func()) {
	h.t.Helper()
	client := locks.NewClient(h.Redis, locks.Config{Prefix: h.Setup.Config.Prefix, Logger: quiet, MaxHold: time.Minute})
	turn, err := client.Line(line).Lock(h.t.Context(), "the-rival-"+rand.Text())
	h.must(err)
	h.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), dbtest.Patience)
		defer cancel()
		_ = client.Close(ctx)
	})
	h.rivals.Add(1)
	return func() {
		h.rivals.Add(-1)
		h.must(turn.Release(context.Background(), 1))
	}
}

// endHold lets the time to pay for a reservation be over.
func (h *harness) endHold(id string) {
	h.t.Helper()
	h.exec(`UPDATE reservations SET hold_expires_at = now() - interval '1 minute' WHERE id = $1`, id)
}

// exec changes the database behind the site's back.
func (h *harness) exec(statement string, args ...any) {
	h.t.Helper()
	pool, err := sql.Open("postgres", h.Setup.Database)
	h.must(err)
	defer pool.Close()
	_, err = pool.ExecContext(h.t.Context(), statement, args...)
	h.must(err)
}
