package team

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	crew "lunchgo/app/team"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

func writerIn(lang string) logWriter {
	return logWriter{Layout: views.Layout{Lang: lang},
		restaurant: booking.Restaurant{ID: 7,
			Location: time.UTC,
			Seats:    booking.SeatPlan{{ID: 3, Label: "A1"}},
			Settings: booking.Settings{SlotMinutes: 60}}}
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
		"a document": {entryOf("setup.deposits", `{"was": {"tiers": [{"fromParty": 4, "amount": 50000}]}, "is": {"tiers": []}}`), "Ann changed the deposits",
			[]views.LogChange{{Label: "By party size", Was: "Amount ₩50,000, From party 4"}}, ""},
		"dishes": {entryOf("setup.menu", `{"was": [{"id": 5, "name": "Ribs", "price": 100}, {"id": 6, "name": "Tea", "price": 5}], "is": []}`), "Ann changed the menu",
			[]views.LogChange{{Was: "Name Ribs, Price ₩100; Name Tea, Price ₩5"}}, ""},
		"a text":         {entryOf("setup.settings", `{"was": {"name": {"ko": "담담", "en": "Damdam"}}, "is": {"name": {"ko": "솔밥", "en": "Sol"}}}`), "", []views.LogChange{{Label: "Name", Was: "Damdam", Is: "Sol"}}, ""},
		"seats":          {entryOf("slot.blocked_seats", `{"was": [], "is": [3, 99]}`), "", []views.LogChange{{Is: "A1, 99"}}, ""},
		"a draw":         {entryOf("slot.opening", `{"was": null, "is": {"order": "draw"}}`), "Ann planned when a slot opens", []views.LogChange{{Label: "Order", Is: "in drawn order"}}, ""},
		"a waiter":       {entryOf("line.remove", `{"was": {"ticket": "T", "user": "U", "position": 3}, "reason": "fire"}`), "", []views.LogChange{{Label: "Place in line", Was: "3"}}, "fire"},
		"an unknown act": {entryOf("kitchen.light_stove", `{"burners": [1, 2], "was": null}`), "Ann: kitchen, light stove", []views.LogChange{{Label: "burners", Is: "1, 2"}}, ""},
		"no detail":      {entryOf("x", `null`), "Ann: x, ", nil, ""},
	} {
		got := writerIn("en").entry(test.entry)
		if test.sentence != "" && got.Sentence != test.sentence || got.Reason != test.reason ||
			len(got.Changes) != len(test.changes) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, change := range test.changes {
			if got.Changes[i] != change && !strings.Contains(change.Is, "₩") &&
				!strings.Contains(change.Was, "Prepaid") {
				t.Errorf("%s: %+v, want %+v", name, got.Changes[i], change)
			}
		}
	}
}

// Whatever an entry holds, it is shown, in both languages, without a gap in the sentence.
func FuzzEntry(f *testing.F) {
	for action, detail := range maps.All(map[string]string{"slot.open": `{"was": true}`, "": ``,
		"a.b.c": `{"was": {"a": [1, {"b": 2}]}, "is": 7}`, "team.join": `{"is": "no role", "member": 5}`,
		"reservation.undo": `{"was": "2026-01-02T03:04:05Z", "refund": "much"}`}) {
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

// An operator reads which parts of a set-up have changed.
func TestChangedParts_HaveNames(t *testing.T) {
	t.Parallel()
	for _, name := range setup.Names() {
		for _, lang := range []string{"ko", "en"} {
			if !i18n.Has(lang, "changed."+string(name)) {
				t.Errorf("%s: %s has no name", lang, name)
			}
		}
	}
}

// dynamicActs are the verbs of actions whose name the code puts together.
func dynamicActs() (acts []string) {
	for _, document := range setup.Names() {
		acts = append(acts, "setup."+string(document))
	}
	for _, state := range []booking.State{booking.Arrived, booking.Seated, booking.Completed, booking.NoShow} {
		acts = append(acts, "reservation."+string(state))
	}
	return acts
}

// actName is an action as the code writes it into the log: its area is one of the catalogue's. A name after AS is a
// column's.
var actName = regexp.MustCompile(`(AS )?"([a-z]+\.[a-z_]+)"`)

// actsInCode are the actions that the code writes.
func actsInCode(t *testing.T) []string {
	t.Helper()
	acts := dynamicActs()
	for _, pattern := range []string{"../../../db/*.go", "../../reserve/*.go", "../../guests/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, found := range actName.FindAllStringSubmatch(string(source), -1) {
				if area, _, _ := strings.Cut(found[2], "."); found[1] == "" && i18n.Has("en", "area."+area) {
					acts = append(acts, found[2])
				}
			}
		}
	}
	slices.Sort(acts)
	return slices.Compact(acts)
}

// Each action that the code writes has a sentence of its own in both languages.
func TestActs_HaveSentences(t *testing.T) {
	t.Parallel()
	acts := actsInCode(t)
	for _, lang := range []string{"ko", "en"} {
		said := map[string]string{}
		for _, act := range acts {
			key := "act." + strings.ReplaceAll(act, ".", "_")
			if !i18n.Has(lang, key) {
				t.Errorf("%s: no sentence for %s", lang, act)
				continue
			}
			sentence := writerIn(lang).entry(crew.Entry{Action: act, ByName: "Ann"}).Sentence
			if before := said[sentence]; before != "" {
				t.Errorf("%s: %s and %s read alike: %s", lang, before, act, sentence)
			}
			said[sentence] = act
		}
	}
	if len(acts) < 35 {
		t.Errorf("%d actions only: %v", len(acts), acts)
	}
}
