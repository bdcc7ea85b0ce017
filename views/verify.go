package views

import (
	"lunchgo/app/receipt"
	"lunchgo/views/i18n"
)

// Verify is the page that checks a receipt. Component: pages.Verify(views.Verify).
type Verify struct {
	Layout
	Text    string           // of the receipt, as it was sent
	Problem string           // with what was sent; empty if there is none
	Finding *receipt.Finding // nil before anything was checked
}

// VerifyCommand checks a receipt without the site's word.
const VerifyCommand = "lunchgo verify receipt.json https://…"

// FindingTitle says what was found.
func FindingTitle(lang string, f receipt.Finding) string {
	return i18n.T(lang, "verify."+string(f.Outcome))
}

// FindingSentences say why, the most important first.
func FindingSentences(lang string, f receipt.Finding) []string {
	said := []string{i18n.T(lang, "verify."+string(f.Reason), "Place", f.Place, "Entry", f.Entry, "Arrival", f.Arrival, "Other",
		f.Other)}
	if f.Place > 0 && f.Before > 0 {
		said = append(said, i18n.T(lang, "verify.before", "Before", f.Before, "Arrival", f.Arrival))
	}
	if f.Outcome == receipt.Proven {
		said = append(said, i18n.T(lang, "verify.entries", "Line", f.Line, "Entered", f.Entered, "Entry", f.Entry))
	}
	if f.Elsewhere > 0 {
		said = append(said, i18n.T(lang, "verify.elsewhere", "Count", f.Elsewhere))
	}
	return said
}
