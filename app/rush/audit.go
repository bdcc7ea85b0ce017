package rush

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// outcomes are what became of all diners of a rush.
type outcomes struct {
	result
	pressed time.Time // the moment of the rush
}

// audit compares the answers that the diners got with the database, and reports.
func audit(ctx context.Context, in Installation, stage Stage, all outcomes, g *monitor) (Report, error) {
	slots := stage.slots()
	ctx, cancel := context.WithTimeout(ctx, auditTime+time.Duration(len(slots))*auditSlotTime)
	defer cancel()
	if g.err != nil {
		return Report{}, fmt.Errorf("look at the seats: %w", g.err)
	}
	r := Report{Diners: len(all.Answers), Slots: len(slots), Oversold: g.oversold, HTTPErrors: int(all.Errors),
		outcomes: all}
	r.countAnswers(all.Answers)
	r.measure(all.result, g)
	var seen watching
	var found verdict
	for i, answers := range bySlot(all.Answers, len(slots)) {
		decided, err := in.Decisions(ctx, slots[i])
		if err != nil {
			return Report{}, fmt.Errorf("read what was decided: %w", err)
		}
		r.decided = append(r.decided, decided)
		found.judge(in, decided, answers)
		seen.add(decided, answers, all.pressed)
	}
	r.setVerdict(found)
	r.setWatching(seen)
	r.setCosts(g, all.result)
	r.Answered = r.Reserved + r.SoldOut
	r.Failed = r.Diners - r.Answered
	for _, quote := range all.Quotes {
		r.Notes = append(r.Notes, "error: "+quote)
	}
	r.noteEvents(g)
	r.noteTraces(all.Answers)
	return r, nil
}

// countAnswers counts the answers that the diners got, and how long each took.
func (r *Report) countAnswers(answers []answer) {
	var took []time.Duration
	var last, lastReserved time.Duration // since the moment of the rush
	others := map[string]int{}
	for _, a := range answers {
		switch a.Outcome {
		case reserved:
			r.Reserved++
			lastReserved = max(lastReserved, a.Answered)
		case soldOut:
			r.SoldOut++
		case other:
			others[a.Code]++
		}
		r.LaterAnswers += a.Later
		r.LaterAnswersMost = max(r.LaterAnswersMost, a.Later)
		if a.Outcome == reserved || a.Outcome == soldOut {
			r.answers = append(r.answers, a.took())
		}
		if a.Outcome != unanswered {
			took = append(took, a.took())
			last = max(last, a.Answered)
		}
	}
	slices.Sort(took)
	slices.Sort(r.answers)
	r.TotalSeconds = rounded(1000*last.Seconds()) / 1000 // a small crowd needs milliseconds
	r.AnswerP50Ms = milliseconds(percentile(took, 50))
	r.AnswerP95Ms = milliseconds(percentile(took, 95))
	r.AnswerP99Ms = milliseconds(percentile(took, 99))
	if lastReserved > 0 {
		r.ReservationsPerSecond = rounded(float64(r.Reserved) / lastReserved.Seconds())
	}
	r.note(r.Diners-len(took), "not answered in time")
	for code, n := range others {
		r.note(n, fmt.Sprintf("answered %q", code))
	}
}

func milliseconds(d time.Duration) float64 { return rounded(float64(d) / float64(time.Millisecond)) }

// measure fills in what was seen of the installation.
func (r *Report) measure(all result, g *monitor) {
	for _, a := range all.Answers {
		if a.followed() {
			r.Tickets++
			r.LineSeconds += max(0, a.Waited).Seconds()
		}
	}
	r.LineSeconds = rounded(r.LineSeconds)
	if off := estimateErrors(all.Answers); len(off) > 0 {
		r.ETAErrorP50Percent = known(percentile(off, 50))
	}
	shown, held, wide := firstRanges(all.Answers)
	r.ETAFirstShownPercent, r.ETAFirstInRangePercent, r.ETAFirstRangeP50Percent = known(shown), known(held), known(wide)
	in, width := rangesOf(g.figures)
	r.ETAInRangePercent, r.ETARangeP50Percent = known(in), known(width)
	if most := known(g.connections); most != nil {
		connections := int(*most)
		r.MaxDBConnections = &connections
	}
	if each := known(g.memoryGrowth() / float64(len(all.Answers))); each != nil {
		bytes := int64(*each)
		r.RSSBytesPerWaiter = &bytes
	}
}

