package rush

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// numbered is an installation that knows the numbers of tickets.
type numbered struct {
	Installation
	of map[string]int64
}

func (n numbered) Arrival(ticket, _ string) (int64, bool) {
	arrival, ok := n.of[ticket]
	return arrival, ok
}

// trialOf is the trial of four diners with the numbers 1 to 4, who press each second; the second one has a place when
// the fault is made, after a second and a half, and the first has a table. change changes it.
func trialOf(change func(answers []answer, decided []Decision)) Trial {
	const second = time.Second
	answers := []answer{
		{Ticket: "a", Outcome: reserved, ReservationID: "A", Sent: 1, Placed: 2, Answered: second},
		{Ticket: "b", Outcome: reserved, ReservationID: "B", Sent: second, Placed: second + 1, Answered: 5 * second, Errors: 2},
		{Ticket: "c", Outcome: reserved, ReservationID: "C", Sent: 2 * second, Placed: 2*second + 1, Answered: 5 * second, Later: 1},
		{Ticket: "d", Outcome: soldOut, Sent: 3 * second, Placed: 3*second + 1, Answered: 5500 * time.Millisecond},
	}
	decided := []Decision{{ReservationID: "A", Arrival: 1}, {ReservationID: "B", Arrival: 2}, {ReservationID: "C", Arrival: 3}}
	change(answers, decided)
	in := numbered{of: map[string]int64{"a": 1, "b": 2, "c": 3, "d": 4}}
	var r Report
	r.Diners, r.decided = len(answers), [][]Decision{decided}
	r.outcomes.Answers, r.outcomes.pressed = answers, time.Unix(1000, 0)
	r.countAnswers(answers)
	var v verdict
	v.judge(in, decided, answers)
	r.setVerdict(v)
	r.Answered = r.Reserved + r.SoldOut
	r.Failed = r.Diners - r.Answered
	fault := r.outcomes.pressed.Add(1500 * time.Millisecond)
	return NewTrial(r, in, Moments{fault, fault.Add(3 * second)})
}

func TestTrial_SaysWhoNoticedAndForHowLong(t *testing.T) {
	t.Parallel()
	got := trialOf(func([]answer, []Decision) {})
	if !got.Good() || got.Diners != 4 || got.Reserved != 3 || got.SoldOut != 1 || got.InLine != 1 {
		t.Errorf("%+v", got)
	}
	if got.Noticed != 2 || got.Broken != 1 || got.Later != 1 {
		t.Errorf("%d noticed: %d broken, %d later", got.Noticed, got.Broken, got.Later)
	}
	if got.DownSeconds != 3 || got.GapSeconds != 4 || *got.FirstAnswerSeconds != 3.5 {
		t.Errorf("down %v, gap %v, first answer %v", got.DownSeconds, got.GapSeconds, *got.FirstAnswerSeconds)
	}
	if want := []int{4: 1, 20: 2, 22: 1}; !slices.Equal(got.Timeline, want) {
		t.Errorf("timeline %v, want %v", got.Timeline, want)
	}
}

// What a fault must not cost fails the trial, each by itself.
func TestTrial_JudgesWhatMustNotBe(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(answers []answer, decided []Decision)
		is     func(t Trial) int
	}{
		"overtaken by number": {func(_ []answer, decided []Decision) { decided[0].Arrival = 9 },
			func(t Trial) int { return t.Overtaken }},
		"overtaken on the wire": {func(_ []answer, decided []Decision) {
			decided[1].ReservationID, decided[2].ReservationID = "C", "B"
		}, func(t Trial) int { return t.Overtaken }},
		"refused, and a later one got seats": {func(answers []answer, _ []Decision) {
			answers[1].Outcome, answers[3].Outcome, answers[3].ReservationID = soldOut, reserved, "B"
		}, func(t Trial) int { return t.Overtaken }},
		"overtaken who came afterwards": {func(answers []answer, decided []Decision) {
			answers[2].Outcome, answers[3].Outcome, answers[3].ReservationID = soldOut, reserved, "C"
			decided[2].Arrival = 4
		}, func(t Trial) int { return t.OvertakenLater }},
		"not answered": {func(answers []answer, _ []Decision) { answers[3].Outcome = unanswered },
			func(t Trial) int { return t.GaveUp }},
		"a yes that is not there": {func(answers []answer, _ []Decision) { answers[0].ReservationID = "X" },
			func(t Trial) int { return t.Lost }},
		"a reservation without a yes": {func(answers []answer, _ []Decision) { answers[0].Outcome = soldOut },
			func(t Trial) int { return t.Unclaimed }},
	} {
		got := trialOf(test.change)
		if test.is(got) == 0 || got.Good() {
			t.Errorf("%s: %+v", name, got)
		}
		var table, page bytes.Buffer
		all := Trials{[]Trial{got}}
		if err := all.WriteTable(&table); err != nil || !strings.Contains(table.String(), "WRONG") {
			t.Errorf("%s: %v\n%s", name, err, table.String())
		}
		if err := all.WritePage(&page, time.Now()); err != nil || !strings.Contains(page.String(), "A promise was") {
			t.Errorf("%s: %v\n%s", name, err, page.String())
		}
	}
	for name, bad := range map[string]Trial{"oversold": {Oversold: 1}, "audit": {Findings: []string{"a slot"}},
		"in line and cut off": {Overtaken: 1, CutOff: true}} {
		if bad.Good() {
			t.Errorf("%s: good", name)
		}
	}
	if cut := (Trial{OvertakenLater: 1, CutOff: true}); !cut.Good() {
		t.Error("an instance that is cut off has to know the line of the others")
	}
}

func TestTrials_AreOnePageByThemselves(t *testing.T) {
	t.Parallel()
	one, two := trialOf(func([]answer, []Decision) {}), trialOf(func([]answer, []Decision) {})
	one.Fault, two.Fault = "server", "<redis>"
	all := Trials{[]Trial{one, two}}
	var page, text bytes.Buffer
	dbtest.Must(t, all.WritePage(&page, time.Now()))
	if got := page.String(); strings.Count(got, "<svg") != 2 || strings.Count(got, "<td") < 2*len(trialRows) ||
		!strings.Contains(got, "Every promise was kept") || !strings.Contains(got, "&lt;redis&gt;") ||
		strings.Contains(got, "<script") || strings.Contains(got, "http") {
		t.Error(got)
	}
	dbtest.Must(t, Write(&text, all, true))
	var read Trials
	if err := json.Unmarshal(text.Bytes(), &read); err != nil || read.Trials[1].Fault != "<redis>" {
		t.Errorf("%v: %s", err, text.String())
	}
}
