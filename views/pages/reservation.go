package pages

import (
	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// reservationWords are the headline and the sentence for each state; what is confirmed has its code instead of one.
var reservationWords = map[booking.State]words{
	booking.Temporary:        {"reservation.temporary", "reservation.temporary_text"},
	booking.Confirmed:        {"reservation.confirmed", ""},
	booking.PrepaidConfirmed: {"reservation.prepaid", ""},
	booking.Expired:          {"reservation.expired", "reservation.expired_text"},
	booking.Cancelled:        {"reservation.cancelled", "reservation.cancelled_text"},
	booking.Arrived:          {"reservation.arrived", "reservation.arrived_text"},
	booking.Seated:           {"reservation.seated", "reservation.seated_text"},
	booking.Completed:        {"reservation.completed", "reservation.completed_text"},
	booking.NoShow:           {"reservation.no_show", "reservation.no_show_text"},
	booking.RefundPending:    {"reservation.refund_pending", "reservation.refund_pending_text"},
	booking.Refunded:         {"reservation.refunded", "reservation.refunded_text"},
}

// reservationText is the catalogue's key of the sentence for a reservation; one whose payment came too late has its
// own.
func reservationText(r views.Reservation) string {
	if r.State == booking.Expired && r.RefundAmount > 0 {
		return "reservation.returned_text"
	}
	return reservationWords[r.State].text
}

func stepOf(state booking.State) components.Step {
	if state == booking.Temporary {
		return components.StepPay
	}
	return components.StepDone
}

// refundText says what a cancellation right now gives back.
func refundText(f views.Layout, offer views.CancelOffer, paid int64) string {
	text := moneyBack(f, offer, paid)
	if offer.Coupon {
		return text + " " + f.T("cancel.coupon")
	}
	return text
}

func moneyBack(f views.Layout, offer views.CancelOffer, paid int64) string {
	switch {
	case paid == 0:
		return f.T("cancel.unpaid")
	case !offer.FreeUntil.IsZero():
		return f.T("cancel.free", "Time", i18n.Time(f.Lang, offer.FreeUntil), "Amount", i18n.Won(f.Lang, offer.Refund))
	case offer.Refund == 0:
		return f.T("cancel.no_refund")
	}
	return f.T("cancel.refund", "Amount", i18n.Won(f.Lang, offer.Refund), "Percent", offer.Percent)
}

func cancelOf(r views.Reservation) views.Cancel {
	return views.Cancel{Layout: r.Layout, Paid: r.PaidAmount, Offer: *r.Cancel, Booked: views.Booked{ReservationID: r.ID,
		Visit: views.Visit{Restaurant: r.Restaurant, At: r.At, Until: r.Until, Party: r.PartySize}}}
}
