package pages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// bookingFields are the names of the booking form's fields in their order, for the summary of errors.
func bookingFields(b views.Booking) []string {
	names := []string{views.FieldForm, views.FieldDate, views.FieldParty, views.FieldTime, views.FieldSeat,
		views.FieldMenu}
	for _, section := range b.Dishes.Menu {
		for _, item := range section.Items {
			names = append(names, views.ItemField(item.ID))
		}
	}
	return append(names, views.FieldNote, views.FieldAllergies, views.FieldCoupon, views.FieldName, views.FieldEmail,
		views.FieldPhone)
}

// bookingWhoFields are the inputs of somebody who is not signed in.
func bookingWhoFields(b views.Booking) []components.Field {
	return personFields(b.Layout, b.Errors, person{b.Form.Name, b.Form.Email, b.Form.Phone}, "email")
}

// bookingWhenFields are the inputs that choose date and party.
func bookingWhenFields(b views.Booking) []components.Field {
	return []components.Field{
		{
			Name: views.FieldDate, Label: b.T("field.date"), Value: b.Form.Date, Error: b.Errors[views.FieldDate],
			Attributes: templ.Attributes{
				"type": "date", "required": true,
				"min": views.DateValue(b.FirstDate), "max": views.DateValue(b.LastDate),
			},
		},
		{
			Name: views.FieldParty, Label: b.T("field.party"), Value: b.Form.Party, Error: b.Errors[views.FieldParty],
			Attributes: templ.Attributes{
				"type": "number", "inputmode": "numeric", "required": true,
				"min": strconv.Itoa(b.Restaurant.PartyMin), "max": strconv.Itoa(b.Restaurant.PartyMax),
			},
		},
	}
}

// bookingNoteFields are the free texts for the restaurant.
func bookingNoteFields(b views.Booking) []components.Field {
	attributes := templ.Attributes{"maxlength": strconv.Itoa(b.MaxNote)}
	return []components.Field{
		{
			Name: views.FieldNote, Label: b.T("field.note"), Hint: b.T("field.note_hint"), Value: b.Form.Note,
			Error: b.Errors[views.FieldNote], Attributes: attributes,
		},
		{
			Name: views.FieldAllergies, Label: b.T("field.allergies"), Hint: b.T("field.allergies_hint"),
			Value: b.Form.Allergies, Error: b.Errors[views.FieldAllergies], Attributes: attributes,
		},
	}
}

// dishesPoll asks for the menu again every few seconds while some dish may run out, but not while it shows an error
// of a quantity, which the answer would not repeat; and when the diner chooses another time, if that matters.
func dishesPoll(d views.Dishes) templ.Attributes {
	if d.Press != "" { // of a change: the answer knows nothing of what the reservation has
		return nil
	}
	var triggers []string
	if d.HasLimited() && len(d.Errors) == 0 {
		triggers = append(triggers, "every 5s")
	}
	if d.DependsOnTime() {
		triggers = append(triggers, "change from:#times")
	}
	if len(triggers) == 0 {
		return nil
	}
	return templ.Attributes{"hx-get": views.DishesURL(d.Slug, d.Day), "hx-include": "#times",
		"hx-trigger": strings.Join(triggers, ", "), "hx-swap": "morph:outerHTML"}
}

// depositHow says how the deposit of the chosen party adds up.
func depositHow(b views.Booking) string {
	amount := i18n.Won(b.Lang, b.Tier().Amount)
	switch b.Tier().Kind {
	case booking.PerPerson:
		return b.T("booking.deposit_how", "Amount", amount, "Party", i18n.Party(b.Lang, b.Party))
	case booking.PerParty:
		return b.T("booking.deposit_party", "Amount", amount)
	}
	return b.T("booking.deposit_free")
}

// stayText says for how long the party stays, and until when once a time is chosen.
func stayText(b views.Booking) string {
	length := i18n.Length(b.Lang, b.Stay)
	if slot := b.Chosen(); slot != nil && !slot.Until.IsZero() {
		return b.T("stay.chosen", "Length", length, "Span", i18n.Times(b.Lang, slot.At, slot.Until))
	}
	return b.T("stay.party", "Party", i18n.Party(b.Lang, b.Party), "Length", length)
}

// stepperChange asks for the times again when the diner chooses a dish that takes longer than a slot.
func stepperChange(d dish) templ.Attributes {
	if d.item.Stay == 0 {
		return nil
	}
	return templ.Attributes{
		"hx-post": dishesPress(d.menu), "hx-trigger": "change",
		"hx-vals":   `{"` + views.FieldAction + `":"` + views.ActionRefresh + `"}`,
		"hx-target": "#times", "hx-select": "#times", "hx-select-oob": "#summary,#pay-bar,#seats",
		"hx-swap": "morph:outerHTML", "hx-sync": "closest form:replace",
	}
}

// submitText is what the button says: the press books, and the deposit comes due once the seat is held.
func submitText(b views.Booking) string {
	deposit := b.DepositToPay()
	if deposit == 0 {
		return b.T("booking.submit_free")
	}
	return b.T("booking.submit", "Amount", i18n.Won(b.Lang, deposit))
}
