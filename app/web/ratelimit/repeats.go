package ratelimit

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// replayed are the routes that answer an idempotency key that they know with what it led to, and change nothing. On all
// others a key means nothing: there every request counts.
var replayed = [][]string{
	route("POST /api/reservations"), route("PATCH /api/reservations/:id"),
	route("POST /api/reservations/:id/offered-time"), route("POST /api/reservations/:id/payment"),
	route("POST /api/coupons/:id/claims"), route("POST /api/waitlist"),
	route("POST /api/wallet/charges"), route("POST /api/wallet/withdrawals"),
	route("POST /api/staff/restaurants/:restaurant/reservations"),
	route("POST /api/staff/reservations/:reservation/refunds"),
	route("POST /api/staff/restaurants/:restaurant/messages"),
	route("POST /api/staff/restaurants/:restaurant/door"),
	route("POST /restaurants/:slug/reservations"), route("POST /restaurants/:slug/waitlist"),
	route("POST /reservations/:id/change"), route("POST /reservations/:id/another-time"),
	route("POST /reservations/:id/pay"), route("POST /coupons/:id/claims"),
	route("POST /wallet/charges"), route("POST /wallet/withdrawals"),
	route("POST /staff/restaurants/:restaurant/book"), route("POST /staff/reservations/:reservation/move"),
}

// route cuts the pattern of a route into its method and the parts of its path.
func route(pattern string) []string {
	method, path, _ := strings.Cut(pattern, " ")
	return append([]string{method}, strings.Split(path, "/")...)
}

// repeatable names a request that may be sent again without being counted: by its key, method, address and body, on a
// route that is replayed. A request that differs in any of them is another one. Empty for what always counts.
func repeatable(c *fiber.Ctx) string {
	asked := append([]string{c.Method()}, strings.Split(c.Path(), "/")...)
	isReplayed := slices.ContainsFunc(replayed, func(pattern []string) bool {
		return slices.EqualFunc(pattern, asked, func(want, part string) bool {
			return want == part || strings.HasPrefix(want, ":") && part != ""
		})
	})
	if !isReplayed || c.Request().IsBodyStream() {
		return ""
	}
	key := requestKey(c)
	if key == "" {
		return ""
	}
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(key), []byte(c.Method()), c.Request().RequestURI(), c.Request().Body()} {
		of := sha256.Sum256(part) // of one length, so that no part goes on in the next
		sum.Write(of[:])
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12])
}

// requestKey is the idempotency key of a program's request or of a form, whatever it is worth; empty if there is none.
func requestKey(c *fiber.Ctx) string {
	if key := c.Get("Idempotency-Key"); key != "" {
		return key
	}
	return respond.FormValue(c, views.FieldIdempotencyKey)
}
