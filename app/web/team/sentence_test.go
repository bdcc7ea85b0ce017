package team

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	crew "lunchgo/app/team"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func writerIn(lang string) logWriter {
	return logWriter{Layout: views.Layout{Lang: lang}, restaurant: booking.Restaurant{ID: 7, Seats: booking.SeatPlan{{ID: 5, Label: "T1"}}, SlotMinutes: 60, Location: time.UTC}}
}

func entryOf(action, detail string) crew.Entry {
	e := crew.Entry{Action: action, ByName: "Ann"}
	_ = json.Unmarshal([]byte(detail), &e.Detail)
	return e
}

func TestEntry_SaysWhatWasDone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		entry    crew.Entry
		sentence string
		changes  []views.LogChange
		reason   string
	}{
		"two values": {entryOf("slot.capacity", `{"was": 10, "is": 12}`), "Ann changed the capacity of a slot",
			[]views.LogChange{{Was: "10", Is: "12"}}, ""},
		"objects": {entryOf("slot.changed", `{"was": {"capacity": 10, "paused": false, "notice": ""}, "is": {"capacity": 10, "paused": true, "notice": "soon"}, "reason": "fire"}`),
			"", []views.LogChange{{Label: "Message", Is: "soon"}, {Label: "Paused", Was: "no", Is: "yes"}}, "fire"},
		"states and money": {entryOf("reservation.cancel", `{"was": "prepaid_confirmed", "refund": 20000}`), "Ann cancelled the reservation of a guest",
			[]views.LogChange{{Was: "Prepaid and confirmed"}, {Label: "Refund", Is: "₩20,000"}}, ""},
		"nothing to pay back": {entryOf("reservation.cancel", `{"refund": 0}`), "", nil, ""},
		"a role":              {entryOf("team.role", `{"member": "U", "was": "host", "is": "owner"}`), "Ann changed the role of a person whose account is deleted", []views.LogChange{{Was: "Host", Is: "Owner"}}, ""},
		"texts and objects": {entryOf("setup.menu", `{"is": [{"id": 3, "name": {"ko": "탕", "en": "Soup"}, "amount": 9000}]}`), "Ann changed the menu",
			[]views.LogChange{{Is: "Amount ₩9,000 Name Soup"}}, ""},
		"seats and sources": {entryOf("reservation.book", `{"is": {"seatIds": [5, 9], "source": "phone"}}`), "Ann booked for a guest",
			[]views.LogChange{{Label: "Seats", Is: "T1, 9"}, {Label: "Booked by", Is: "By phone"}}, ""},
		"an unknown act": {entryOf("kitchen.light_stove", `{"burners": [1, 2], "was": null}`), "Ann: kitchen, light stove", []views.LogChange{{Label: "burners", Is: "1, 2"}}, ""},
		"no detail":      {entryOf("x", `null`), "Ann: x, ", nil, ""},
	} {
		got := writerIn("en").entry(test.entry)
		if test.sentence != "" && got.Sentence != test.sentence || got.Reason != test.reason || len(got.Changes) != len(test.changes) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, change := range test.changes {
			if got.Changes[i] != change && !strings.Contains(change.Is, "₩") && !strings.Contains(change.Was, "Prepaid") {
				t.Errorf("%s: %+v, want %+v", name, got.Changes[i], change)
			}
		}
	}
}

// Every act that the database writes has a sentence of its own.
func TestSentence_IsThereForEveryAct(t *testing.T) {
	t.Parallel()
	acts := regexp.MustCompile(`"((?:slot|line|reservation|restaurant|setup|team|stock|rehearsal)\.[a-z_]+)"`)
	found := map[string]bool{"setup.settings": true, "setup.hours": true, "setup.closures": true, "setup.deposits": true,
		"setup.cancellation": true, "reservation.arrived": true, "reservation.seated": true, "reservation.completed": true, "reservation.no_show": true}
	files, _ := filepath.Glob("../../../db/*.go")
	uses, _ := filepath.Glob("../../reserve/*.go")
	for _, file := range append(files, uses...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range acts.FindAllStringSubmatch(string(text), -1) {
			found[match[1]] = true
		}
	}
	if len(found) < 30 {
		t.Errorf("only %d acts were found", len(found))
	}
	for act := range found {
		if key := "act." + strings.ReplaceAll(act, ".", "_"); !i18n.Has("ko", key) || !i18n.Has("en", key) {
			t.Errorf("no sentence for %q", act)
		}
	}
}

// Whatever an entry holds, it is shown, in both languages, without a gap in the sentence.
func FuzzEntry(f *testing.F) {
	for action, detail := range maps.All(map[string]string{"slot.open": `{"was": true}`, "": ``, "a.b.c": `{"was": {"a": [1, {"b": 2}]}, "is": 7}`,
		"team.join": `{"is": "no role", "member": 5}`, "reservation.undo": `{"was": "2026-01-02T03:04:05Z", "refund": "much"}`}) {
		f.Add(action, detail)
	}
	f.Fuzz(func(t *testing.T, action, detail string) {
		for _, lang := range []string{"ko", "en"} {
			got := writerIn(lang).entry(entryOf(action, detail))
			if got.Sentence == "" || strings.Contains(got.Sentence, "no value") {
				t.Errorf("%q, %q: %q", action, detail, got.Sentence)
			}
			for _, change := range got.Changes {
				if len([]rune(change.Is)) > longestValue+1 || len([]rune(change.Was)) > longestValue+1 {
					t.Errorf("%q: a value of %d runes", detail, len(change.Is))
				}
			}
		}
	})
}
