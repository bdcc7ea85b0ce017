package views

import "lunchgo/views/i18n"

// Verify is the page that checks a receipt. Component: pages.Verify(views.Verify).
type Verify struct {
	Layout
	Text    string   // of the receipt, as it was sent
	Problem string   // with what was sent; empty if there is none
	Finding *Finding // nil before anything was checked
}

// VerifyCommand checks a receipt without the site's word.
const VerifyCommand = "lunchgo verify receipt.json https://…"

// Finding is what a receipt and the log of its line prove together.
type Finding struct {
	Outcome   string // proven, refuted or unproven
	Reason    string // key of its sentence under "verify."
	Line      string
	Entered   int   // entry of the log that took the ticket in
	Entry     int   // where it ended, or where the fault is
	Place     int   // among those who were served; 0 for a ticket that was not
	Arrival   int64 // the ticket's number
	Before    int64 // number of who was served right before; 0 for the first
	Other     int64 // number of who overtook or was overtaken
	Elsewhere int   // faults that do not concern the ticket
}

// Title says what was found.
func (f Finding) Title(lang string) string { return i18n.T(lang, "verify."+f.Outcome) }

// Sentences say why, the most important first.
func (f Finding) Sentences(lang string) []string {
	said := []string{i18n.T(lang, "verify."+f.Reason, "Place", f.Place, "Entry", f.Entry, "Arrival", f.Arrival, "Other",
		f.Other)}
	if f.Place > 0 && f.Before > 0 {
		said = append(said, i18n.T(lang, "verify.before", "Before", f.Before, "Arrival", f.Arrival))
	}
	if f.Outcome == "proven" {
		said = append(said, i18n.T(lang, "verify.entries", "Line", f.Line, "Entered", f.Entered, "Entry", f.Entry))
	}
	if f.Elsewhere > 0 {
		said = append(said, i18n.T(lang, "verify.elsewhere", "Count", f.Elsewhere))
	}
	return said
}
