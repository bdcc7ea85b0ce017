package pages

import (
	"strconv"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// pressURL is where the form goes.
func pressURL(b views.Booking) string {
	if b.Press != "" {
		return b.Press
	}
	return views.ReserveURL(b.Restaurant.Slug)
}

// dishesPress is where htmx asks for a part of the form again.
func dishesPress(d views.Dishes) string {
	if d.Press != "" {
		return d.Press
	}
	return views.ReserveURL(d.Slug)
}

// shortKey is the catalogue's key of what to do where the wallet holds less than a change costs.
func shortKey(p views.ChangePreview) string {
	if p.CannotTopUp {
		return "change.short_closed"
	}
	return "change.short"
}

// difference is a row of what a change changes.
type difference struct {
	label, from, to string
}

// differences are what a change changes, in words.
func differences(f views.Layout, from, to views.ChangeSide) []difference {
	var rows []difference
	if !from.At.Equal(to.At) || !from.Until.Equal(to.Until) {
		rows = append(rows, difference{f.T("change.when"), i18n.Span(f.Lang, from.At, from.Until),
			i18n.Span(f.Lang, to.At, to.Until)})
	}
	if from.Party != to.Party {
		rows = append(rows, difference{f.T("field.party"), i18n.Party(f.Lang, from.Party),
			i18n.Party(f.Lang, to.Party)})
	}
	if before, after := orderText(f, from.Items), orderText(f, to.Items); before != after {
		rows = append(rows, difference{f.T("change.menu"), before, after})
	}
	return rows
}

func orderText(f views.Layout, lines []booking.Item) string {
	text := ""
	for _, line := range lines {
		if text != "" {
			text += ", "
		}
		text += f.T("change.dish", "Name", line.Name.In(f.Lang), "Quantity", line.Quantity)
	}
	if text == "" {
		return f.T("change.no_dishes")
	}
	return text
}

// previewRows are all rows of a preview: what the reservation becomes, and how the price changes.
func previewRows(p views.ChangePreview) []difference {
	rows := differences(p.Layout, p.From, p.To)
	if was, is := strings.Join(p.From.Seats, ", "), strings.Join(p.To.Seats, ", "); is != "" && is != was {
		rows = append(rows, difference{p.T("change.seats"), was, is})
	}
	if p.Texts {
		rows = append(rows, difference{p.T("change.texts"), "", p.T("change.texts_new")})
	}
	for _, money := range []struct {
		label string
		won   [2]int64
	}{{"booking.deposit", p.Deposit}, {"booking.menu_total", p.MenuTotal}, {"change.coupon", p.Off}} {
		if money.won[0] != money.won[1] {
			rows = append(rows, difference{p.T(money.label), i18n.Won(p.Lang, money.won[0]),
				i18n.Won(p.Lang, money.won[1])})
		}
	}
	return rows
}

// moneyText says what moves now.
func moneyText(p views.ChangePreview) string {
	switch {
	case p.Unpaid:
		return p.T("change.unpaid")
	case p.Card > 0:
		return p.T("change.pays_card")
	case p.Amount > 0:
		return p.T("change.pays")
	case p.Amount < 0:
		return p.T("change.back")
	case p.Kept > 0:
		return p.T("change.nothing_back")
	}
	return p.T("change.even")
}

// changeHow says where the money of a change comes from, where a card pays some of it.
func changeHow(p views.ChangePreview) string {
	card := i18n.Won(p.Lang, p.Card)
	if p.Card == p.Amount {
		return p.T("payment.by_card", "Amount", card)
	}
	return p.T("payment.by_both", "Amount", i18n.Won(p.Lang, p.Amount-p.Card), "Card", card)
}

// changeAction is the FieldAction of the button.
func changeAction(p views.ChangePreview) string {
	if p.Card > 0 {
		return views.ActionByCard
	}
	return views.ActionChange
}

// submitChange is what the button says.
func submitChange(p views.ChangePreview) string {
	if p.Amount > 0 {
		return p.T("change.submit_pay", "Amount", i18n.Won(p.Lang, p.Amount))
	}
	return p.T("change.submit")
}

// answers are the form's fields as hidden ones, in a stable order.
func answers(form views.BookingForm, dishes []int64) [][2]string {
	all := [][2]string{{views.FieldDate, form.Date}, {views.FieldTime, form.Time}, {views.FieldParty, form.Party},
		{views.FieldNote, form.Note}, {views.FieldAllergies, form.Allergies},
		{views.WasPrefix + views.FieldNote, form.Was.Note},
		{views.WasPrefix + views.FieldAllergies, form.Was.Allergies}}
	for _, id := range dishes {
		all = append(all, [2]string{views.ItemField(id), form.Quantities[id]})
	}
	return all
}

// moved is what a change in the history cost, in words.
func moved(f views.Layout, c views.PastChange) string {
	switch {
	case c.Charged > 0:
		return f.T("change.paid_more", "Amount", i18n.Won(f.Lang, c.Charged))
	case c.Refunded > 0:
		return f.T("change.came_back", "Amount", i18n.Won(f.Lang, c.Refunded))
	}
	return ""
}

func amountValue(won int64) string { return strconv.FormatInt(won, 10) }
