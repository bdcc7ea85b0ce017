package staff

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func tonightDays(p views.Tonight) days {
	return days{p.Layout, p.Live.Address.Day, p.Today, func(day time.Time) string {
		return p.Live.Address.On(day).URL()
	}}
}

// press makes a form one whose press says so beside its button when it is not sent, not answered, or fails. What it leads
// to is a whole page.
func press(l views.Layout, action string) templ.Attributes {
	return templ.Attributes{
		"method": "post", "action": action, "data-once": true,
		"hx-post": action, "hx-target": "#main", "hx-select": "#main", "hx-swap": "outerHTML", "hx-sync": "this:drop",
		"hx-request": marksPatience, "data-unsent": l.T("evening.press_unsent"),
		"data-refused": l.T("evening.press_refused"),
	}
}

// bookedText is when bookings were confirmed, in milliseconds: the page counts those that are new to it.
func bookedText(booked []time.Time) string {
	texts := make([]string, len(booked))
	for i, at := range booked {
		texts[i] = strconv.FormatInt(at.UnixMilli(), 10)
	}
	return strings.Join(texts, " ")
}

// shownTotal is one of an evening's sums.
type shownTotal struct {
	key   string // of the catalogue, after "evening."
	value string
	hot   bool
}

// shownTotals are the sums that are not 0; the covers always are shown.
func shownTotals(l views.TonightLive) []shownTotal {
	t, lang := l.Totals, l.Lang
	shown := []shownTotal{{"covers", coversText(lang, t.Covers, t.Parties), false}}
	add := func(n int64, total shownTotal) {
		if n != 0 {
			shown = append(shown, total)
		}
	}
	add(int64(t.Present), shownTotal{"present", i18n.Party(lang, t.Present), false})
	add(int64(t.OnHold), shownTotal{"on_hold", i18n.Party(lang, t.OnHold), false})
	add(int64(t.Waiting), shownTotal{"waiting", i18n.T(lang, "staff.parties", "Count", t.Waiting), true})
	add(int64(l.LongestLine), shownTotal{"longest_line", i18n.T(lang, "staff.parties", "Count", l.LongestLine), true})
	add(int64(t.NoShows), shownTotal{"no_shows", i18n.T(lang, "staff.parties", "Count", t.NoShows), false})
	add(t.Deposits, shownTotal{"deposits", i18n.Won(lang, t.Deposits), false})
	add(t.Prepaid, shownTotal{"prepaid_sum", i18n.Won(lang, t.Prepaid), false})
	return shown
}

// alertTitles say what the alerts are about.
func alertTitles(l views.TonightLive) string {
	titles := make([]string, len(l.Alerts))
	for i, alert := range l.Alerts {
		titles[i] = i18n.T(l.Lang, "evening.alert_"+alert.Kind)
	}
	return strings.Join(titles, " · ")
}

// hasAllergies returns whether an alert is about allergies.
func hasAllergies(l views.TonightLive) bool {
	return slices.ContainsFunc(l.Alerts, func(a views.EveningAlert) bool { return a.Kind == "allergies" })
}

func groupKey(g views.EveningGroup) string {
	if g.Name == "" {
		return "evening.group_all"
	}
	return "evening.group_" + g.Name
}

// nobodyKey says why a list is empty.
func nobodyKey(l views.TonightLive) string {
	if l.Address.Text != "" || l.Address.Group != "" {
		return "evening.nobody_found"
	}
	return "evening.nobody"
}

func hourText(lang string, hour views.EveningHour) string {
	return coversText(lang, hour.Covers, len(hour.Parties))
}

func coversText(lang string, covers, parties int) string {
	return i18n.T(lang, "evening.covers_of", "Covers", covers, "Parties",
		i18n.T(lang, "staff.parties", "Count", parties))
}

// step is what a host does next with a party.
type step struct {
	key   string // of the catalogue, after "staff."
	url   string
	state string // that is undone; empty for others
	class string
}

