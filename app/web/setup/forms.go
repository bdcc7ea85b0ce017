package setup

import (
	"cmp"
	"strconv"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// form is a page with a form of one or two documents.
type form struct {
	page      views.SetupPage
	documents []setup.Name
	// write puts the documents into the fields.
	write func(v values, r booking.Restaurant)
	// read reads the documents from the fields; what the form does not show stays as it is.
	read func(in *reader, r booking.Restaurant) []setup.Document
	// draw lays the fields out.
	draw func(b builder) []views.SetupGroup
}

// forms are all of them.
var forms = []form{
	{views.SetupBasics, []setup.Name{setup.DocSettings}, writeSettings, readBasics, drawBasics},
	{views.SetupHours, []setup.Name{setup.DocHours}, writeHours, readHours, drawHours},
	{views.SetupParties, []setup.Name{setup.DocSettings}, writeSettings, readParties, drawParties},
	{views.SetupTerms, []setup.Name{setup.DocDeposits, setup.DocCancellation}, writeTerms, readTerms, drawTerms},
	{views.SetupClosures, []setup.Name{setup.DocClosures}, writeClosures, readClosures, drawClosures},
}

// textsOf are the texts of the settings by the fields of the form.
func textsOf(s *setup.Settings) map[string]*string {
	return map[string]*string{"name.ko": &s.Settings.Name.Ko, "name.en": &s.Settings.Name.En,
		"description.ko": &s.Description.Ko, "description.en": &s.Description.En, "story.ko": &s.Story.Ko,
		"story.en": &s.Story.En, "address.ko": &s.Address.Ko, "address.en": &s.Address.En,
		"directions.ko": &s.Directions.Ko, "directions.en": &s.Directions.En, "slug": &s.Slug, "phone": &s.Phone,
		"district": &s.District, "cuisine": &s.Cuisine, "timeZone": &s.TimeZone}
}

// numbersOf are the numbers of the settings by the fields of the form for slots and parties.
func numbersOf(s *setup.Settings) map[string]*int {
	return map[string]*int{"slotMinutes": &s.SlotMinutes, "capacity": &s.Capacity, "partyMin": &s.PartyMin,
		"partyMax": &s.PartyMax, "fireLimit": &s.FireLimit, "arrivalsPerSlot": &s.ArrivalsPerSlot,
		"leadMinutes": &s.LeadMinutes, "horizonDays": &s.HorizonDays, "holdMinutes": &s.HoldMinutes,
		"extensionMinutes": &s.ExtensionMinutes}
}

func writeSettings(v values, r booking.Restaurant) {
	s, _ := setup.Of(setup.DocSettings, r).(setup.Settings)
	s.District, s.Cuisine = cmp.Or(s.District, last(setup.Districts())), cmp.Or(s.Cuisine, last(setup.Cuisines()))
	for name, text := range textsOf(&s) {
		v[name] = *text
	}
	if r.Draft && s.Settings.Name.En == s.Settings.Name.Ko {
		v["name.en"] = "" // nobody has written it
	}
	for name, n := range numbersOf(&s) {
		v[name] = strconv.Itoa(*n)
	}
	v["priceBand"] = strconv.Itoa(s.PriceBand)
	rule := r.OpeningRule
	v["openingRule.kind"], v["openingRule.time"] = string(rule.Kind), string(cmp.Or(rule.Time, usualOpening))
	v["openingRule.day"] = strconv.Itoa(cmp.Or(rule.Day, 1))
	v["openingRule.daysAhead"] = strconv.Itoa(cmp.Or(rule.DaysAhead, r.HorizonDays))
	v["openingRule.draw"] = strconv.FormatBool(rule.Draw)
	v.stays("stays", s.Stays, s.SlotMinutes)
}

// stays puts how long parties stay into the fields of a list.
func (v values) stays(list string, tiers []booking.StayTier, slotMinutes int) {
	for i, tier := range tiers {
		v[at(list, i, "fromParty")] = strconv.Itoa(tier.FromParty)
		v[at(list, i, "minutes")] = strconv.Itoa(tier.In(slotMinutes).Minutes)
	}
}

// stays reads how long parties stay from the fields of a list without empty rows; it is never nil.
func (in *reader) stays(list string) []booking.StayTier {
	tiers := []booking.StayTier{}
	for i := range in.rows(list) {
		tiers = append(tiers, booking.StayTier{FromParty: in.number(at(list, i, "fromParty")),
			Minutes: cmp.Or(in.number(at(list, i, "minutes")), -1)}) // 0 would leave it to the slots
	}
	return tiers
}

// last is the choice that stands for all others.
func last(keys []string) string { return keys[len(keys)-1] }

func readBasics(in *reader, r booking.Restaurant) []setup.Document {
	s, _ := setup.Of(setup.DocSettings, r).(setup.Settings)
	for name, text := range textsOf(&s) {
		*text = in.values[name]
	}
	s.PriceBand = in.number("priceBand")
	if s.Picture == "" || s.Picture == setup.DrawingFor(r.Cuisine) { // nobody has chosen another
		s.Picture = setup.DrawingFor(s.Cuisine)
	}
	return []setup.Document{s}
}

func readParties(in *reader, r booking.Restaurant) []setup.Document {
	s, _ := setup.Of(setup.DocSettings, r).(setup.Settings)
	for name, n := range numbersOf(&s) {
		*n = in.number(name)
	}
	s.OpeningRule = readOpening(in)
	in.compact("stays", "fromParty", "minutes")
	s.Stays = in.stays("stays")
	return []setup.Document{s}
}

// usualOpening is the time of day that the form proposes for a rule of openings.
const usualOpening booking.TimeOfDay = "10:00"

// readOpening reads the rule of openings, of whose numbers the form shows those of all kinds; nil for none.
func readOpening(in *reader) *booking.OpeningRule {
	v := in.values
	rule := booking.OpeningRule{Kind: booking.OpeningKind(v["openingRule.kind"]),
		Time: booking.TimeOfDay(v["openingRule.time"]), Draw: v["openingRule.draw"] == "true"}
	switch rule.Kind {
	case "":
		return nil
	case booking.OpensMonthly:
		rule.Day = in.number("openingRule.day")
	case booking.OpensDaily:
		rule.DaysAhead = in.number("openingRule.daysAhead")
	}
	return &rule
}

func drawOpening(b builder) views.SetupGroup {
	kinds := []views.Choice{{Value: "", Label: b.t("opening_none")},
		{Value: string(booking.OpensMonthly), Label: b.t("opening_monthly")},
		{Value: string(booking.OpensDaily), Label: b.t("opening_daily")}}
	orders := []views.Choice{{Value: "false", Label: i18n.T(b.lang, "steer.order_arrival")},
		{Value: "true", Label: i18n.T(b.lang, "steer.order_draw")}}
	return views.SetupGroup{Legend: b.t("group_opening"), Hint: b.t("opening_hint"), Rows: []views.SetupRow{
		row(b.choice("openingRule.kind", kinds), b.field("openingRule.time", "time")),
		row(b.count("openingRule.day"), b.count("openingRule.daysAhead")),
		row(b.choice("openingRule.draw", orders))}}
}

func drawBasics(b builder) []views.SetupGroup {
	area := func(name string) views.SetupField { return b.field(name, "textarea") }
	return []views.SetupGroup{
		{Legend: b.t("group_name"), Rows: []views.SetupRow{row(b.text("name.ko"), b.text("name.en")),
			row(b.choice("cuisine", b.keys("cuisine", b.values["cuisine"], setup.Cuisines())),
				b.choice("priceBand", b.keys("price_band", b.values["priceBand"], []string{"0", "1", "2", "3", "4"}))),
			row(b.text("slug")), row(area("description.ko"), area("description.en")),
			row(area("story.ko"), area("story.en"))}},
		{Legend: b.t("group_place"), Rows: []views.SetupRow{row(b.text("address.ko"), b.text("address.en")),
			row(area("directions.ko"), area("directions.en")),
			row(b.field("phone", "tel"),
				b.choice("district", b.keys("district", b.values["district"], setup.Districts()))),
			row(b.choice("timeZone", zones(b.values["timeZone"])))}},
	}
}

func drawParties(b builder) []views.SetupGroup {
	stays := views.SetupGroup{Legend: b.t("group_stays"), Hint: b.t("stays_hint"),
		Buttons: []views.SetupButton{{Action: "add:stays", Label: b.t("add_stay")}}}
	for i := range b.rows("stays") {
		stays.Rows = append(stays.Rows, row(b.count(at("stays", i, "fromParty")), b.count(at("stays", i, "minutes"))))
	}
	return []views.SetupGroup{
		{Legend: b.t("group_slots"), Rows: []views.SetupRow{row(b.count("slotMinutes"), b.count("capacity")),
			row(b.count("arrivalsPerSlot"), b.count("fireLimit"))}},
		{Legend: b.t("group_parties"), Rows: []views.SetupRow{row(b.count("partyMin"), b.count("partyMax"))}},
		{Legend: b.t("group_when"), Rows: []views.SetupRow{row(b.count("leadMinutes"), b.count("horizonDays"))}},
		drawOpening(b),
		{Legend: b.t("group_hold"), Rows: []views.SetupRow{row(b.count("holdMinutes"), b.count("extensionMinutes"))}},
		stays,
	}
}

// zones are the time zones that the form offers, and the restaurant's.
func zones(current string) []views.Choice {
	var choices []views.Choice
	known := false
	for _, zone := range setup.TimeZones() {
		known = known || zone == current
		choices = append(choices, views.Choice{Value: zone, Label: zone})
	}
	if !known && current != "" {
		choices = append(choices, views.Choice{Value: current, Label: current})
	}
	return choices
}

// t is a text of the catalogue's section "setup".
func (b builder) t(key string, args ...any) string { return i18n.T(b.lang, "setup."+key, args...) }
