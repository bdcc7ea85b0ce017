package team

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	crew "lunchgo/app/team"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// Members of an entry's detail.
const (
	memberWas    = "was"
	memberIs     = "is"
	memberReason = "reason"
)

// named are members of a detail that the sentence names, or that are for programs only.
var named = []string{memberWas, memberIs, memberReason, "member", "invitation", "item", "id", "width", "height"}

// forPrograms are members of what was and is that say nothing to people.
var forPrograms = []string{"id", "ticket", "user", "menuItemId", "picture", "x", "y", "width", "height"}

// money are members that are won.
var money = []string{"refund", "amount", "deposit", "paid", "price"}

// coded are members whose values are words of the product.
var coded = []string{"order", "source"}

// seatIDs are members that name seats by their ids.
const seatIDs = "seatIds"

// ofSeats and ofFiles are actions whose values are ids of seats, and names of files.
const (
	ofSeats = "slot.blocked_seats"
	ofFiles = "setup.picture"
)

// longestValue is how much of a value is shown, in runes.
const longestValue = 200

// logWriter says in a reader's language what an entry of the log says. It has an answer for every action and detail,
// also for those that a later version wrote.
type logWriter struct {
	views.Layout
	restaurant booking.Restaurant
}

func (l logWriter) entry(e crew.Entry) views.LogEntry {
	entry := views.LogEntry{At: e.At.In(l.restaurant.Location), Sentence: l.sentence(e), Changes: l.changes(e)}
	if reason := e.Detail[memberReason]; reason != nil {
		entry.Reason = l.text(reason)
	}
	var about []string
	if start, err := l.restaurant.Start(e.SlotDate, e.SlotTime); e.SlotDate != "" && err == nil {
		about = append(about, l.T("log.slot", "When", i18n.DateTime(l.Lang, start)))
		entry.URL = views.StaffSlotURL(l.restaurant.ID, start)
	}
	if e.ReservationID != "" {
		about = append(about, l.T("log.reservation", "Code", booking.Reservation{ID: e.ReservationID}.Code()))
	}
	entry.About = strings.Join(about, " · ")
	return entry
}

func (l logWriter) sentence(e crew.Entry) string {
	area, verb, _ := strings.Cut(e.Action, ".")
	key := "act." + strings.ReplaceAll(e.Action, ".", "_")
	if !i18n.Has(l.Lang, key) {
		key = "act.unknown"
	}
	return l.T(key, "By", cmp.Or(e.ByName, l.T("log.nobody")), "Guest", cmp.Or(e.Guest, l.T("log.guest")),
		"Member", cmp.Or(e.Member, l.T("log.somebody")), "Dish", cmp.Or(e.Dish.In(l.Lang), l.T("log.dish")),
		"Area", textOr(l.Lang, "area."+area, area), "Action", strings.ReplaceAll(verb, "_", " "))
}

// changes are the values before and after, member by member where they are objects, and what else the detail says.
func (l logWriter) changes(e crew.Entry) (all []views.LogChange) {
	detail := e.Detail
	was, wasObject := object(detail[memberWas])
	is, isObject := object(detail[memberIs])
	switch {
	case e.Action == ofFiles:
	case e.Action == ofSeats:
		all = append(all, views.LogChange{Was: l.seats(detail[memberWas]), Is: l.seats(detail[memberIs])})
	case wasObject || isObject:
		all = l.differences(was, is)
	default:
		if before, after := l.text(detail[memberWas]), l.text(detail[memberIs]); before != after {
			all = append(all, views.LogChange{Was: before, Is: after})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(detail)) {
		if value := l.value(name, detail[name]); value != "" && !slices.Contains(named, name) {
			all = append(all, views.LogChange{Label: l.label(name), Is: value})
		}
	}
	return all
}

func (l logWriter) differences(was, is map[string]json.RawMessage) (all []views.LogChange) {
	names := map[string]bool{}
	for _, values := range []map[string]json.RawMessage{was, is} {
		for name := range values {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, after := l.value(name, was[name]), l.value(name, is[name])
		if before != after && !slices.Contains(forPrograms, name) {
			all = append(all, views.LogChange{Label: l.label(name), Was: before, Is: after})
		}
	}
	return all
}

func (l logWriter) label(name string) string {
	return textOr(l.Lang, "value."+snake(name), textOr(l.Lang, "setup.field_"+name, name))
}

// seats are seats by their labels; of one that is there no more, its id.
func (l logWriter) seats(raw json.RawMessage) string {
	var ids []int64
	if json.Unmarshal(raw, &ids) != nil {
		return l.text(raw)
	}
	labels := make([]string, len(ids))
	for i, id := range ids {
		labels[i] = strconv.FormatInt(id, 10)
		if at := slices.IndexFunc(l.restaurant.Seats, func(s booking.Seat) bool { return s.ID == id }); at >= 0 {
			labels[i] = l.restaurant.Seats[at].Label
		}
	}
	return clip(strings.Join(labels, ", "))
}

// snake spells a name of JSON as the catalogue does.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (l logWriter) value(name string, raw json.RawMessage) string {
	var won int64
	if slices.Contains(money, name) && json.Unmarshal(raw, &won) == nil {
		if won == 0 {
			return ""
		}
		return i18n.Won(l.Lang, won)
	}
	if name == seatIDs {
		return l.seats(raw)
	}
	text := l.text(raw)
	if slices.Contains(coded, name) {
		return textOr(l.Lang, "value_word."+text, text)
	}
	return text
}

// text is a value as people read it: states and roles by their names, instants in the restaurant's time, objects member
// by member; empty for none.
func (l logWriter) text(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return clip(string(raw))
	}
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		return l.T(map[bool]string{true: "log.yes", false: "log.no"}[v])
	case json.Number:
		return v.String()
	case string:
		return l.word(v)
	case []any:
		return l.list(raw)
	}
	return l.members(raw)
}

// members are those of an object that say something; of a text in both languages, the reader's.
func (l logWriter) members(raw json.RawMessage) string {
	of, _ := object(raw)
	if _, isText := of[i18n.Korean]; isText && len(of) <= 2 {
		var text booking.Text
		_ = json.Unmarshal(raw, &text) // of what is no text nothing is shown
		return clip(text.In(l.Lang))
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if value := l.value(name, of[name]); value != "" && !slices.Contains(forPrograms, name) {
			texts = append(texts, l.label(name)+" "+value)
		}
	}
	return clip(strings.Join(texts, ", "))
}

func (l logWriter) list(raw json.RawMessage) string {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return clip(string(raw))
	}
	texts := make([]string, 0, len(items))
	for _, item := range items {
		texts = append(texts, l.text(item))
	}
	separator := ", "
	if len(items) > 0 && bytes.HasPrefix(items[0], []byte("{")) {
		separator = "; "
	}
	return clip(strings.Join(texts, separator))
}

func (l logWriter) word(text string) string {
	switch {
	case slices.Contains(crew.Roles(), identity.Role(text)):
		return l.T("staff." + text)
	case i18n.Has(l.Lang, "state."+text):
		return l.T("state." + text)
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return i18n.DateTime(l.Lang, at.In(l.restaurant.Location))
	}
	return clip(text)
}

func clip(text string) string {
	runes := []rune(text)
	if len(runes) <= longestValue {
		return text
	}
	return string(runes[:longestValue]) + "…"
}

func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(raw, &members)
	return members, err == nil && members != nil
}
