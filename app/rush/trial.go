package rush

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Moments are when something broke in the middle of a rush, and when it was back.
type Moments struct{ Fault, Back time.Time }

// Trial is what a rush has shown in the middle of which something broke. Times are in seconds.
type Trial struct {
	Fault string `json:"fault"`
	What  string `json:"what"` // was done, in words

	Diners  int `json:"diners"`
	Noticed int `json:"noticed"` // diners who saw an error, or were asked to come back later
	Broken  int `json:"broken"`  // of them: whose request or stream broke, or was answered outside the contract
	Later   int `json:"later"`   // of them: who were asked to come back later, and did

	DownSeconds        float64  `json:"downSeconds"`        // from the fault until what broke was back
	FirstAnswerSeconds *float64 `json:"firstAnswerSeconds"` // from the fault; nil: nobody was answered after it
	GapSeconds         float64  `json:"gapSeconds"`         // longest time without an answer that ended after the fault

	InLine    int `json:"inLine"`    // diners who had a place when it broke, and no answer
	Overtaken int `json:"overtaken"` // of them
	// diners who came after the fault, and were
	OvertakenLater int `json:"overtakenLater"`
	// the fault hides the common line from an instance, which says so to whoever comes to it: OvertakenLater breaks no
	// promise
	CutOff bool `json:"cutOff"`

	Answered  int `json:"answered"` // got a yes or a no
	Reserved  int `json:"reserved"`
	SoldOut   int `json:"soldOut"`
	GaveUp    int `json:"gaveUp"`    // got neither
	Lost      int `json:"lost"`      // got a yes that is not in the database
	Unclaimed int `json:"unclaimed"` // reservations that nobody heard of
	Oversold  int `json:"oversold"`

	Checks   int      `json:"checks"`   // of the auditor, afterwards
	Findings []string `json:"findings"` // what they found

	FaultSeconds float64  `json:"faultSeconds"` // from the first press
	TotalSeconds float64  `json:"totalSeconds"` // from the first press to the last answer
	Timeline     []int    `json:"timeline"`     // answers in each TimelineStep from the first press on
	Errors       []string `json:"errors"`       // the first few different ones that diners saw

	notes []string // of the report, for people
}

// TimelineStep is what one number of a Trial's timeline counts.
const TimelineStep = 250 * time.Millisecond

// NewTrial takes what the report of a rush at an installation says about a fault in its middle.
func NewTrial(r Report, in Installation, at Moments) Trial {
	t := Trial{Diners: r.Diners, Answered: r.Answered, Reserved: r.Reserved, SoldOut: r.SoldOut,
		GaveUp: r.Failed - r.verdict.lost, Lost: r.verdict.lost, Unclaimed: r.verdict.unclaimed, Oversold: r.Oversold,
		TotalSeconds: r.TotalSeconds, DownSeconds: rounded(at.Back.Sub(at.Fault).Seconds()),
		Errors: append([]string{}, r.outcomes.Quotes...), Findings: []string{}}
	fault := at.Fault.Sub(r.outcomes.pressed)
	t.FaultSeconds = rounded(fault.Seconds())
	for _, a := range r.outcomes.Answers {
		t.count(a, fault)
	}
	for i, answers := range bySlot(r.outcomes.Answers, len(r.decided)) {
		for _, a := range overtakenOf(in, r.decided[i], answers) {
			t.noteOvertaken(a, fault)
		}
	}
	t.measure(answeredAt(r.outcomes.Answers), fault)
	t.notes = append(t.notes, r.Notes...)
	return t
}

// noteOvertaken counts a diner who was overtaken, and describes the first few.
func (t *Trial) noteOvertaken(a answer, fault time.Duration) {
	if a.isPlacedBy(fault) {
		t.Overtaken++
	} else {
		t.OvertakenLater++
	}
	if len(t.notes) < maxTraces {
		t.notes = append(t.notes, fmt.Sprintf("overtaken: diner %s, ticket %q, pressed at %.3f s, had a place at %.3f s, "+
			"an answer at %.3f s; it broke at %.3f s", a.UserID, a.Ticket, a.Sent.Seconds(), a.Placed.Seconds(),
			a.Answered.Seconds(), fault.Seconds()))
	}
}

// count counts a diner.
func (t *Trial) count(a answer, fault time.Duration) {
	if a.Errors > 0 {
		t.Broken++
	}
	if a.Later > 0 {
		t.Later++
	}
	if a.Errors > 0 || a.Later > 0 {
		t.Noticed++
	}
	if a.isPlacedBy(fault) && (a.Answered > fault || a.Outcome == unanswered) {
		t.InLine++
	}
}

// isPlacedBy says whether the diner had a place in the line, or the result, at a moment of the rush.
func (a answer) isPlacedBy(moment time.Duration) bool { return a.Placed > 0 && a.Placed <= moment }

// overtakenOf are those of a slot's diners who got seats after somebody who had come later, or none though such a one
// did: by the numbers in the line, or because that one pressed only when they had been answered with their place.
func overtakenOf(in Installation, decided []Decision, answers []answer) (overtaken []answer) {
	byReservation := make(map[string]answer, len(answers))
	for _, a := range answers {
		if a.Outcome == reserved {
			byReservation[a.ReservationID] = a
		}
	}
	highest, latest := int64(0), time.Duration(0) // number, and press, of those who have seats so far
	for _, d := range decided {
		a, ok := byReservation[d.ReservationID]
		if ok && (d.Arrival < highest || a.isPlacedBy(latest)) {
			overtaken = append(overtaken, a)
		}
		highest, latest = max(highest, d.Arrival), max(latest, a.Sent)
	}
	for _, a := range answers {
		arrival, known := in.Arrival(a.Ticket, a.UserID)
		if a.Outcome != reserved && (known && arrival < highest || a.isPlacedBy(latest)) {
			overtaken = append(overtaken, a)
		}
	}
	return overtaken
}

