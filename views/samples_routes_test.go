package views_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// sampleOf names for each page's route a sample of it, by the beginning of its name. A route that answers no page has
// none. The documents of the set-up are one template with other fields.
var sampleOf = map[string]string{
	"/": "search", "/en": "search", "/terms": "legal-terms", "/en/terms": "legal-terms", "/privacy": "legal-privacy", "/en/privacy": "legal-privacy", "/restaurants/:slug": "restaurant", "/en/restaurants/:slug": "restaurant", "/restaurants/:slug/book": "booking", "/restaurants/:slug/waitlist": "waitlist-join",
	"/coupons": "coupons", "/signup": "signup", "/signin": "signin", "/signin/with/:provider": "signin-errors", "/signin/with/:provider/return": "signin-errors",
	"/link": "link-", "/account/email": "email-unconfirmed",
	"/reservations": "reservations", "/offline": "offline", "/favourites": "favourites", "/wallet": "wallet", "/mailbox": "mailbox", "/account": "account", "/account/password": "account-password",
	"/account/sessions": "account-sessions", "/account/delete": "account-delete", "/waitlist/:id": "waitlist-", "/tickets/:ticket": "waiting",
	"/verify": "verify", "/rush": "rush", "/widget/:slug": "widget",
	"/reservations/:id": "reservation-", "/reservations/:id/pay": "payment", "/payments/:payment": "paying-window",
	"/practice-bank/:payment":   "paying-bank",
	"/payments/:payment/return": "paying-", "/payments/:payment/leave": "paying-", "/reservations/:id/change": "change",
	"/reservations/:id/cancel": "cancel", "/reservations/:id/another-time": "move-offer", "/c/:id": "pass", "/c/:reservation": "staff-pass", "/offers/:token": "offer", "/pay/:token": "payment-link", "/with/:token": "companion", "/coming/:token": "coming", "/door/:token": "door", "/operator": "operator-drafts", "/operator/restaurants/:restaurant": "operator-review",
	"/restaurants/:slug/reviews": "reviews-list", "/reservations/:id/review": "review-form", "/reviews/:review/report": "review-report",
	"/staff/restaurants/:restaurant/reviews": "staff-reviews", "/operator/reviews": "operator-reviews",
	"/operator/operators": "operators", "/operator/restaurants": "operator-restaurants", "/operator/restaurants/:restaurant/unpublish": "operator-unpublish",
	"/operator/setup/:token": "operator-setup", "/invitation": "invited",

	"/staff": "staff-home", "/staff/restaurants/new": "setup-open", "/staff/reservations/:reservation": "staff-reservation",
	"/staff/reservations/:reservation/refund":                  "staff-reservation-refund",
	"/staff/restaurants/:restaurant/days/:date/closing":        "staff-closing",
	"/staff/restaurants/:restaurant/slots/:date/:time/closing": "staff-closing-slots",
	"/staff/restaurants/:restaurant/messages":                  "staff-message",
	"/staff/restaurants/:restaurant/door":                      "staff-evening-door",
	"/staff/restaurants/:restaurant/door/:party":               "staff-door",
	"/staff/restaurants/:restaurant/messages/:message":         "staff-message-sent",
	"/staff/reservations/:reservation/details":                 "staff-reservation-details",
	"/staff/restaurants/:restaurant/kitchen":                   "staff-sheet-kitchen", "/staff/restaurants/:restaurant/print": "staff-sheet",
	"/staff/reservations/:reservation/cancel": "staff-reservation-cancel",
	"/staff/restaurants/:restaurant":          "staff-evening-guests", "/staff/restaurants/:restaurant/room": "staff-evening-room",
	"/staff/restaurants/:restaurant/tables/:seat":      "staff-table",
	"/staff/restaurants/:restaurant/timeline":          "staff-evening-timeline",
	"/staff/restaurants/:restaurant/slots":             "staff-evening-slots",
	"/staff/restaurants/:restaurant/line":              "staff-evening-line",
	"/staff/restaurants/:restaurant/slots/:date/:time": "staff-slot", "/staff/restaurants/:restaurant/slots/:date/:time/line": "staff-line",
	"/staff/restaurants/:restaurant/slots/:date/:time/controls":      "staff-controls",
	"/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats": "staff-blocked-seats",
	"/staff/restaurants/:restaurant/days/:date":                      "staff-day",
	"/staff/restaurants/:restaurant/days/:date/blocked-seats":        "staff-blocked-seats-day",
	"/staff/restaurants/:restaurant/menu":                            "staff-menu", "/staff/restaurants/:restaurant/book": "staff-book",
	"/staff/restaurants/:restaurant/tickets/:ticket": "staff-ticket", "/staff/restaurants/:restaurant/stop": "staff-stop",
	"/staff/restaurants/:restaurant/scan": "staff-scan", "/staff/restaurants/:restaurant/reports": "reports",
	"/staff/restaurants/:restaurant/guests": "guests-list", "/staff/restaurants/:restaurant/guests/:guest": "guests-profile",
	"/staff/restaurants/:restaurant/rehearsal": "rehearsal", "/staff/restaurants/:restaurant/team": "team",
	"/staff/restaurants/:restaurant/team/log": "team-log", "/staff/restaurants/:restaurant/team/leave": "team-leave",
	"/staff/restaurants/:restaurant/team/members/:member/remove": "team-remove",
	"/staff/restaurants/:restaurant/webhooks":                    "webhooks-list", "/staff/restaurants/:restaurant/webhooks/:webhook": "webhooks-one",
	"/staff/restaurants/:restaurant/webhooks/:webhook/delete": "webhooks-delete",

	"/staff/restaurants/:restaurant/setup": "setup-overview", "/staff/restaurants/:restaurant/setup/basics": "setup-basics",
	"/staff/restaurants/:restaurant/setup/hours": "setup-form", "/staff/restaurants/:restaurant/setup/parties": "setup-form",
	"/staff/restaurants/:restaurant/setup/terms": "setup-form", "/staff/restaurants/:restaurant/setup/closures": "setup-form",
	"/staff/restaurants/:restaurant/setup/publish": "setup-publish", "/staff/restaurants/:restaurant/setup/preview": "setup-preview",
	"/staff/restaurants/:restaurant/setup/website": "setup-website",
	"/staff/restaurants/:restaurant/setup/picture": "setup-picture",
	"/staff/restaurants/:restaurant/setup/menu":    "setup-menu", "/staff/restaurants/:restaurant/setup/menu/:item": "setup-dish",
	"/staff/restaurants/:restaurant/setup/coupons": "setup-coupons", "/staff/restaurants/:restaurant/setup/seats": "setup-seats",
}

// notPages are the ends of routes that answer something else: streams, files, parts of a page.
var notPages = regexp.MustCompile(`^/api/|^/static/|^/pictures/|^/(healthz|readyz|robots.txt|sitemap.xml|favicon.ico|sw.js|manifest.webmanifest)$|` +
	`/(events|receipt|export|calendar.ics|file.csv|payouts.csv|dishes)$|^/restaurants/:slug/slots$`)

// Every page that there is has a sample, so that it is judged in a browser. The routes are those of the access table,
// which is held to the program.
func TestSamples_ArePagesOfAllRoutes(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../app/web/access_table_test.go")
	must(t, err)
	all := samples("ko")
	for _, match := range regexp.MustCompile(`"GET (/[^"]*)"`).FindAllStringSubmatch(string(table), -1) {
		route := match[1]
		if notPages.MatchString(route) {
			continue
		}
		found := false
		for name := range all {
			found = found || sampleOf[route] != "" && strings.HasPrefix(name, sampleOf[route])
		}
		if !found {
			t.Errorf("no sample of %s: %q", route, sampleOf[route])
		}
	}
}
