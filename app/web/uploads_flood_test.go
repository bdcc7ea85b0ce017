package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/app/token"
	"lunchgo/app/web/respond"
)

// However many large bodies an account announces at once, the database is asked for its rights twice at a time.
func TestUploads_AFloodOfHeadsIsNoFloodOfQueries(t *testing.T) {
	t.Parallel()
	sessions := identity.NewSessions(token.Secrets{"a secret of the tests"}, nil, time.Now)
	session, _ := sessions.Issue("somebody")
	var asked atomic.Int64
	asking, answered := make(chan struct{}, uploadsOfAccount), make(chan struct{})
	u := newUploads(respond.Authenticator{Sessions: sessions},
		func(context.Context, string, int64) (team.Staff, error) {
			if asked.Add(1) <= uploadsOfAccount {
				asking <- struct{}{}
				<-answered
			}
			return team.Staff{}, booking.ErrNotFound
		}, time.Minute, time.Minute)
	announce := func() error {
		h := new(fasthttp.RequestHeader)
		h.SetMethod(fiber.MethodPost)
		h.SetRequestURI("/api/staff/restaurants/1/pictures")
		h.Set(fiber.HeaderAuthorization, "Bearer "+session)
		h.SetContentLength(respond.MaxUpload)
		u.admit(h)
		return u.end(h)
	}
	var first sync.WaitGroup
	for range uploadsOfAccount {
		first.Go(func() {
			if err := announce(); !errors.Is(err, booking.ErrNotFound) {
				t.Errorf("who may not: %v", err)
			}
		})
		<-asking
	}
	for range 50 {
		if err := announce(); respond.ProblemOf(err).Code != "busy" {
			t.Errorf("beside %d: %v", uploadsOfAccount, err)
		}
	}
	close(answered)
	first.Wait()
	if n := asked.Load(); n != uploadsOfAccount || len(u.reading) != 0 || u.bytes != 0 {
		t.Errorf("%d queries; left are %d bodies of %d bytes", n, len(u.reading), u.bytes)
	}
}