// answeredAt are the times of all answers, sorted.
func answeredAt(answers []answer) (at []time.Duration) {
	for _, a := range answers {
		if a.Outcome != unanswered {
			at = append(at, a.Answered)
		}
	}
	slices.Sort(at)
	return at
}

// measure fills in what the times of all answers say.
func (t *Trial) measure(answered []time.Duration, fault time.Duration) {
	gap, last := time.Duration(0), fault
	for _, at := range answered {
		step := int(at / TimelineStep)
		for len(t.Timeline) <= step {
			t.Timeline = append(t.Timeline, 0)
		}
		t.Timeline[step]++
		if at > fault {
			if t.FirstAnswerSeconds == nil {
				t.FirstAnswerSeconds = knownTo(3, (at - fault).Seconds())
			}
			gap = max(gap, at-last)
		}
		last = at
	}
	t.GapSeconds = rounded(gap.Seconds())
}

// Good says whether the installation has kept its promises: the fault may show, and may cost time, but nobody their
// place, an answer or a seat.
func (t Trial) Good() bool {
	return t.Overtaken == 0 && (t.CutOff || t.OvertakenLater == 0) && t.GaveUp == 0 && t.Lost == 0 &&
		t.Unclaimed == 0 && t.Oversold == 0 && len(t.Findings) == 0
}

// notesIfBad says in words what is wrong, if anything is.
func (t Trial) notesIfBad() []string {
	if t.Good() {
		return nil
	}
	return slices.Concat(t.Findings, t.notes)
}

// Trials are what rushes have shown, each with another fault.
type Trials struct {
	Trials []Trial `json:"trials"`
}

// Good says whether all of them are.
func (all Trials) Good() bool {
	return !slices.ContainsFunc(all.Trials, func(t Trial) bool { return !t.Good() })
}

// trialRow is a row of the table: a figure of every trial.
type trialRow struct {
	Name  string
	Wrong func(t Trial) bool // whether what it shows must not be; nil: it is no promise
	Show  func(t Trial) string
}

func plain(of func(t Trial) int) func(t Trial) string {
	return func(t Trial) string { return fmt.Sprint(of(t)) }
}

// promise is a row of a figure that has to be 0.
func promise(name string, of func(t Trial) int) trialRow {
	return trialRow{name, func(t Trial) bool { return of(t) > 0 }, plain(of)}
}

// trialRows are the rows of the table and of the page.
var trialRows = []trialRow{
	{"back after", nil, func(t Trial) string { return fmt.Sprintf("%.1f s", t.DownSeconds) }},
	{"diners", nil, plain(func(t Trial) int { return t.Diners })},
	{"noticed it", nil, plain(func(t Trial) int { return t.Noticed })},
	{"  saw a broken connection", nil, plain(func(t Trial) int { return t.Broken })},
	{"  were asked to come back later", nil, plain(func(t Trial) int { return t.Later })},
	{"first answer after the fault", nil, func(t Trial) string {
		return optional(t.FirstAnswerSeconds, "%.3f s")
	}},
	{"longest time without an answer", nil, func(t Trial) string { return fmt.Sprintf("%.2f s", t.GapSeconds) }},
	{"in line when it broke", nil, plain(func(t Trial) int { return t.InLine })},
	promise("  overtaken", func(t Trial) int { return t.Overtaken }),
	{"overtaken who came afterwards", func(t Trial) bool { return !t.CutOff && t.OvertakenLater > 0 },
		plain(func(t Trial) int { return t.OvertakenLater })},
	{"answered", nil, plain(func(t Trial) int { return t.Answered })},
	{"  reserved", nil, plain(func(t Trial) int { return t.Reserved })},
	{"  sold out", nil, plain(func(t Trial) int { return t.SoldOut })},
	promise("gave up", func(t Trial) int { return t.GaveUp }),
	promise("answers lost", func(t Trial) int { return t.Lost }),
	promise("reservations nobody heard of", func(t Trial) int { return t.Unclaimed }),
	promise("seats oversold", func(t Trial) int { return t.Oversold }),
	promise("found by the auditor", func(t Trial) int { return len(t.Findings) }),
}

// WriteTable writes the trials for people, a column each.
func (all Trials) WriteTable(w io.Writer) error {
	for _, t := range all.Trials {
		fmt.Fprintf(w, "%s: %s\n", t.Fault, t.describe())
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name string, cell func(t Trial) string) {
		fmt.Fprint(table, name)
		for _, t := range all.Trials {
			fmt.Fprint(table, "\t", cell(t))
		}
		fmt.Fprintln(table)
	}
	line("", func(t Trial) string { return t.Fault })
	for _, row := range trialRows {
		line(row.Name, func(t Trial) string { return row.mark(t) })
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, t := range all.Trials {
		for _, note := range t.notesIfBad() {
			fmt.Fprintf(w, "! %s: %s\n", t.Fault, note)
		}
	}
	return nil
}

// describe says what broke, and what errors that made.
func (t Trial) describe() string {
	if len(t.Errors) == 0 {
		return t.What
	}
	return t.What + "; diners saw: " + strings.Join(t.Errors, ", ")
}

// mark writes a figure, and behind it whether it must not be.
func (row trialRow) mark(t Trial) string {
	text := row.Show(t)
	if row.Wrong != nil && row.Wrong(t) {
		return text + " WRONG"
	}
	return text
}