// steps are what can be done with a party by one press: the next step, which for one that comes is to seat it, or to
// note that it is there; a no-show once it is late, and to take back what
// was marked just now, or what leads nowhere else.
func steps(p views.EveningParty) []step {
	const first, second = "button button-small", "button button-small button-secondary"
	var all []step
	arrive := step{"arrived", views.StaffArrivedURL(p.ID), "", first}
	if p.CanSeat {
		all = append(all, step{"seated", views.StaffSeatedURL(p.ID), "", first})
		arrive.class = second
	}
	if p.CanArrive {
		all = append(all, arrive)
	}
	if p.CanComplete && !p.CanSeat {
		all = append(all, step{"completed", views.StaffCompletedURL(p.ID), "", second})
	}
	if p.CanNoShow && p.Late > 0 {
		all = append(all, step{"no_show", views.StaffNoShowURL(p.ID), "", second})
	}
	if p.CanUndo && (p.JustMarked || p.State == booking.NoShow || p.State == booking.Completed) {
		all = append(all, step{"undo", views.StaffUndoURL(p.ID), string(p.State), second})
	}
	return all
}

func partyTone(p views.EveningParty) string {
	switch {
	case p.Late > 0, p.State == booking.Temporary, p.State == booking.Seated && p.TableLeft < 0:
		return "warning"
	case p.State == booking.Arrived:
		return "info"
	case p.State == booking.Seated:
		return "success"
	case p.State == booking.NoShow:
		return "danger"
	}
	return "muted"
}

// partyText is the state of a party, with the minutes that go with it.
func partyText(p partyOf) string {
	switch {
	case p.party.Late > 0:
		return i18n.T(p.lang, "evening.late", "Count", p.party.Late)
	case p.party.State == booking.Arrived && p.party.Here > 0:
		return i18n.T(p.lang, "evening.here_for", "Count", p.party.Here)
	case p.party.State == booking.Seated:
		return tableText(p.lang, p.party)
	case p.party.State == booking.Temporary && p.party.AskedToPay:
		return i18n.T(p.lang, "guests.asked_to_pay", "Time", i18n.DateTime(p.lang, p.party.HoldExpiresAt))
	}
	return i18n.T(p.lang, "state."+string(p.party.State))
}

// tableText says how long a party still has its table.
func tableText(lang string, p views.EveningParty) string {
	if p.TableLeft < 0 {
		return i18n.T(lang, "evening.table_over", "Count", -p.TableLeft)
	}
	return i18n.T(lang, "evening.table_left", "Count", p.TableLeft)
}

// part is the share of a slot's covers that something takes, as a length of its bar, which is 100 long.
func part(covers int, s views.EveningSlot) string {
	whole := max(s.Capacity, s.Seated+s.Confirmed()+s.OnHold, 1)
	return strconv.Itoa(covers * 100 / whole)
}

// quiet is a number; a dash for 0.
func quiet(n int) string {
	if n == 0 {
		return "–"
	}
	return i18n.Number(n)
}

// leftText is what is left of a slot; a dash once it has begun, when nobody can have it any more.
func leftText(s views.EveningSlot) string {
	if s.State == evening.SlotOver {
		return "–"
	}
	return strconv.Itoa(s.Left)
}

func eveningTone(s views.EveningSlot) string {
	switch s.State {
	case evening.SlotOpen:
		return "success"
	case evening.SlotSoldOut, evening.SlotPaused:
		return "warning"
	case evening.SlotPlanned:
		return "info"
	}
	return "muted"
}

// fewPeople is of how many a share or a speed says nothing yet.
const fewPeople = 20

// speedText is how fast a line moves; empty where that was not measured, where it stands still, or where few wait.
func speedText(lang string, s views.EveningSlot) string {
	speed := s.Line.PerMinute()
	if speed == 0 || s.Line.Waiting < fewPeople || !s.Moves() {
		return ""
	}
	number := strconv.FormatFloat(speed, 'f', -1, 64)
	if speed >= exactSpeed {
		number = i18n.Number(int(speed))
	}
	return i18n.T(lang, "evening.speed", "Number", number)
}

// exactSpeed is the speed from which on a fraction says nothing.
const exactSpeed = 10

// tableClass says how a table is used.
func tableClass(t views.EveningTable) string {
	switch {
	case t.Now != nil && t.Now.TableLeft < 0:
		return "table-taken table-over"
	case t.Now != nil:
		return "table-taken"
	case t.First() != nil && t.First().State == booking.Arrived:
		return "table-arrived"
	case t.First() != nil && t.First().Late > 0:
		return "table-late"
	}
	return "table-free"
}