// setWatching fills in how well the diners could see their line; nothing where nobody waited.
func (r *Report) setWatching(w watching) {
	if len(w.late) == 0 {
		return
	}
	w.sort()
	figure := func(sorted []time.Duration, p float64) *float64 { return known(milliseconds(percentile(sorted, p))) }
	r.PositionGapP99Ms, r.PositionGapMaxMs = figure(w.stale, 99), figure(w.stale, 100)
	r.AnswerAfterTurnP99Ms, r.AnswerAfterTurnMaxMs = figure(w.late, 99), figure(w.late, 100)
}

// verdict counts the diners whom the decisions, or the answers, have failed.
type verdict struct {
	lost      int // promised a reservation that is not there
	unclaimed int // the other way: reservations that no diner heard of
	turned    int // decided out of order
	passed    int // refused, and a later one got seats
	overtaken int // the same as seen on the wire
	later     int // by those who pressed later, whatever they had been answered
}

// judge compares one slot's decisions with the answers that its diners got. A line belongs to one slot, so no order is
// judged over several.
func (v *verdict) judge(in Installation, decided []Decision, answers []answer) {
	kept := map[string]bool{}
	for _, d := range decided {
		kept[d.ReservationID] = true
	}
	v.unclaimed += len(kept)
	var refused []int64
	for _, a := range answers {
		switch {
		case a.Outcome == reserved && kept[a.ReservationID]:
			v.unclaimed--
		case a.Outcome == reserved:
			v.lost++
		}
		if a.Outcome != soldOut || a.Ticket == "" {
			continue
		}
		if arrival, ok := in.Arrival(a.Ticket, a.UserID); ok {
			refused = append(refused, arrival)
		}
	}
	v.turned += inversions(decided)
	v.passed += passedOver(refused, decided)
	v.overtaken += wireInversions(onTheWire(decided, answers))
	v.later += overtaken(decided, answers)
}

// setVerdict fills in what was found in all slots.
func (r *Report) setVerdict(v verdict) {
	r.verdict = v
	r.Reserved -= v.lost
	r.note(v.lost, "promised a reservation that the database does not have")
	r.note(v.turned, "decided after somebody who had come later")
	r.note(v.passed, "refused as sold out though somebody who had come later got seats")
	r.FIFOInversions = v.turned + v.passed
	r.note(v.overtaken, "overtaken by somebody who pressed after they had their place")
	r.WireInversions = v.overtaken
	r.overtaken = v.later
}

// maxTraces is how many diners' traces are reported.
const maxTraces = 5

// noteTraces reports the traces of those who got no answer, and then of those with errors.
func (r *Report) noteTraces(answers []answer) {
	count := 0
	for _, failed := range []bool{true, false} {
		for _, a := range answers {
			if count < maxTraces && len(a.Trace) > 0 && failed == (a.Outcome == unanswered || a.Outcome == other) {
				count++
				r.Notes = append(r.Notes, fmt.Sprintf("diner %s, ticket %q: %s", a.UserID, a.Ticket, a.Trace))
			}
		}
	}
}

// note says in words what happened to so many diners.
func (r *Report) note(diners int, what string) {
	if diners > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d %s %s", diners, plural(diners, "was", "were"), what))
	}
}

// bySlot puts the answers of each of n slots together.
func bySlot(answers []answer, n int) [][]answer {
	slots := make([][]answer, n)
	for _, a := range answers {
		slots[a.Slot] = append(slots[a.Slot], a)
	}
	return slots
}
