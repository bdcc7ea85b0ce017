package payments

import (
	"encoding/json"
	"strings"

	"github.com/gofiber/fiber/v2"

	domain "lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// Practice serves the payment window of the bank of demos. It asks for no session, as a bank's window would not:
// whoever has a payment's address plays its diner.
type Practice struct {
	Bank    *practice.Bank // nil where there is none
	Layouts *respond.Layouts
}

// Mount adds the routes. The gate bounds how many wait for what the bank decides.
func (p Practice) Mount(r fiber.Router, routes *access.Routes, provider fiber.Handler) {
	const window = "/practice-bank/:payment"
	routes.Get(window, access.Anyone, provider, p.show)
	routes.Record(fiber.MethodPost, window, access.Anyone)
	r.Post(window, provider, p.decide)
}

// show answers GET /practice-bank/:payment.
func (p Practice) show(c *fiber.Ctx) error {
	if p.Bank == nil {
		return respond.NotFound
	}
	account, err := p.Bank.Store.Find(c.UserContext(), c.Params("payment"))
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.PracticeBank(views.PracticeBank{Layout: p.Layouts.WithoutBalance(c),
		PaymentID: account.ID, Title: account.Title, Amount: account.Amount, ReturnURL: account.ReturnURL,
		Decided: account.Stand != domain.StandPending}))
}

// decide answers POST /practice-bank/:payment, to a form with the way back, and to a program with {redirect}.
func (p Practice) decide(c *fiber.Ctx) error {
	if p.Bank == nil {
		return respond.NotFound
	}
	var in struct {
		Result practice.Result `json:"result"`
	}
	isForm := !strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEApplicationJSON)
	if isForm {
		in.Result = practice.Result(respond.FormValue(c, views.FieldResult))
	} else if json.Unmarshal(c.Request().Body(), &in) != nil {
		return respond.BadRequest
	}
	redirect, err := p.Bank.Decide(c.UserContext(), c.Params("payment"), in.Result)
	switch {
	case err != nil:
		return err
	case isForm:
		return c.Redirect(redirect, fiber.StatusSeeOther)
	}
	return c.JSON(fiber.Map{"redirect": redirect})
}
