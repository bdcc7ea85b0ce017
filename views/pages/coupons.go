package pages

import (
	"strconv"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

var couponUseKeys = map[booking.DiscountUse]string{
	booking.OffDeposit: "coupon.for_deposit",
	booking.OffMenu:    "coupon.for_menu",
}

// couponUse says off which part of a price a coupon goes.
func couponUse(c views.CouponHead) string { return i18n.T(c.Lang, couponUseKeys[c.Use]) }

// couponPlace says where a coupon is valid.
func couponPlace(c views.CouponHead) string {
	if c.Restaurant == "" {
		return i18n.T(c.Lang, "coupon.everywhere")
	}
	return i18n.T(c.Lang, "coupon.only_at", "Name", c.Restaurant)
}

// validUntil says until when a coupon can be used: the end of a day by the day that ends.
func validUntil(c views.CouponHead) string {
	text := i18n.DateTime(c.Lang, c.ValidUntil)
	if c.ValidUntil.Hour() == 0 && c.ValidUntil.Minute() == 0 {
		text = i18n.Date(c.Lang, c.ValidUntil.AddDate(0, 0, -1))
	}
	return i18n.T(c.Lang, "coupon.valid_until", "Time", text)
}

// campaignLook is the text and the tone of a campaign's state.
type campaignLook struct {
	key  string
	tone string
}

var campaignLooks = map[coupon.State]campaignLook{
	coupon.Upcoming: {"coupon.upcoming", "info"},
	coupon.Open:     {"coupon.open", "success"},
	coupon.SoldOut:  {"coupon.sold_out", "muted"},
	coupon.Over:     {"coupon.over", "muted"},
}

// campaignWhen says from when or until when a campaign gives out coupons; empty once that no longer matters.
func campaignWhen(c views.Campaign) string {
	switch c.State {
	case coupon.Upcoming:
		return i18n.T(c.Lang, "coupon.opens_at", "Time", i18n.DateTime(c.Lang, c.OpensAt))
	case coupon.Open:
		return i18n.T(c.Lang, "coupon.closes_at", "Time", i18n.DateTime(c.Lang, c.ClosesAt))
	}
	return ""
}

// opening says when a campaign begins, as a sentence.
func opening(c views.Campaign) string {
	return i18n.T(c.Lang, "coupon.opening", "Time", i18n.DateTime(c.Lang, c.OpensAt))
}

// campaignsPoll asks for the list again every few seconds while something of it may change.
func campaignsPoll(c views.Campaigns) templ.Attributes {
	if !c.IsLive() {
		return nil
	}
	return templ.Attributes{"hx-get": views.CouponsURL(), "hx-trigger": "every 5s", "hx-swap": "morph:outerHTML"}
}

// campaignID is the id of a campaign's heading.
func campaignID(c views.Campaign) string { return "campaign-" + strconv.FormatInt(c.ID, 10) }

// couponWords are the words of the outcomes of a line for coupons.
var couponWords = map[views.OutcomeKind]words{
	views.OutcomeSoldOut:        {"coupon.outcome_sold_out", "coupon.outcome_sold_out_text"},
	views.OutcomeAlreadyClaimed: {"coupon.outcome_claimed", "coupon.outcome_claimed_text"},
	views.OutcomeNotOpen:        {"coupon.outcome_not_open", "coupon.outcome_not_open_text"},
	views.OutcomeOver:           {"coupon.outcome_over", "coupon.outcome_over_text"},
	views.OutcomeTimedOut:       {"coupon.outcome_timed_out", "coupon.outcome_timed_out_text"},
	views.OutcomeLeft:           {"coupon.outcome_left", "coupon.outcome_left_text"},
	views.OutcomeInProgress:     {"coupon.outcome_in_progress", "coupon.outcome_in_progress_text"},
	views.OutcomeFailed:         {"coupon.outcome_failed", "coupon.outcome_failed_text"},
}
