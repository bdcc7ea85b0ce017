package staff

import (
	"crypto/rand"
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/messages"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/staff"
)

// letter is a message as it is written, and what became of its form.
type letter struct {
	place
	to      messages.Audience
	text    string
	offer   offerTyped
	refused error // nil when nothing was
}

// write answers GET …/messages: to whom a message would go, and the form for it.
func (p *Pages) write(c *fiber.Ctx, w workplace.Workplace) error {
	to, err := audienceOf(w, func(name string) string { return strings.Clone(c.Query(name)) })
	if err != nil {
		return err
	}
	return p.showMessage(c, letter{place: place{w}, to: to})
}

// send answers POST …/messages.
func (p *Pages) send(c *fiber.Ctx, w workplace.Workplace) error {
	to, err := audienceOf(w, func(name string) string { return respond.FormValue(c, name) })
	if err != nil {
		return err
	}
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	l := letter{place: place{w}, to: to, text: respond.FormValue(c, views.FieldMessage), offer: readOffer(c)}
	message := messages.Message{Audience: to, Key: key, Text: l.text}
	var sent messages.Message
	if message.Offer, err = l.offer.read(); err == nil {
		sent, err = p.Messages.Send(c.UserContext(), w.By, w.Restaurant, message)
	}
	if err == nil {
		return respond.SeeOther(c, views.StaffMessageURL(w.Restaurant.ID, sent.ID))
	}
	switch respond.ProblemOf(err).Status {
	case fiber.StatusConflict, fiber.StatusUnprocessableEntity, fiber.StatusTooManyRequests:
		l.refused = err
		return p.showMessage(c, l)
	}
	return err
}

// audienceOf reads for whom a message is: the guest of a reservation, or all of a date or time. Returns
// respond.NotFound for what is none of them.
func audienceOf(w workplace.Workplace, value func(name string) string) (messages.Audience, error) {
	to := messages.Audience{RestaurantID: w.Restaurant.ID, ReservationID: value(views.FieldReservation)}
	if to.ReservationID != "" {
		return to, nil
	}
	var err error
	if to.Date, err = booking.ParseDate(value(views.FieldDate)); err != nil {
		return to, respond.NotFound
	}
	if at := value(views.FieldTime); at != "" {
		if to.Time, err = booking.ParseTimeOfDay(at); err != nil {
			return to, respond.NotFound
		}
	}
	return to, nil
}

// showMessage renders the form with what was typed.
func (p *Pages) showMessage(c *fiber.Ctx, l letter) error {
	page := views.StaffMessage{StaffShell: p.shell(c, l.place), Text: l.text, MaxRunes: messages.MaxRunes,
		Key: rand.Text()}
	found, err := p.Messages.Recipients(c.UserContext(), l.By, l.Restaurant, l.to)
	switch {
	case errors.Is(err, messages.ErrNobody), errors.Is(err, booking.ErrPast):
		page.Nobody = respond.Sentence(page.Lang, respond.ProblemOf(err))
	case err != nil:
		return err
	}
	page.Guests, page.Offer = l.guests(page.Lang, l.to, found), p.offerForm(page.Lang, l.place, l.offer)
	page.Title, page.Back = l.toWhom(page.Layout, l.to, found)
	page.Fields = []views.FormValue{{Name: views.FieldReservation, Value: l.to.ReservationID},
		{Name: views.FieldDate, Value: string(l.to.Date)}, {Name: views.FieldTime, Value: string(l.to.Time)}}
	switch start, err := l.Restaurant.Start(l.to.Date, l.to.Time); {
	case l.to.ReservationID != "" || page.Nobody != "":
	case err == nil:
		page.Closing = views.StaffSlotClosingURL(l.Restaurant.ID, start, "")
	case l.to.Time == "" && l.By.May(team.ChangeHours):
		page.Closing = views.StaffClosingURL(l.Restaurant.ID, l.Midnight(l.to.Date))
	}
	status := fiber.StatusOK
	if l.refused != nil {
		why := respond.ProblemOf(l.refused)
		status, page.Errors = why.Status, views.FieldErrors{views.FieldForm: respond.Sentence(page.Lang, why)}
		if faults := guestErrors(page.Lang, l.refused); faults != nil {
			page.Errors = faults
			if text := faults["text"]; text != "" {
				page.Errors[views.FieldMessage] = text
			}
		}
	}
	return respond.Render(c, status, pages.Message(page))
}

// messageSent answers GET …/messages/{id}.
func (p *Pages) messageSent(c *fiber.Ctx, w workplace.Workplace) error {
	m, err := p.Messages.Find(c.UserContext(), w.By, w.Restaurant.ID, strings.Clone(c.Params("message")))
	if err != nil {
		return err
	}
	at := place{w}
	page := views.StaffMessageSent{StaffShell: p.shell(c, at), Text: m.Text, By: m.By,
		At: m.CreatedAt.In(w.Restaurant.Location)}
	page.Title, page.Back = at.toWhom(page.Layout, m.Audience, m.Recipients)
	page.Guests, page.Offer = at.guests(page.Lang, m.Audience, m.Recipients), at.offered(page.Layout, m.Offer)
	return respond.Render(c, fiber.StatusOK, pages.MessageSent(page))
}

// toWhom says for whom a message is, and where its page leads back to.
func (w place) toWhom(l views.Layout, to messages.Audience,
	found []messages.Recipient) (title string, back views.StaffMessageBack) {
	day := w.Midnight(to.Date)
	start, err := w.Restaurant.Start(to.Date, to.Time)
	switch {
	case to.ReservationID != "" && len(found) > 0:
		name := guestName(l.Lang, found[0].Name)
		return l.T("message.to_guest", "Name", name),
			views.StaffMessageBack{URL: views.StaffReservationURL(to.ReservationID), Label: name}
	case to.ReservationID != "":
		return l.T("message.title"), views.StaffMessageBack{URL: views.StaffReservationURL(to.ReservationID),
			Label: l.T("message.back")}
	case to.Time == "" || err != nil:
		when := i18n.LongDate(l.Lang, day)
		return l.T("message.to_day", "When", when),
			views.StaffMessageBack{URL: views.StaffBoardURL(w.Restaurant.ID, day), Label: when}
	}
	when := i18n.DateTime(l.Lang, start)
	return l.T("message.to_slot", "When", when),
		views.StaffMessageBack{URL: views.StaffSlotURL(w.Restaurant.ID, start), Label: when}
}

// guests are those for whom a message is, each with the time.
func (w place) guests(lang string, to messages.Audience, found []messages.Recipient) (all views.MessageGuests) {
	for _, r := range found {
		guest := views.MessageGuest{ReservationID: r.ReservationID, Name: guestName(lang, r.Name), Party: r.PartySize,
			Phone: r.Phone, When: w.timeOf(lang, r.Date, r.Time, to.Date), Answer: r.Answer}
		if r.Answer == messages.Moved {
			guest.Moved = w.timeOf(lang, r.Date, r.Time, "")
		}
		if r.Reached {
			all.Reached = append(all.Reached, guest)
		} else {
			all.Unreached = append(all.Unreached, guest)
		}
	}
	return all
}

// timeOf is when a slot begins, with its date unless that is the one of the page.
func (w place) timeOf(lang string, date booking.Date, at booking.TimeOfDay, ofPage booking.Date) string {
	start, err := w.Restaurant.Start(date, at)
	switch {
	case err != nil:
		return string(at)
	case date == ofPage:
		return i18n.Time(lang, start)
	}
	return i18n.DateTime(lang, start)
}
