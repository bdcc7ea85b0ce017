package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
)

// Settings are the document of what is set of a restaurant as numbers and words.
type Settings struct {
	booking.Settings
	// IANA name. It cannot change while there are bookings to come.
	TimeZone string `json:"timeZone"`
	// When days begin to take reservations. Without, as soon as they are within horizonDays.
	OpeningRule *booking.OpeningRule `json:"openingRule,omitempty"`
	// For how long parties from a size on stay, by rising size; others stay for a slot.
	Stays []booking.StayTier `json:"stays"`
}

func settingsOf(r booking.Restaurant) Settings {
	stays := []booking.StayTier{} // never null
	for _, tier := range r.StayTiers {
		stays = append(stays, tier.Brief(r.SlotMinutes))
	}
	var rule *booking.OpeningRule
	if r.OpeningRule.IsSet() {
		rule = &r.OpeningRule
	}
	return Settings{Settings: r.Settings, TimeZone: r.Location.String(), OpeningRule: rule, Stays: stays}
}

// Name implements Document.
func (s Settings) Name() Name { return DocSettings }

// apply implements Document. The first deposit goes on to hold for the smallest party.
func (s Settings) apply(r booking.Restaurant) booking.Restaurant {
	first := len(r.DepositTiers) > 0 && r.DepositTiers[0].FromParty <= r.PartyMin
	slug := cmp.Or(s.Slug, r.Slug)
	r.Settings = s.Settings
	r.Slug, r.Phone = slug, strings.TrimSpace(r.Phone)
	for _, text := range []*booking.Text{&r.Name, &r.Description, &r.Story, &r.Address, &r.Directions} {
		*text = text.Trimmed()
	}
	if zone, err := time.LoadLocation(s.TimeZone); err == nil { // check has loaded it before
		r.Location = zone
	}
	r.OpeningRule = booking.OpeningRule{}
	if s.OpeningRule != nil {
		r.OpeningRule = s.OpeningRule.Plain()
	}
	r.StayTiers = nil
	for _, tier := range s.Stays {
		r.StayTiers = append(r.StayTiers, tier.In(s.SlotMinutes))
	}
	if first && r.DepositTiers[0].FromParty > r.PartyMin {
		r.DepositTiers = slices.Clone(r.DepositTiers)
		r.DepositTiers[0].FromParty = r.PartyMin
	}
	return r
}

// check implements Document.
func (s Settings) check(was booking.Restaurant, now time.Time) []booking.FieldError {
	var f wrongs
	f.text("name.ko", s.Settings.Name.Ko, textRule{max: booking.MaxRestaurantName, required: true})
	f.text("name.en", s.Settings.Name.En, textRule{max: booking.MaxRestaurantName})
	f.add(s.Slug != "" && s.Slug != was.Slug && !isSlug(s.Slug), "slug", "invalid_slug")
	f.texts("description", s.Description, textRule{max: booking.MaxDescription, lines: true})
	f.texts("story", s.Story, textRule{max: booking.MaxStory, lines: true})
	f.texts("address", s.Address, textRule{max: booking.MaxAddress})
	f.texts("directions", s.Directions, textRule{max: booking.MaxDirections, lines: true})
	f.add(s.Phone != "" && !isPhone(s.Phone), "phone", "invalid_phone")
	f.add(s.District != was.District && !slices.Contains(Districts(), s.District), "district", "unknown")
	f.add(s.Cuisine != was.Cuisine && !slices.Contains(Cuisines(), s.Cuisine), "cuisine", "unknown")
	f.within("priceBand", s.PriceBand, 0, booking.MaxPriceBand)
	f = append(f, ShownPicture{s.Picture}.check(was, now)...)
	_, err := time.LoadLocation(s.TimeZone)
	f.add(err != nil || s.TimeZone == "" || s.TimeZone == "Local", "timeZone", "unknown")
	f.within("slotMinutes", s.SlotMinutes, booking.MinSlotMinutes, booking.MaxSlotMinutes)
	f.within("capacity", s.Capacity, 1, booking.MaxCapacity)
	if s.FireLimit != 0 {
		f.within("fireLimit", s.FireLimit, max(1, min(s.Capacity, booking.MaxCapacity)), booking.MaxFireLimit)
	}
	f.within("arrivalsPerSlot", s.ArrivalsPerSlot, 0, booking.MaxCapacity)
	f.within("partyMin", s.PartyMin, 1, booking.MaxCapacity)
	f.within("partyMax", s.PartyMax, max(1, min(s.PartyMin, booking.MaxCapacity)), booking.MaxCapacity)
	f.within("leadMinutes", s.LeadMinutes, 0, booking.MaxLeadMinutes)
	f.within("horizonDays", s.HorizonDays, 0, booking.MaxHorizonDays)
	f.within("holdMinutes", s.HoldMinutes, booking.MinHoldMinutes, booking.MaxHoldMinutes)
	f.within("extensionMinutes", s.ExtensionMinutes, 0, booking.MaxExtension)
	if s.OpeningRule != nil {
		f.openingRule(*s.OpeningRule)
	}
	f.stays("stays", s.Stays, s.SlotMinutes, was.SlotMinutes)
	return f
}

