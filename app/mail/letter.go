package mail

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/ics"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/letters"
)

// Letter is a note as it is read.
type Letter struct {
	views.Letter
	Subject  string
	Calendar string            // iCalendar to attach; empty for none
	Zone     *time.Location    // of its times; nil: it has none
	Values   map[string]string // what fills in its texts, by name: of a reservation, or a party at the door
}

// Text is the letter for readers who see no HTML.
func (l Letter) Text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n%s\n\n", l.Title, l.Lead)
	if l.Message != "" {
		fmt.Fprintf(&b, "%s\n\n", l.Message)
	}
	for _, f := range l.Facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Label, f.Value)
	}
	if l.Answer.URL != "" {
		fmt.Fprintf(&b, "\n%s\n%s\n", l.Answer.Label, l.Answer.URL)
	}
	fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", l.Label, l.URL, l.Footer)
	return b.String()
}

// HTML is the letter for everybody else.
func (l Letter) HTML(ctx context.Context) (string, error) {
	var b bytes.Buffer
	err := letters.Letter(l.Letter).Render(ctx, &b)
	return b.String(), err
}

// composeReservation writes the letter of a note about a reservation.
func composeReservation(n Note, place booking.Restaurant, site string) (Letter, error) {
	r := n.Reservation
	at, err := place.Start(r.Slot.Date, r.Slot.Time)
	if err != nil {
		return Letter{}, err
	}
	end, err := place.LeaveAt(r.Slot, r.Stay, r.Policy)
	if err != nil {
		return Letter{}, err
	}
	w := writer{Note: n, place: place, at: at, end: end}
	w.values = w.fill()
	url := site + views.ReservationURL(r.ID)
	switch n.Kind {
	case Turn:
		url = site + views.PayURL(r.ID)
	case PaymentLink:
		url = site + views.PaymentLinkURL(n.PaymentToken)
	case Unpaid:
		url = site + views.RestaurantURL(place.Slug)
	case Offer:
		url = site + views.OfferURL(n.OfferToken)
	case Message:
		if !n.Offered.IsNone() {
			url = site + views.MoveOfferURL(r.ID)
		}
	}
	subject, lead, button := "subject", "lead", "button"
	switch {
	case !n.Offered.IsNone():
		subject, lead, button = "subject_offer", "lead_offer", "button_offer"
	case n.Kind == Changed && n.ByRestaurant:
		subject, lead = "subject_by_restaurant", "lead_by_restaurant"
	case n.Kind == Cancelled && r.RefundAmount == 0:
		lead = "lead_unpaid"
	case n.Kind == ChangeRefused && r.State == booking.Refunded:
		lead = "lead_cancelled"
	case n.Kind == Turn && r.IsUnseen() && r.SeenExpiresAt.After(r.HoldExpiresAt):
		subject, lead = "subject_unseen", "lead_unseen"
	}
	letter := Letter{Subject: w.text(subject), Zone: place.Location, Values: w.values, Letter: views.Letter{
		Lang: n.Language, Title: w.text("title"), Lead: w.text(lead), Message: n.Message, Facts: w.facts(),
		URL: url, Label: w.text(button), Footer: i18n.T(n.Language, "mail.footer"),
	}}
	if n.Kind == Reminder {
		letter.Answer = views.Answer{URL: site + views.SayComingURL(n.ComingToken), Label: w.text("answer")}
	}
	switch {
	case n.Kind == Confirmed, n.Kind == Changed, n.Kind == Reminder, n.Kind == ChangeRefused && r.State.IsConfirmed():
		letter.Calendar = w.event(url).String()
	}
	return letter, nil
}

// writer says things in the language of whoever is written to.
type writer struct {
	Note
	place booking.Restaurant
	at    time.Time
	end   time.Time // of the stay

	values map[string]string // that fill in the texts
}

// text is one of the texts of the letter's kind in the catalogue.
func (w writer) text(part string) string {
	return i18n.T(w.Language, "mail."+string(w.Kind)+"_"+part, filling(w.values)...)
}

