package payments

import (
	"errors"
	"net/http"

	"github.com/gofiber/fiber/v2"

	domain "lunchgo/app/payments"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

// Hooks answers what providers report.
type Hooks struct{ Checkout }

// Mount adds the route. It needs no session: providers sign what they send. The gate bounds how many wait for a
// provider.
func (h Hooks) Mount(r fiber.Router, routes *access.Routes, provider fiber.Handler) {
	const hook = "/hooks/payments/:provider"
	routes.Record(fiber.MethodPost, hook, access.Anyone)
	r.Post(hook, provider, h.report)
}

// report answers POST /hooks/payments/:provider. What is signed says only which payment to ask about. A report that
// cannot be followed just now is refused with a time after which the provider repeats it; one about nothing of ours is
// accepted.
func (h Hooks) report(c *fiber.Ctx) error {
	if !h.IsOpen() || h.Service.Provider.Name() != c.Params("provider") {
		return respond.NotFound
	}
	header := http.Header{}
	for name, value := range c.Request().Header.All() {
		header.Add(string(name), string(value))
	}
	id, err := h.Service.Provider.Verify(c.UserContext(), header, c.Request().Body())
	if errors.Is(err, domain.ErrForged) {
		return errors.Join(respond.BadRequest, err)
	}
	if err == nil && id != "" {
		err = h.Service.Reported(c.UserContext(), id)
	}
	switch {
	case errors.Is(err, domain.ErrUnsure):
		return domain.ErrAway
	case err != nil && !errors.Is(err, domain.ErrNotFound):
		return err
	}
	return c.SendStatus(fiber.StatusOK) // Toss repeats what any other status answers, 204 too
}
