package pages

import (
	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// mostDots is the largest number of people ahead that the page draws as dots.
const mostDots = 10

func shownAhead(s views.WaitingStatus) int { return min(s.Ahead(), mostDots) }

// from is the position that the progress counts from.
func from(s views.WaitingStatus) int { return max(s.FirstPosition, s.Position) }

var oddsKeys = map[views.Odds]string{
	views.OddsGood: "odds.good",
	views.OddsFair: "odds.fair",
	views.OddsPoor: "odds.poor",
	views.OddsNone: "odds.none",
	views.OddsOpen: "odds.open",
}

var couponOddsKeys = map[views.Odds]string{
	views.OddsGood: "odds.coupon_good",
	views.OddsFair: "odds.coupon_fair",
	views.OddsPoor: "odds.coupon_poor",
	views.OddsNone: "odds.coupon_none",
}

func oddsText(s views.WaitingStatus) string {
	key := oddsKeys[s.Odds()]
	if s.ForCoupon {
		key = couponOddsKeys[s.Odds()]
	}
	if s.Odds() == views.OddsGood && s.Ahead() == 0 {
		key += "_next"
	}
	return i18n.T(s.Lang, key)
}

// oddsFigures shows what is left beside the people ahead, if any, and the seats that they ask for, if known.
func oddsFigures(s views.WaitingStatus) string {
	left, ahead := "odds.seats", "odds.ahead"
	switch {
	case s.ForCoupon:
		left, ahead = "odds.coupons", "odds.ahead_people"
	case s.SeatsAheadKnown:
		ahead = "odds.ahead_seats"
	}
	text := i18n.T(s.Lang, left, "Count", s.SeatsLeft)
	if s.Ahead() == 0 {
		return text
	}
	return text + " · " + i18n.T(s.Lang, ahead, "Count", s.Ahead(), "Seats", i18n.Number(s.SeatsAhead))
}

// lineIcon shows what the line leads to.
func lineIcon(s views.WaitingStatus) string {
	if s.ForCoupon {
		return "coupon"
	}
	return "store"
}

// nextTexts are the sentences that say what happens next.
func nextTexts(w views.Waiting) []string {
	if w.Coupon != nil {
		return []string{w.T("waiting.next_coupon"), w.T("waiting.next_use"), w.T("waiting.next_keep")}
	}
	if w.ConfirmsAtOnce() {
		return []string{w.T("waiting.next_turn"), w.T("waiting.next_confirmed"), w.T("waiting.next_keep"),
			w.T("waiting.next_away_confirmed")}
	}
	then := "waiting.next_pay"
	if w.IsFree() {
		then = "waiting.next_confirm"
	}
	return []string{w.T("waiting.next_turn"), w.T(then), w.T("waiting.next_keep"),
		w.T("waiting.next_away", "Length", i18n.Length(w.Lang, w.HoldUnseen))}
}

// notifyKey is the catalogue's key of what the browser's notification says.
func notifyKey(w views.Waiting) string {
	if w.ConfirmsAtOnce() {
		return "notify.body_confirmed"
	}
	return "notify.body"
}

func aheadText(s views.WaitingStatus) string {
	if s.Ahead() == 0 {
		return i18n.T(s.Lang, "waiting.nobody_ahead")
	}
	return i18n.T(s.Lang, s.OfWaiters("waiting.ahead"), "Count", s.Ahead())
}

// pushing returns the attributes of a box by which notify.js subscribes the browser; none where it cannot be pushed to.
func pushing(p views.Push, done string) templ.Attributes { return pushingTo(views.PushURL(), p, done) }

// pushingTo is pushing of a page that has an address of its own for subscriptions.
func pushingTo(url string, p views.Push, done string) templ.Attributes {
	if p.Key == "" {
		return nil
	}
	return templ.Attributes{"data-pushed": done, "data-push": url, "data-push-key": p.Key,
		"data-session": p.Session, "data-tag": p.Tag, "data-worker": views.WorkerURL()}
}