// fill returns what fills in the texts.
func (w writer) fill() map[string]string {
	r := w.Reservation
	return map[string]string{
		"Person": w.Name, "Restaurant": w.place.Name.In(w.Language), "When": w.when(),
		"Until":   i18n.Time(w.Language, r.HoldExpiresAt.In(w.at.Location())),
		"By":      i18n.DateTime(w.Language, r.HoldExpiresAt.In(w.at.Location())),
		"Deposit": i18n.Won(w.Language, r.DepositToPay()),
		"Pay":     i18n.Time(w.Language, r.SeenExpiresAt.In(w.at.Location())),
		"Amount":  i18n.Won(w.Language, cmp.Or(w.Given.Amount, r.RefundAmount)),
	}
}

// filling returns values as i18n.T takes them.
func filling(values map[string]string) (pairs []any) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, name, values[name])
	}
	return pairs
}

// composeLink writes the letter of a note with a link. It holds the link, and nothing that anybody typed.
func composeLink(n Note, site string) Letter {
	text := func(part string) string { return i18n.T(n.Language, "mail."+string(n.Kind)+"_"+part) }
	return Letter{Subject: text("subject"), Letter: views.Letter{
		Lang: n.Language, Title: text("title"), Lead: text("lead"),
		URL: site + views.LinkURL(n.Link.Token), Label: text("button"), Footer: text("footer"),
	}}
}

// composeInvitation writes the letter of a note with an invitation, in a restaurant's name if it is published.
func composeInvitation(n Note, site string) Letter {
	part := func(key string) string {
		name := n.Invitation.Restaurant.In(n.Language)
		if name == "" {
			key += "_draft"
		}
		return i18n.T(n.Language, "mail.invitation_"+key, "Restaurant", name, "Role",
			i18n.T(n.Language, "staff."+string(n.Invitation.Role)))
	}
	return Letter{Subject: part("subject"), Letter: views.Letter{
		Lang: n.Language, Title: part("title"), Lead: part("lead"),
		URL: site + views.InvitationURL(n.Invitation.Token), Label: i18n.T(n.Language, "mail.invitation_button"),
		Footer: i18n.T(n.Language, "mail.invitation_footer"),
	}}
}

// when says when the party comes, and until when it stays if that is longer than a slot.
func (w writer) when() string {
	if len(w.Reservation.Stay) == 0 {
		return i18n.DateTime(w.Language, w.at)
	}
	return i18n.Span(w.Language, w.at, w.end)
}

func (w writer) facts() []views.Fact {
	lang, r := w.Language, w.Reservation
	facts := []views.Fact{
		{Label: i18n.T(lang, "mail.restaurant"), Value: w.place.Name.In(lang)},
		{Label: i18n.T(lang, "mail.address"), Value: w.place.Address.In(lang)},
		{Label: i18n.T(lang, "mail.when"), Value: w.when()},
		{Label: i18n.T(lang, "mail.party"), Value: i18n.Party(lang, r.PartySize)},
		{Label: i18n.T(lang, "mail.code"), Value: r.Code()},
	}
	if len(r.Seats) > 0 {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.seats"), Value: strings.Join(r.SeatLabels(), ", ")})
	}
	if at, err := w.place.Start(w.Offered.Date, w.Offered.For(r.Slot.Time)); err == nil && !w.Offered.IsNone() {
		value := i18n.DateTime(lang, at)
		if at.Equal(w.at) { // another time of the same day
			value = i18n.LongDate(lang, at)
		}
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.offered"), Value: value})
	}
	gone := w.Kind == PaymentRefused || w.Kind == ChangeRefused && !r.State.IsConfirmed()
	if r.PaidAmount > 0 && !gone {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.paid"), Value: i18n.Won(lang, r.PaidAmount)})
	}
	if until := r.FreeCancelUntil(w.at); w.Kind == Confirmed && r.PaidAmount > 0 && !until.IsZero() {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.free_cancel"), Value: i18n.T(lang,
			"mail.free_cancel_until", "Time", i18n.Time(lang, until.In(w.at.Location())))})
	}
	if w.Kind == Cancelled && r.CancelReason != "" {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.reason"), Value: r.CancelReason})
	}
	if w.Kind == GivenBack {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.reason"), Value: w.Given.Reason})
	}
	if w.Kind == GivenBack || w.Kind == CardRefundRefused {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.refund"), Value: i18n.Won(lang, w.Given.Amount)})
	}
	if w.Kind == Cancelled || w.Kind == Refunded {
		facts = append(facts, views.Fact{Label: i18n.T(lang, "mail.refund"), Value: i18n.Won(lang, r.RefundAmount)})
	}
	return facts
}

