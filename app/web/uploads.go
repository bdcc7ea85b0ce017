package web

import (
	"context"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// Bounds of the large bodies that are read at once.
const (
	uploadMemory     = 64 << 20 // bytes of all of them
	uploadsOfAccount = 2
)

// uploads bounds large bodies. A body is in memory before its handler is asked: so who sends one, whether they may, and
// whether there is room for it, is asked as soon as the head of the request is there.
type uploads struct {
	sessions respond.Authenticator
	staff    func(ctx context.Context, userID string, restaurantID int64) (team.Staff, error)
	work     time.Duration // that the look for what the sender may do can take
	timeout  time.Duration // of reading a body, and of the work for it

	mu      sync.Mutex
	reading map[*fasthttp.RequestHeader]upload // of requests whose heads these are
	refused map[*fasthttp.RequestHeader]error
	bytes   int
}

// upload is a large body that is being read or worked at, or whose sender's rights are being looked for.
type upload struct {
	userID string
	bytes  int       // 0 while it is not known whether its sender may
	until  time.Time // then its connection is gone, whatever was heard of it
}

func newUploads(sessions respond.Authenticator,
	staff func(context.Context, string, int64) (team.Staff, error), work, timeout time.Duration) *uploads {
	return &uploads{sessions: sessions, staff: staff, work: work, timeout: timeout,
		reading: map[*fasthttp.RequestHeader]upload{}, refused: map[*fasthttp.RequestHeader]error{}}
}

// admit says how much of a request's body is read, and for how long. It is called with the head of every request.
func (u *uploads) admit(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	route, restaurantID, ok := largeBodyOf(h)
	if !ok {
		return fasthttp.RequestConfig{}
	}
	u.end(h) // of a request before, if that broke off
	length := h.ContentLength()
	if length < 0 || length > route.bytes {
		length = route.bytes
	}
	session, err := u.sessions.SessionOf(h)
	if length <= maxBody { // as on any other route, but for how long it may take
		if err != nil {
			return fasthttp.RequestConfig{}
		}
		return fasthttp.RequestConfig{ReadTimeout: u.timeout}
	}
	if err == nil {
		err = u.begin(h, session.UserID, route, restaurantID, length)
	}
	if err == nil {
		return fasthttp.RequestConfig{MaxRequestBodySize: route.bytes, ReadTimeout: u.timeout}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.refused[h] = err
	return fasthttp.RequestConfig{MaxRequestBodySize: 1}
}

// begin gives a body its room. Returns the problem of who may not send it, or identity.ErrBusy. It counts the
// bodies of an account before it asks the database, so that a flood of heads is no flood of queries.
func (u *uploads) begin(h *fasthttp.RequestHeader, userID string, route largeBody, restaurantID int64,
	length int) error {
	if !u.take(h, userID, 0) {
		return identity.ErrBusy
	}
	ctx, cancel := context.WithTimeout(context.Background(), u.work)
	defer cancel()
	by, err := u.staff(ctx, userID, restaurantID)
	if err == nil {
		err = by.Check(restaurantID, route.action)
	}
	u.end(h)
	if err == nil && !u.take(h, userID, length) {
		err = identity.ErrBusy
	}
	return err
}

// take takes room for a body; false if there is none, or its account has as many bodies as it may.
func (u *uploads) take(h *fasthttp.RequestHeader, userID string, length int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.forgetLost(time.Now())
	own := 0
	for _, other := range u.reading { // in any order
		if other.userID == userID {
			own++
		}
	}
	if own >= uploadsOfAccount || u.bytes+length > uploadMemory {
		return false
	}
	u.reading[h] = upload{userID, length, time.Now().Add(2 * u.timeout)}
	u.bytes += length
	return true
}

// forgetLost ends what is over by all means. Holds mu.
func (u *uploads) forgetLost(now time.Time) {
	for h, one := range u.reading { // in any order
		if now.After(one.until) {
			u.bytes -= one.bytes
			delete(u.reading, h)
		}
	}
}

// end gives the room of a request back, and returns why its body was refused, if it was.
func (u *uploads) end(h *fasthttp.RequestHeader) (refused error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.bytes -= u.reading[h].bytes
	refused = u.refused[h]
	delete(u.reading, h)
	delete(u.refused, h)
	return refused
}

// release is middleware that gives the room of a large body back once the request is answered.
func (u *uploads) release(c *fiber.Ctx) error {
	if _, _, ok := largeBodyOf(&c.Request().Header); !ok {
		return c.Next()
	}
	defer u.end(&c.Request().Header)
	return c.Next()
}
