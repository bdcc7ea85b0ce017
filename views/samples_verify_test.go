package views_test

import (
	"github.com/a-h/templ"

	"lunchgo/app/receipt"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// addVerify adds the page that checks receipts, before and after.
func addVerify(lang string, visitor views.Layout, all map[string]templ.Component) {
	visitor.Path = views.VerifyURL()
	all["verify"] = pages.Verify(views.Verify{Layout: visitor})
	all["verify-unreadable"] = pages.Verify(views.Verify{Layout: visitor, Text: hostile,
		Problem: visitor.T("verify.unreadable")})
	found := receipt.Finding{Outcome: "proven", Reason: "served", Line: "r12-2026-11-21-1900", Entered: 3, Entry: 41,
		Place: 118, Arrival: 1_795_255_200_123_456, Before: 1_795_255_200_123_455}
	all["verify-proven"] = pages.Verify(views.Verify{Layout: visitor, Finding: &found})
	refuted := found
	refuted.Outcome, refuted.Reason, refuted.Other, refuted.Place, refuted.Elsewhere = "refuted", "overtaken",
		found.Before+99, 0, 2
	all["verify-refuted"] = pages.Verify(views.Verify{Layout: visitor, Finding: &refuted})
	open := receipt.Finding{Outcome: "unproven", Reason: "still_open"}
	all["verify-unproven"] = pages.Verify(views.Verify{Layout: visitor, Finding: &open})
}