func (f *wrongs) openingRule(rule booking.OpeningRule) {
	switch rule.Kind {
	case booking.OpensMonthly:
		f.within("openingRule.day", rule.Day, 1, booking.LongestMonth)
	case booking.OpensDaily:
		f.within("openingRule.daysAhead", rule.DaysAhead, 1, booking.MaxHorizonDays)
	default:
		f.add(true, "openingRule.kind", "unknown")
	}
	_, err := booking.ParseTimeOfDay(string(rule.Time))
	f.add(err != nil, "openingRule.time", "invalid_time")
}

// stays checks how long parties stay: rising sizes, and never shorter for the larger party. Where the length of the
// slots changes, the minutes of a stay count, and its slots may be those of before.
func (f *wrongs) stays(list string, tiers []booking.StayTier, slotMinutes, before int) {
	f.tooMany(list, len(tiers), booking.MaxTiers)
	for i, tier := range tiers[:min(len(tiers), booking.MaxTiers)] {
		at := fmt.Sprintf("%s[%d].", list, i)
		f.within(at+"fromParty", tier.FromParty, 1, booking.MaxCapacity)
		given := stay{at + "slots", at + "minutes", tier.Slots, tier.Minutes}
		if tier.Minutes != 0 && before != 0 && before != slotMinutes {
			given.slots = 0
		}
		f.stay(given, slotMinutes)
		if i > 0 {
			f.add(tier.FromParty <= tiers[i-1].FromParty, at+"fromParty", "not_rising")
			f.add(tier.In(slotMinutes).Minutes < tiers[i-1].In(slotMinutes).Minutes, given.field(), "not_rising")
		}
	}
}

// stay is how long somebody stays: in slots, in minutes, or in both; and the fields that say so.
type stay struct {
	slotsField, minutesField string
	slots, minutes           int // 0: not given
}

// field is that which counts.
func (s stay) field() string {
	if s.minutes == 0 {
		return s.slotsField
	}
	return s.minutesField
}

// stay checks that somebody stays neither too short nor too long, in slots of a length, and as long in slots as in
// minutes.
func (f *wrongs) stay(s stay, slotMinutes int) {
	longest := min(booking.MaxStayMinutes, booking.MaxStay*max(slotMinutes, booking.MinSlotMinutes))
	switch {
	case s.slots == 0 && s.minutes == 0:
		f.add(true, s.slotsField, "required")
	case s.minutes == 0:
		f.within(s.slotsField, s.slots, 1, booking.MostSlots(slotMinutes))
	default:
		f.within(s.minutesField, s.minutes, booking.MinStayMinutes, longest)
		f.add(s.contradicts(slotMinutes), s.minutesField, "contradicts_slots")
	}
}

// contradicts returns whether a stay is given in other slots than its minutes touch.
func (s stay) contradicts(slotMinutes int) bool {
	return s.slots != 0 && s.minutes != 0 && s.slots != booking.SlotsOfStay(s.minutes, slotMinutes)
}

// textRule says what a text may be.
type textRule struct {
	max      int // runes
	required bool
	lines    bool // may have several
}

// texts checks a text in both languages.
func (f *wrongs) texts(field string, t booking.Text, rule textRule) {
	f.text(field+".ko", t.Ko, rule)
	f.text(field+".en", t.En, rule)
}

func (f *wrongs) text(field, text string, rule textRule) {
	trimmed := strings.TrimSpace(text)
	visible := trimmed
	if rule.lines {
		visible = strings.NewReplacer("\r", "", "\n", "").Replace(trimmed)
	}
	f.add(rule.required && trimmed == "", field, "required")
	f.add(!booking.IsVisible(visible), field, "invalid_text")
	if len([]rune(trimmed)) > rule.max {
		*f = append(*f, booking.FieldError{Field: field, Reason: "too_long", Max: rule.max})
	}
}

// isPhone returns whether a text is written as a telephone number: digits, and what stands between them.
func isPhone(s string) bool {
	digits := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("+-() ", r):
			return false
		}
	}
	return digits >= 7 && digits <= 15
}

// byDate orders closures and special days.
func byDate(a, b booking.Date) int { return cmp.Compare(a, b) }
