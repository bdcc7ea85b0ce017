package staff

import (
	"strconv"
	"strings"
	"time"

	"lunchgo/app/evening"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

func controlsTitle(s views.StaffControls) string {
	if s.IsDay {
		return s.T("evening.day_controls")
	}
	return s.When(s.Lang)
}

// steered says of a slot what staff have set of it, the strongest first; empty for one that is open.
func steered(lang string, s views.EveningSlot) string {
	switch {
	case s.State == evening.SlotOver:
		return i18n.T(lang, "steer.state_over")
	case s.Stopped:
		return i18n.T(lang, "steer.state_stopped")
	case s.Closed:
		return i18n.T(lang, "steer.state_closed")
	case s.Paused:
		return i18n.T(lang, "steer.state_paused")
	case !s.OpensAt.IsZero():
		return i18n.T(lang, "steer.state_opens", "Time", i18n.DateTime(lang, s.OpensAt))
	}
	return i18n.T(lang, "steer.state_open")
}

func steeredTone(s views.EveningSlot) string {
	switch {
	case s.State == evening.SlotOver:
		return "neutral"
	case s.Closed, s.Stopped:
		return "danger"
	case s.Paused, !s.OpensAt.IsZero():
		return "warning"
	}
	return "success"
}

// all and some say of the slots of a page what can still be changed.
func some(s views.StaffControls, is func(views.EveningSlot) bool) bool {
	for _, slot := range s.Slots {
		if slot.State != evening.SlotOver && is(slot) {
			return true
		}
	}
	return false
}

func isClosed(s views.EveningSlot) bool  { return s.Closed && !s.Stopped }
func isOpen(s views.EveningSlot) bool    { return !s.Closed }
func isPaused(s views.EveningSlot) bool  { return s.Paused }
func isRunning(s views.EveningSlot) bool { return !s.Paused }
func isPlanned(s views.EveningSlot) bool { return !s.OpensAt.IsZero() }

// typed is what a form shows in a field: what was typed when it was refused, else what is stored.
func typed(s views.StaffControls, part, typed, stored string) string {
	if s.Typed.Part == part {
		return typed
	}
	return stored
}

// fault is what is wrong with a field of one form of the page.
func fault(s views.StaffControls, part, field string) string {
	if s.Typed.Part != part {
		return ""
	}
	return s.Errors[field]
}

func reasonField(s views.StaffControls, part string) components.Field {
	return components.Field{Name: views.FieldReason, Of: part, Label: s.T("steerreason." + part),
		Hint: s.T("steerhint." + part), Value: typed(s, part, s.Typed.Reason, ""),
		Error: fault(s, part, views.FieldReason), Attributes: map[string]any{"type": "text", "maxlength": "200",
			"autocomplete": "off"}}
}

func capacityField(s views.StaffControls) components.Field {
	stored, hint := "", ""
	if !s.IsDay && len(s.Slots) == 1 {
		stored = strconv.Itoa(s.Slots[0].Capacity)
		hint = s.T("staff.capacity_hint", "Min", s.Slots[0].Confirmed()+s.Slots[0].OnHold, "Max", s.MaxCapacity)
	}
	return components.Field{Name: views.FieldCapacity, Label: s.T("staff.capacity"),
		Hint:  hint,
		Value: typed(s, views.PartCapacity, s.Typed.Capacity, stored),
		Error: fault(s, views.PartCapacity, views.FieldCapacity),
		Attributes: map[string]any{"type": "number", "inputmode": "numeric", "required": true, "min": "0",
			"max": strconv.Itoa(s.MaxCapacity)}}
}

func messageField(s views.StaffControls) components.Field {
	return components.Field{Name: views.FieldMessage, Label: s.T("steer.message"), Hint: s.T("steer.message_hint"),
		Value:      typed(s, views.PartMessage, s.Typed.Message, s.Message),
		Error:      fault(s, views.PartMessage, views.FieldMessage),
		Attributes: map[string]any{"type": "text", "maxlength": "300", "autocomplete": "off"}}
}

func openingField(s views.StaffControls) components.Field {
	stored := ""
	if len(s.Slots) > 0 && !s.Slots[0].OpensAt.IsZero() {
		stored = s.Slots[0].OpensAt.Format(localMinute)
	}
	return components.Field{Name: views.FieldOpensAt, Label: s.T("steer.opens_at"), Hint: s.T("steer.opens_at_hint"),
		Value:      typed(s, views.PartOpening, s.Typed.OpensAt, stored),
		Error:      fault(s, views.PartOpening, views.FieldOpensAt),
		Attributes: map[string]any{"type": "datetime-local", "required": true}}
}

// localMinute is how browsers write a local date and time.
const localMinute = "2006-01-02T15:04"

func draws(s views.StaffControls) bool {
	if s.Typed.Part == views.PartOpening {
		return s.Typed.Order == views.OrderDraw
	}
	return len(s.Slots) > 0 && s.Slots[0].Draw
}

func controlsDays(s views.StaffControls) days {
	return days{s.Layout, s.At, s.Today, func(day time.Time) string { return views.StaffDayURL(s.RestaurantID, day) }}
}

// affectedText says in one line whom a change touches; it leaves out what is nobody.
func affectedText(p views.StaffPreview) string {
	var parts []string
	add := func(n int, key string) {
		if n > 0 {
			parts = append(parts, p.T(key, "N", n))
		}
	}
	add(p.Affected.Waiting, "steer.waiting")
	add(p.Affected.Holds, "steer.holds")
	add(p.Affected.Reservations, "steer.reservations")
	if len(parts) == 0 {
		return p.T("steer.nobody")
	}
	text := strings.Join(parts, ", ")
	if p.Affected.Money > 0 {
		text += " · " + i18n.Won(p.Lang, p.Affected.Money)
	}
	return text
}

func conflictTitle(l views.Layout, c views.Conflict) string {
	if c.Sold > 0 {
		return l.T("steer.conflict_sold", "N", c.Sold)
	}
	return l.T("steer.conflict_seats")
}

func conflictText(l views.Layout, p views.StaffParty) string {
	parts := []string{i18n.DateTime(l.Lang, p.At), i18n.Party(l.Lang, p.Party)}
	if len(p.Seats) > 0 {
		parts = append(parts, strings.Join(p.Seats, ", "))
	}
	return strings.Join(parts, " · ")
}

// isTaken returns whether a seat cannot be blocked, because a party has it.
func isTaken(s views.BlockableSeat) bool { return s.Guest != "" && !s.Blocked }

func blockedNote(l views.Layout, s views.BlockableSeat) string {
	switch {
	case s.Guest != "":
		return s.Guest
	case s.Partly:
		return l.T("steer.seat_partly")
	case s.Blocked && s.Reason != "":
		return s.Reason
	case s.Blocked:
		return l.T("seats.blocked")
	}
	return ""
}

// shown are the ids of the seats that the page shows as blocked.
func shown(seats []views.BlockableSeat) string {
	var ids []string
	for _, s := range seats {
		if s.Blocked {
			ids = append(ids, strconv.FormatInt(s.ID, 10))
		}
	}
	return strings.Join(ids, ",")
}
