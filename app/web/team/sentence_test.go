package team

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	crew "lunchgo/app/team"
	"lunchgo/views"
)

func writerIn(lang string) logWriter {
	return logWriter{Layout: views.Layout{Lang: lang}, restaurant: booking.Restaurant{ID: 7, SlotMinutes: 60, Location: time.UTC}}
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
		"an unknown act":      {entryOf("kitchen.light_stove", `{"burners": [1, 2], "was": null}`), "Ann: kitchen, light stove", []views.LogChange{{Label: "burners", Is: "1, 2"}}, ""},
		"no detail":           {entryOf("x", `null`), "Ann: x, ", nil, ""},
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
