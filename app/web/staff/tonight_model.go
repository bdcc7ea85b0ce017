package staff

import (
	"cmp"
	"slices"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/guests"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// live is a tab of an evening as somebody sees it.
func (p *Pages) live(now picture, l look) views.TonightLive {
	e := now.now
	out := views.TonightLive{Lang: l.lang, Booked: e.Booked(),
		Address: views.EveningAddress{RestaurantID: e.Restaurant.ID,
			Day: respond.Midnight(e.Date, e.Restaurant.Location), Tab: l.tab,
			Text: l.Text, Group: string(l.Group)},
		Totals: e.Totals()}
	if e.HasJointLines() {
		out.Totals.Waiting, out.LongestLine = 0, e.LongestLine()
	}
	m := eveningModel{place: now.place, e: e, lang: l.lang}
	for _, alert := range e.Alerts(now.before) {
		out.Alerts = append(out.Alerts, m.alert(out.Address, alert))
	}
	switch l.tab {
	case views.TabRoom:
		m.addRoom(&out)
	case views.TabTimeline:
		m.addTimeline(&out)
	case views.TabSlots:
		for _, slot := range e.Slots {
			out.Slots = append(out.Slots, m.slot(slot))
		}
	case views.TabDoor:
		m.addDoor(&out)
	case views.TabLine:
		out.Served = p.estimates()
		for _, slot := range e.Slots {
			if slot.Line.Waiting > 0 || slot.Waitlisted > 0 && e.Now.Before(slot.Start) {
				out.Slots = append(out.Slots, m.slot(slot))
			}
		}
	default:
		m.addGuests(&out, l.Query)
	}
	return out
}

// estimates are how good the times were that diners of this process were shown.
func (p *Pages) estimates() views.EstimateFigures {
	figures := p.Room.Accuracy()
	share, _ := figures.Share()
	return views.EstimateFigures{People: figures.People, Percent: int(100 * share)}
}

// eveningModel makes views of an evening's parts.
type eveningModel struct {
	place
	e    evening.Evening
	lang string
}

// addGuests adds the parties that are looked for by their slots, and how many there are in each group. Those of today
// that are gone come last, once their mark is not to be taken back any more: a host sees first who is there and who
// comes.
func (m eveningModel) addGuests(out *views.TonightLive, q evening.Query) {
	for _, group := range evening.Groups() {
		count := len(m.e.Find(evening.Query{Text: q.Text, Group: group}))
		if count > 0 || group == evening.GroupAll || group == q.Group {
			out.Groups = append(out.Groups, views.EveningGroup{Name: string(group), Count: count})
		}
	}
	gather := q.Group == evening.GroupAll && isToday(m.e)
	for _, p := range m.e.Find(q) {
		row := m.party(p)
		if gather && p.Group() == evening.GroupGone && !row.JustMarked {
			out.Ended.Add(row)
			continue
		}
		last := len(out.Hours) - 1
		if last < 0 || !out.Hours[last].At.Equal(p.Start) {
			out.Hours = append(out.Hours, views.EveningHour{At: p.Start})
			last++
		}
		out.Hours[last].Add(row)
	}
}

// allergies are those that a party has stated, with those that the tags of its guest say; others are the other tags.
func allergies(lang string, p evening.Party) (stated string, others []string) {
	var tags []string
	for _, tag := range p.Tags {
		if guests.IsAllergy(tag) {
			tags = append(tags, tag)
		} else {
			others = append(others, tag)
		}
	}
	all := views.GuestTags(lang, tags)
	if said := p.PartyAllergies(); said != "" {
		all = slices.Insert(all, 0, said)
	}
	return strings.Join(all, " · "), others
}

// party is a row of the evening's list. A guest can be called on the day of the reservation.
func (m eveningModel) party(p evening.Party) views.EveningParty {
	out := views.EveningParty{StaffReservation: m.guestIn(p.Slot, p.Guest, m.lang, m.e.Now),
		FirstVisit: p.FirstVisit, Coming: p.IsExpected() && !p.ComingAt.IsZero(), Override: p.Override, Ends: p.End,
		TableLeft: minutes(p.Left(m.e.Now)), SeatedAt: p.Attendance.SeatedAt.In(p.End.Location())}
	var others []string
	out.Allergies, others = allergies(m.lang, p)
	if p.Known.Guest != "" {
		out.GuestURL = views.GuestURL(m.e.Restaurant.ID, p.Known.Guest)
		out.GuestTags, out.GuestNote = views.GuestTags(m.lang, others), p.Known.Note
	}
	if isToday(m.e) {
		out.Phone = p.Phone
	}
	for _, it := range p.Items {
		out.Dishes += it.Quantity
	}
	if p.IsLate(m.e.Now) {
		out.Late = minutes(m.e.Now.Sub(p.Start))
	}
	if p.State == booking.Arrived {
		out.Here = minutes(m.e.Now.Sub(p.Attendance.ArrivedAt))
	}
	return out
}

func (m eveningModel) slot(s evening.Slot) views.EveningSlot {
	return shownSlot(m.e.Restaurant, s, m.e.Now)
}

// addRoom adds who sits where: on the map, or as a list where seats have no names. On other days than today the map
// shows all who will sit there.
func (m eveningModel) addRoom(out *views.TonightLive) {
	tables := m.e.Tables()
	if len(tables) == 0 {
		for _, p := range m.e.Seated() {
			out.Seated = append(out.Seated, m.party(p))
		}
		return
	}
	for _, p := range m.e.Parties {
		if p.State.HoldsSeats() && p.State != booking.RefundPending && len(p.Seats) == 0 {
			out.Seated = append(out.Seated, m.party(p))
		}
	}
	room := respond.SeatMap(m.e.Restaurant, m.e.Blocked())
	for i, t := range tables {
		table := views.EveningTable{ID: t.Seat.ID, Label: t.Seat.Label, Places: t.Seat.Places}
		seat := &room.Seats[i]
		table.IsBlocked = seat.State == booking.SeatBlocked
		seat.URL = out.Address.TableURL(t.Seat.ID)
		for _, p := range t.Next {
			row := m.party(*p)
			if table.Next = append(table.Next, row); len(seat.Guests) == 0 || !isToday(m.e) {
				m.showNext(seat, *p, row)
			}
		}
		if len(t.Next) > 0 {
			table.IsMain = isMain(t.Seat, *t.Next[0])
		}
		if t.Now != nil {
			now := m.party(*t.Now)
			table.Now, table.IsMain = &now, isMain(t.Seat, *t.Now)
			m.showNow(seat, now)
		}
		table.BlockedFor = m.e.BlockedHours(t.Seat.ID)
		if !isToday(m.e) {
			m.showBlocked(seat, table.BlockedFor)
		}
		table.IsFree = t.Now == nil && (len(t.Next) == 0 || isToday(m.e) && !table.Next[0].NeedsHost())
		out.Tables = append(out.Tables, table)
	}
	out.Room = &room
}

// showBlocked shows on the map of another day from when on nobody is given the seat, among who comes when. Until when, the
// list has room for.
func (m eveningModel) showBlocked(seat *views.Seat, hours []evening.Hours) {
	for _, blocked := range hours {
		seat.Guests = append(seat.Guests, views.SeatGuest{Name: i18n.T(m.lang, "evening.key_blocked"),
			When: blocked.From.Format("15:04")})
	}
	slices.SortStableFunc(seat.Guests, func(a, b views.SeatGuest) int { return strings.Compare(a.When, b.When) })
}

// showNext shows on the map who comes next: who is there already, or comes soon, or is late.
func (m eveningModel) showNext(seat *views.Seat, p evening.Party, row views.EveningParty) {
	switch {
	case p.IsPresent():
		seat.State = booking.SeatHeld
	case row.Late > 0:
		seat.Sign = views.SeatLate
	case p.IsDue(m.e.Now):
		seat.Sign = views.SeatDue
	}
	seat.Guests = append(seat.Guests,
		views.SeatGuest{Name: row.Name, Party: row.Party, When: p.Start.Format("15:04")})
}

// showNow shows on the map who sits there, and for how long.
func (m eveningModel) showNow(seat *views.Seat, row views.EveningParty) {
	seat.State, seat.Sign = booking.SeatTaken, ""
	key, left := "evening.map_left", row.TableLeft
	if left < 0 {
		seat.Sign, key, left = views.SeatOver, "evening.map_over", -left
	}
	seat.Guests = []views.SeatGuest{{Name: row.Name, Party: row.Party, When: i18n.T(m.lang, key, "Count", left)}}
}

// isMain returns whether a seat is the first of a party's: its buttons stand there only.
func isMain(seat booking.Seat, p evening.Party) bool { return p.SeatIDs()[0] == seat.ID }

// alert is what asks for attention, with links to the rows of the list, or to the slots.
func (m eveningModel) alert(a views.EveningAddress, alert evening.Alert) views.EveningAlert {
	out := views.EveningAlert{Kind: string(alert.Kind)}
	list := a.To(views.TabGuests).URL()
	for _, p := range alert.Parties {
		item := views.EveningAlertItem{Label: guestName(m.lang, p.Name), URL: list + "#g-" + p.ID,
			Detail: i18n.Time(m.lang, p.Start) + " · " + i18n.Party(m.lang, p.PartySize)}
		if alert.Kind == evening.AlertAllergies {
			stated, _ := allergies(m.lang, p)
			item.Detail = stated + " · " + i18n.Time(m.lang, p.Start)
		}
		out.Items = append(out.Items, item)
	}
	for _, s := range alert.Slots {
		item := views.EveningAlertItem{Label: i18n.Time(m.lang, s.Start),
			URL: views.StaffSlotURL(m.e.Restaurant.ID, s.Start), Detail: i18n.T(m.lang, "slot.left", "Count", s.Left)}
		if alert.Kind == evening.AlertGrowing {
			item.Detail = i18n.T(m.lang, "staff.parties", "Count", s.Line.Waiting)
		}
		out.Items = append(out.Items, item)
	}
	for _, c := range alert.Concerns {
		out.Items = append(out.Items,
			views.EveningAlertItem{Label: i18n.T(m.lang, "evening.check_"+checkedArea(c.Check))})
	}
	return out
}

// checkedAreas are what the auditor's checks are about, by how their names begin; all others are about money.
var checkedAreas = map[string]string{"seats": "seats", "named": "seats", "stays": "seats", "stock": "dishes",
	"holds": "holds", "waitlist": "waitlist", "coupons": "coupons", "discounts": "coupons"}

// checkedArea is what a check is about: a key of "evening.check_<area>".
func checkedArea(check string) string {
	first, _, _ := strings.Cut(check, "_")
	return cmp.Or(checkedAreas[first], "money")
}