func (w writer) event(url string) ics.Event {
	lang, r := w.Language, w.Reservation
	return ics.Event{
		UID: r.ID + "@lunchgo", Sequence: r.Changes, Made: w.CreatedAt, Start: w.at, End: w.end,
		Summary: i18n.T(lang, "calendar.summary", "Name", w.place.Name.In(lang), "Party",
			i18n.Party(lang, r.PartySize)),
		Place: w.place.Address.In(lang), Text: i18n.T(lang, "calendar.details", "Code", r.Code()), URL: url,
	}
}

// composeCall writes the letter of a note that the table of a party at the door is ready.
func composeCall(n Note, place booking.Restaurant, site string) Letter {
	lang := n.Language
	values := map[string]string{"Restaurant": place.Name.In(lang), "Number": i18n.Number(n.Door.Number)}
	text := func(part string) string { return i18n.T(lang, "mail.door_"+part, filling(values)...) }
	return Letter{Subject: text("subject"), Zone: place.Location, Values: values, Letter: views.Letter{
		Lang: lang, Title: text("title"), Lead: text("lead"), URL: site + views.DoorURL(n.Door.Token),
		Label: text("button"), Footer: text("footer"), Facts: []views.Fact{
			{Label: i18n.T(lang, "mail.restaurant"), Value: place.Name.In(lang)},
			{Label: i18n.T(lang, "mail.address"), Value: place.Address.In(lang)},
			{Label: i18n.T(lang, "door.your_number"), Value: i18n.Number(n.Door.Number)},
		}}}
}

// composeDecision writes the letter of a note that an operator decided about a restaurant.
func composeDecision(n Note, site string) Letter {
	d := n.Decision
	text := func(part string) string {
		return i18n.T(n.Language, "mail."+string(n.Kind)+"_"+part, "Restaurant", d.Restaurant.In(n.Language))
	}
	letter := views.Letter{Lang: n.Language, Title: text("title"), Lead: text("lead"), Label: text("button"),
		URL: site + views.SetupURL(d.RestaurantID), Footer: i18n.T(n.Language, "mail.decision_footer")}
	if d.Reason != "" {
		letter.Facts = []views.Fact{{Label: i18n.T(n.Language, "mail.decision_reason"), Value: d.Reason}}
	}
	if n.Kind == Published {
		letter.URL = site + views.RestaurantURL(d.Slug)
	}
	return Letter{Subject: text("subject"), Letter: letter}
}

// composeWebhook writes the letter of a note that a webhook was disabled. It leads to the webhook's page.
func composeWebhook(n Note, site string) Letter {
	text := func(part string) string {
		return i18n.T(n.Language, "mail.webhook_"+part, "Restaurant", n.Webhook.Restaurant.In(n.Language))
	}
	lead := "lead_failing"
	if n.Webhook.Gone {
		lead = "lead_gone"
	}
	facts := []views.Fact{
		{Label: i18n.T(n.Language, "mail.restaurant"), Value: n.Webhook.Restaurant.In(n.Language)},
		{Label: text("address"), Value: n.Webhook.URL},
	}
	return Letter{Subject: text("subject"), Letter: views.Letter{
		Lang: n.Language, Title: text("title"), Lead: text(lead), Facts: facts,
		URL: site + views.WebhookURL(n.Webhook.RestaurantID, n.Webhook.ID), Label: text("button"),
		Footer: text("footer"),
	}}
}
