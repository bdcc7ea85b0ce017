package diner

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// itemPrefix begins the names of the fields with quantities of dishes.
var itemPrefix = strings.TrimSuffix(views.ItemField(0), "0")

// readBookingForm takes the answers as they were typed.
func readBookingForm(c *fiber.Ctx) views.BookingForm {
	form := views.BookingForm{
		Date:      respond.FormValue(c, views.FieldDate),
		Time:      respond.FormValue(c, views.FieldTime),
		Party:     respond.FormValue(c, views.FieldParty),
		Note:      respond.FormValue(c, views.FieldNote),
		Allergies: respond.FormValue(c, views.FieldAllergies),
		Was: booking.Texts{Note: booking.Lines(respond.FormValue(c, views.WasPrefix+views.FieldNote)),
			Allergies: booking.Lines(respond.FormValue(c, views.WasPrefix+views.FieldAllergies))},
		Coupon:         respond.FormValue(c, views.FieldCoupon),
		IdempotencyKey: respond.FormValue(c, views.FieldIdempotencyKey),
		Seats:          respond.FormValues(c, views.FieldSeat),
		Name:           respond.FormValue(c, views.FieldName),
		Email:          respond.FormValue(c, views.FieldEmail),
		Phone:          respond.FormValue(c, views.FieldPhone),
		Quantities:     map[int64]string{},
	}
	for name, value := range c.Request().PostArgs().All() {
		digits, ok := strings.CutPrefix(string(name), itemPrefix)
		if id, err := strconv.ParseInt(digits, 10, 64); ok && err == nil {
			form.Quantities[id] = string(value)
		}
	}
	return form
}

// draftOf is what the form asks for. What is no number is an error; what else is wrong, the draft's own check finds.
func draftOf(r booking.Restaurant, form views.BookingForm) (booking.Draft, []respond.Field) {
	draft := booking.Draft{RestaurantID: r.ID, Date: form.Date, Time: form.Time, Note: booking.Lines(form.Note),
		Allergies: booking.Lines(form.Allergies)}
	var fieldErrors []respond.Field
	party, ok := respond.ReadPartySize(form.Party, 0)
	if !ok {
		fieldErrors = append(fieldErrors, respond.Field{Name: views.FieldParty, Reason: "invalid_number"})
	}
	draft.PartySize = party
	if form.Coupon != "" {
		var err error
		if draft.CouponID, err = strconv.ParseInt(form.Coupon, 10, 64); err != nil || draft.CouponID <= 0 {
			fieldErrors = append(fieldErrors, respond.Field{Name: views.FieldCoupon,
				Reason: refusal.Of(booking.ErrCouponUnknown).Code})
		}
	}
	for _, typed := range form.Seats {
		id, err := strconv.ParseInt(typed, 10, 64)
		if err != nil {
			fieldErrors = append(fieldErrors, respond.Field{Name: views.FieldSeat, Reason: "unknown"})
			break
		}
		draft.SeatIDs = append(draft.SeatIDs, id)
	}
	for _, id := range slices.Sorted(maps.Keys(form.Quantities)) {
		typed := strings.TrimSpace(form.Quantities[id])
		n, err := strconv.Atoi(typed)
		switch {
		case typed == "" || err == nil && n == 0:
		case err != nil:
			fieldErrors = append(fieldErrors, respond.Field{Name: views.ItemField(id), Reason: "invalid_number"})
		default:
			draft.Items = append(draft.Items, booking.DraftItem{MenuItemID: id, Quantity: n})
		}
	}
	return draft, fieldErrors
}

var itemName = regexp.MustCompile(`^items\[(\d+)\]\.(\w+)$`)

// formField is the field of the form that an error of the draft belongs to.
func formField(draft booking.Draft, name string) string {
	switch name {
	case "partySize":
		return views.FieldParty
	case "items":
		return views.FieldMenu
	}
	if strings.HasPrefix(name, "seatIds") {
		return views.FieldSeat
	}
	parts := itemName.FindStringSubmatch(name)
	if parts == nil {
		return name
	}
	at, err := strconv.Atoi(parts[1])
	if err != nil || at >= len(draft.Items) || parts[2] != "quantity" {
		return views.FieldMenu
	}
	return views.ItemField(draft.Items[at].MenuItemID)
}

// formErrors gives the fieldErrors of a draft the names of the form.
func formErrors(draft booking.Draft, all []booking.FieldError) []respond.Field {
	fieldErrors := make([]respond.Field, 0, len(all))
	for _, f := range all {
		own := respond.Field{Name: formField(draft, f.Field), Reason: f.Reason, Min: f.Min, Max: f.Max}
		if own.Name == views.FieldParty && own.Reason == "out_of_range" {
			own.Reason = "party" // the sentence that says whose limits they are
		}
		fieldErrors = append(fieldErrors, own)
	}
	return fieldErrors
}

// headline is that of a page that says why there is no reservation.
func headline(why respond.Problem) views.OutcomeKind {
	return cmp.Or(views.OutcomeKind(why.Headline), views.OutcomeFailed)
}

// headlineOf is that of a ticket whose request did not come true.
func headlineOf(result waiting.Result) views.OutcomeKind {
	why, _ := respond.ProblemOfResult(result)
	return headline(why)
}

// reservationOf is the diner's own reservation that speaks against another; empty for other reasons.
func reservationOf(why respond.Problem) string {
	return cmp.Or(refusal.Details[booking.DuplicateError](why).ReservationID,
		refusal.Details[booking.OverlappingError](why).ReservationID)
}

// chosenOf are the dishes of which some are chosen.
func chosenOf(menu []booking.MenuItem, quantities map[int64]string) []booking.MenuItem {
	return slices.DeleteFunc(slices.Clone(menu), func(item booking.MenuItem) bool {
		n, err := strconv.Atoi(strings.TrimSpace(quantities[item.ID]))
		return err != nil || n < 1
	})
}

// menuTotal is what the chosen dishes cost; quantities that cannot be ordered do not count, nor dishes that have
// run out.
func menuTotal(menu []booking.MenuItem, stock booking.Stock, quantities map[int64]string) int64 {
	var total int64
	for _, item := range menu {
		if left, limited := stock[item.ID]; limited && left == 0 {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(quantities[item.ID]), 10, 64)
		if err == nil && n > 0 && n <= booking.MaxItemQuantity {
			total += n * item.Price
		}
	}
	return total
}
