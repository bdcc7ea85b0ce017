package diner

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/receipt"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// receipt answers GET /tickets/:ticket/receipt with a file.
func (s *Pages) receipt(c *fiber.Ctx, session identity.Session) error {
	r, err := s.Room.Receipt(c.UserContext(), c.Params("ticket"), session.UserID)
	if err != nil {
		return err
	}
	file, err := r.File()
	if err != nil {
		return err
	}
	c.Attachment(fmt.Sprintf("lunchgo-%s-%d.json", r.Line, r.Arrival))
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Send(file)
}

// verifyForm answers GET /verify.
func (s *Pages) verifyForm(c *fiber.Ctx) error {
	return respond.Render(c, fiber.StatusOK, pages.Verify(views.Verify{Layout: s.Layouts.WithoutBalance(c)}))
}

// verify answers POST /verify: what the receipt and the log of its line prove.
func (s *Pages) verify(c *fiber.Ctx) error {
	page := views.Verify{Layout: s.Layouts.WithoutBalance(c)}
	page.Path = views.VerifyURL()
	text, err := receiptText(c)
	if err != nil {
		return err
	}
	page.Text = text
	r, err := receipt.Parse([]byte(text))
	if err != nil {
		page.Problem = i18n.T(page.Lang, "verify.unreadable")
		if len(text) > receipt.MaxSize {
			page.Text, page.Problem = "", i18n.T(page.Lang, "verify.too_large")
		}
		return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Verify(page))
	}
	read := time.Now()
	log, err := s.Room.WholeLog(c.UserContext(), r.Line, r.LogID)
	switch {
	case errors.Is(err, receipt.ErrUnknownLog), errors.Is(err, waiting.ErrUnknownTicket):
		page.Finding = &receipt.Finding{Outcome: receipt.Unproven, Reason: "not_found"}
	case err != nil:
		return err
	default:
		found := receipt.Verify(r, log, receipt.Check{Keys: s.Room.PublicKeys(), At: read})
		page.Finding = &found
	}
	return respond.Render(c, fiber.StatusOK, pages.Verify(page))
}

// receiptText is the receipt that was sent, as a file or as text.
func receiptText(c *fiber.Ctx) (string, error) {
	form, err := c.MultipartForm()
	if err != nil {
		return respond.FormValue(c, views.FieldReceiptText), nil
	}
	for _, file := range form.File[views.FieldReceipt] {
		if file.Size == 0 {
			continue
		}
		opened, err := file.Open()
		if err != nil {
			return "", fmt.Errorf("open the file that was sent: %w", err)
		}
		defer opened.Close()
		text, err := io.ReadAll(io.LimitReader(opened, receipt.MaxSize+1))
		return string(text), err
	}
	return strings.Join(form.Value[views.FieldReceiptText], ""), nil
}
