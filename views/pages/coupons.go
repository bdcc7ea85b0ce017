package pages

import (
	"strconv"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

var couponUseKeys = map[views.CouponUse]string{
	views.CouponForDeposit: "coupon.for_deposit",
	views.CouponForMenu:    "coupon.for_menu",
}

// couponUse says off which part of a price a coupon goes.
func couponUse(c views.CouponHead) string { return i18n.T(c.Lang, couponUseKeys[c.Use]) }

// couponPlace says where a coupon may be used.
func couponPlace(c views.CouponHead) string {
	if c.Restaurant == "" {
		return i18n.T(c.Lang, "coupon.everywhere")
	}
	return i18n.T(c.Lang, "coupon.only_at", "Name", c.Restaurant)
}

func validUntil(c views.CouponHead) string {
	return i18n.T(c.Lang, "coupon.valid_until", "Time", i18n.DateTime(c.Lang, c.ValidUntil))
}

// campaignLook is how a campaign's state is worded and coloured.
type campaignLook struct {
	key  string
	tone string
}

var campaignLooks = map[views.CampaignState]campaignLook{
	views.CampaignUpcoming: {"coupon.upcoming", "info"},
	views.CampaignOpen:     {"coupon.open", "success"},
	views.CampaignSoldOut:  {"coupon.sold_out", "muted"},
	views.CampaignOver:     {"coupon.over", "muted"},
}

// campaignWhen says from when or until when coupons can be had; empty where that does not matter any more.
func campaignWhen(c views.Campaign) string {
	switch c.State {
	case views.CampaignUpcoming:
		return i18n.T(c.Lang, "coupon.opens_at", "Time", i18n.DateTime(c.Lang, c.OpensAt))
	case views.CampaignOpen:
		return i18n.T(c.Lang, "coupon.closes_at", "Time", i18n.DateTime(c.Lang, c.ClosesAt))
	}
	return ""
}

// opening says when a campaign begins, as a sentence.
func opening(c views.Campaign) string {
	return i18n.T(c.Lang, "coupon.opening", "Time", i18n.DateTime(c.Lang, c.OpensAt))
}

// campaignsPoll lets the list be asked for again every few seconds while something of it may change.
func campaignsPoll(c views.Campaigns) templ.Attributes {
	if !c.IsLive() {
		return nil
	}
	return templ.Attributes{"hx-get": views.CouponsURL(), "hx-trigger": "every 5s", "hx-swap": "morph:outerHTML"}
}

// campaignID is the id of a campaign's heading.
func campaignID(c views.Campaign) string { return "campaign-" + strconv.FormatInt(c.ID, 10) }

// couponWords are the words of outcomes that are others for coupons than for tables.
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

// couponWordsOf are those of a failure for an outcome that has none.
func couponWordsOf(kind views.OutcomeKind) words {
	if known, ok := couponWords[kind]; ok {
		return known
	}
	return couponWords[views.OutcomeFailed]
}
