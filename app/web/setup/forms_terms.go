package setup

import (
	"strconv"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func writeTerms(v values, r booking.Restaurant) {
	d, _ := setup.Of(setup.DocDeposits, r).(setup.Deposits)
	c, _ := setup.Of(setup.DocCancellation, r).(setup.Cancellation)
	for i, tier := range d.Tiers {
		v[at("tiers", i, "fromParty")], v[at("tiers", i, "kind")] = strconv.Itoa(tier.FromParty), string(tier.Kind)
		v[at("tiers", i, "amount")] = i18n.Number(int(tier.Amount))
	}
	for i, tier := range c.Refunds {
		v[at("refunds", i, "hoursBefore")], v[at("refunds", i, "percent")] = strconv.Itoa(tier.HoursBefore),
			strconv.Itoa(tier.Percent)
	}
	v["changeHours"] = strconv.Itoa(c.ChangeHours)
	v["freeCancelMinutes"] = strconv.Itoa(*c.FreeCancelMinutes)
}

func readTerms(in *reader, _ booking.Restaurant) []setup.Document {
	in.compact("tiers", "fromParty", "amount")
	in.compact("refunds", "hoursBefore", "percent")
	d, c := setup.Deposits{Tiers: []booking.DepositTier{}}, setup.Cancellation{Refunds: []booking.RefundTier{}}
	for i := range in.rows("tiers") {
		kind := booking.DepositKind(in.values[at("tiers", i, "kind")])
		if kind == booking.NoDeposit && in.values[at("tiers", i, "amount")] == "" {
			in.values[at("tiers", i, "amount")] = "0"
		}
		d.Tiers = append(d.Tiers, booking.DepositTier{FromParty: in.number(at("tiers", i, "fromParty")), Kind: kind,
			Amount: int64(in.number(at("tiers", i, "amount")))})
	}
	for i := range in.rows("refunds") {
		c.Refunds = append(c.Refunds, booking.RefundTier{HoursBefore: in.number(at("refunds", i, "hoursBefore")),
			Percent: in.number(at("refunds", i, "percent"))})
	}
	c.ChangeHours = in.number("changeHours")
	free := in.number("freeCancelMinutes")
	c.FreeCancelMinutes = &free
	return []setup.Document{d, c}
}

func drawTerms(b builder) []views.SetupGroup {
	kinds := []views.Choice{{Value: string(booking.PerPerson), Label: b.t("kind_per_person")},
		{Value: string(booking.PerParty), Label: b.t("kind_per_party")},
		{Value: string(booking.NoDeposit), Label: b.t("kind_none")}}
	deposits := views.SetupGroup{Legend: b.t("group_deposits"), Hint: b.t("deposits_hint"),
		Buttons: []views.SetupButton{{Action: "add:tiers", Label: b.t("add_deposit")}}}
	for i := range b.rows("tiers") {
		deposits.Rows = append(deposits.Rows, row(b.count(at("tiers", i, "fromParty")),
			b.choice(at("tiers", i, "kind"), kinds), b.count(at("tiers", i, "amount"))))
	}
	refunds := views.SetupGroup{Legend: b.t("group_refunds"), Hint: b.t("refunds_hint"),
		Buttons: []views.SetupButton{{Action: "add:refunds", Label: b.t("add_refund")}}}
	for i := range b.rows("refunds") {
		refunds.Rows = append(refunds.Rows,
			row(b.count(at("refunds", i, "hoursBefore")), b.count(at("refunds", i, "percent"))))
	}
	refunds.Rows = append(refunds.Rows, row(b.count("freeCancelMinutes")))
	return []views.SetupGroup{deposits, refunds,
		{Legend: b.t("group_changes"), Rows: []views.SetupRow{row(b.count("changeHours"))}}}
}

func writeClosures(v values, r booking.Restaurant) {
	c, _ := setup.Of(setup.DocClosures, r).(setup.Closures)
	for i, closure := range c.Closures {
		v[at("closures", i, "from")], v[at("closures", i, "to")] = string(closure.From), string(closure.To)
		v[at("closures", i, "reason")] = closure.Reason
	}
	if len(c.Closures) == 0 {
		v[at("closures", 0, "from")] = ""
	}
}

func readClosures(in *reader, _ booking.Restaurant) []setup.Document {
	in.compact("closures", "from", "to", "reason")
	c := setup.Closures{Closures: []setup.Closure{}}
	for i := range in.rows("closures") {
		c.Closures = append(c.Closures, setup.Closure{From: booking.Date(in.values[at("closures", i, "from")]),
			To: booking.Date(in.values[at("closures", i, "to")]), Reason: in.values[at("closures", i, "reason")]})
	}
	return []setup.Document{c}
}

func drawClosures(b builder) []views.SetupGroup {
	g := views.SetupGroup{Legend: b.t("page_closures"), Hint: b.t("closures_hint"),
		Buttons: []views.SetupButton{{Action: "add:closures", Label: b.t("add_closure")}}}
	for i := range b.rows("closures") {
		from, to := b.field(at("closures", i, "from"), "date"), b.field(at("closures", i, "to"), "date")
		from.Label, to.Label = b.t("field_from_date"), b.t("field_to_date")
		g.Rows = append(g.Rows, row(from, to, b.text(at("closures", i, "reason"))))
	}
	return []views.SetupGroup{g}
}
