package receipt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
)

// evening is a short log: a, b and c come together, d and e later; b leaves; a, then c and d, then e are served. The
// receipts of all five are from the time before the first turn.
func evening(t *testing.T) (map[string]receipt.Receipt, receipt.Log) {
	t.Helper()
	h := newHistory(1)
	names := map[int64]string{}
	for i, arrival := range slices.Clone(h.enter(3)) {
		names[arrival] = string(rune('a' + i))
	}
	for i, arrival := range slices.Clone(h.enter(2)) {
		names[arrival] = string(rune('d' + i))
	}
	receipts := map[string]receipt.Receipt{}
	for _, r := range h.receipts(t) {
		receipts[names[r.Arrival]] = r
	}
	h.end(receipt.Left, receipts["b"].Arrival)
	h.turn(1)
	h.turn(2)
	return receipts, h.finish(t)
}

func TestVerify_TellsEachOneTheirPlace(t *testing.T) {
	t.Parallel()
	receipts, log := evening(t)
	for name, want := range map[string]struct {
		reason         receipt.Reason
		entered, entry int
		place          int
		before         string
	}{
		"a": {receipt.WasServed, 1, 4, 1, ""}, "b": {receipt.HasLeft, 1, 3, 0, ""},
		"c": {receipt.WasServed, 1, 5, 2, "a"}, "d": {receipt.WasServed, 2, 5, 3, "c"},
		"e": {receipt.WasServed, 2, 6, 4, "d"},
	} {
		want := receipt.Finding{Outcome: receipt.Proven, Reason: want.reason, Line: line, Entered: want.entered,
			Entry: want.entry, Place: want.place, Before: receipts[want.before].Arrival,
			Arrival: receipts[name].Arrival}
		if got := verify(t, receipts[name], log); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// tampering is one way to falsify what evening returns.
type tampering struct {
	name   string
	tamper func(t *testing.T, receipts map[string]receipt.Receipt, log *receipt.Log)
	whose  string // receipt is checked
	want   receipt.Reason
}

// after checks a receipt against a log that is read some time after the receipt was given.
func after(t *testing.T, d time.Duration, r receipt.Receipt, l receipt.Log) receipt.Finding {
	t.Helper()
	return receipt.Verify(r, l, receipt.Check{Keys: signer(t).PublicKeys(), At: r.Time.Add(d)})
}

func swap(i, j int) func(*testing.T, map[string]receipt.Receipt, *receipt.Log) {
	return func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) {
		l.Entries[i], l.Entries[j] = l.Entries[j], l.Entries[i]
	}
}

func drop(i int) func(*testing.T, map[string]receipt.Receipt, *receipt.Log) {
	return func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) {
		l.Entries = slices.Delete(l.Entries, i, i+1)
	}
}

// insert adds an entry, made of the receipts' arrival numbers: {a} stands for that of a.
func insert(i int, text string) func(*testing.T, map[string]receipt.Receipt, *receipt.Log) {
	return func(_ *testing.T, receipts map[string]receipt.Receipt, l *receipt.Log) {
		for name, r := range receipts { // in any order
			text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(r.Arrival))
			text = strings.ReplaceAll(text, "{before "+name+"}", fmt.Sprint(r.Arrival-1))
			text = strings.ReplaceAll(text, "{"+name+"'s ticket}", r.Ticket.String())
		}
		text = strings.ReplaceAll(text, "{friend}", receipt.Commit("friend").String())
		l.Entries = slices.Insert(l.Entries, i, text)
	}
}

func replace(i int, text string) func(*testing.T, map[string]receipt.Receipt, *receipt.Log) {
	return func(t *testing.T, receipts map[string]receipt.Receipt, l *receipt.Log) {
		l.Entries = slices.Delete(l.Entries, i, i+1)
		insert(i, text)(t, receipts, l)
	}
}

var tamperings = []tampering{
	{"two entries before the receipt swapped", swap(1, 2), "e", receipt.ChainBroken},
	{"the first entry changed", replace(0, "born 1"), "e", receipt.ChainBroken},
	{"an entry before the receipt dropped", drop(1), "d", receipt.ChainBroken},
	{"the own entry dropped", drop(2), "d", receipt.ChainBroken},
	{"an earlier entry inserted", insert(1, "enter {before a}:{friend}"), "a", receipt.ChainBroken},
	{"somebody put in ahead, after the receipt", insert(3, "enter {before e}:{friend}"), "e", receipt.Inserted},
	{"a turn's order changed", replace(5, "turn 1800000000000000 {d},{c}"), "c", receipt.Overtaken},
	{"a turn's order changed, in one's favour", replace(5, "turn 1800000000000000 {d},{c}"), "d", receipt.Overtook},
	{"two turns swapped", swap(4, 6), "c", receipt.Overtaken},
	{"two turns swapped, with their fences", replace(4, "turn 1800000000000000 {a}"), "e", receipt.FenceFell},
	{"a turn dropped", drop(4), "c", receipt.Overtook},
	{"somebody served who did not wait", insert(4, "turn 1700000000500000 1699999999999999"), "e", receipt.NotWaiting},
	{"somebody served twice", insert(5, "turn 1700000000500000 {a}"), "e", receipt.NotWaiting},
	{"the own end dropped", drop(6), "e", receipt.Unended},
	{"an entry that is none", replace(6, "turn of e"), "e", receipt.Malformed},
	{"a ticket exchanged", replace(2, "enter {d}:{friend},{e}:{e's ticket}"), "e", receipt.ChainBroken},
	{"the log cut short before the receipt", func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) {
		l.Entries = l.Entries[:2]
	}, "a", receipt.Truncated},
	{"the log cut short after the receipt", func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) {
		l.Entries = l.Entries[:5]
	}, "e", receipt.Unended},
	{"the receipt altered", func(_ *testing.T, receipts map[string]receipt.Receipt, _ *receipt.Log) {
		r := receipts["e"]
		r.Arrival, r.Ticket = receipts["a"].Arrival, receipts["a"].Ticket
		receipts["e"] = r
	}, "e", receipt.BadSignature},
	{"the receipt signed for an entry that lacks the ticket", func(t *testing.T, receipts map[string]receipt.Receipt, _ *receipt.Log) {
		r := receipts["e"]
		r.Ticket = receipt.Commit("friend")
		again := []receipt.Receipt{r}
		signer(t).Sign(again)
		receipts["e"] = again[0]
	}, "e", receipt.NotInLog},
	{"the receipt signed with another key", func(t *testing.T, receipts map[string]receipt.Receipt, _ *receipt.Log) {
		other, err := receipt.NewSigner(token.Secrets{"another secret"})
		if err != nil {
			t.Fatal(err)
		}
		again := []receipt.Receipt{receipts["e"]}
		other.Sign(again)
		receipts["e"] = again[0]
	}, "e", receipt.OtherKey},
	{"the receipt signed with another key, and named by ours", func(t *testing.T, receipts map[string]receipt.Receipt, _ *receipt.Log) {
		other, err := receipt.NewSigner(token.Secrets{"another secret"})
		if err != nil {
			t.Fatal(err)
		}
		again := []receipt.Receipt{receipts["e"]}
		other.Sign(again)
		again[0].Key = signer(t).PublicKeys()[0].ID()
		receipts["e"] = again[0]
	}, "e", receipt.BadSignature},
}

func TestVerify_CatchesTampering(t *testing.T) {
	t.Parallel()
	for _, c := range tamperings {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			receipts, log := evening(t)
			id := log.LogID
			c.tamper(t, receipts, &log)
			log.LogID = id
			got := verify(t, receipts[c.whose], log)
			if got.Outcome != receipt.Refuted || got.Reason != c.want {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

// What does not concern a ticket leaves its finding, and is counted.
func TestVerify_SeparatesWhatDoesNotConcernTheTicket(t *testing.T) {
	t.Parallel()
	receipts, log := evening(t)
	replace(5, "turn 1700000000100000 {d},{c}")(t, receipts, &log)
	got := verify(t, receipts["a"], log)
	if got.Outcome != receipt.Proven || got.Elsewhere == 0 {
		t.Errorf("got %+v", got)
	}
}

func TestVerify_LeavesOpenWhatCannotBeKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tamper func(t *testing.T, receipts map[string]receipt.Receipt, log *receipt.Log)
		want   receipt.Reason
	}{
		"somebody still waits": {func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) {
			l.State, l.Entries = receipt.Open, nil
		}, receipt.StillOpen},
		"another line": {func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) { l.Line = "coupon-1" }, receipt.OtherLog},
		"another log":  {func(_ *testing.T, _ map[string]receipt.Receipt, l *receipt.Log) { l.LogID = "0123456789abcdef" }, receipt.OtherLog},
		"a log that lost its end, and goes on": {replace(2, "again {d}:{d's ticket},{e}:{e's ticket}"),
			receipt.DataLost},
		"somebody comes back who is older than the log": {func(t *testing.T, receipts map[string]receipt.Receipt, l *receipt.Log) {
			insert(3, "enter 1600000000000000:{friend}")(t, receipts, l)
			insert(4, "left 1600000000000000")(t, receipts, l)
		}, receipt.DataLost},
		"somebody put back ahead whom nobody knew": {func(t *testing.T, receipts map[string]receipt.Receipt, l *receipt.Log) {
			insert(3, "again {before e}:{friend}")(t, receipts, l)
			insert(4, "left {before e}")(t, receipts, l)
		}, receipt.DataLost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receipts, log := evening(t)
			c.tamper(t, receipts, &log)
			got := verify(t, receipts["e"], log)
			if got.Outcome != receipt.Unproven || got.Reason != c.want {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

// What has just ended may not be published yet; a minute later it has to be.
func TestVerify_GivesTheServerAMinuteToPublish(t *testing.T) {
	t.Parallel()
	receipts, log := evening(t)
	log.Entries = log.Entries[:2]
	if got := after(t, 30*time.Second, receipts["e"], log); got.Outcome != receipt.Unproven ||
		got.Reason != receipt.StillOpen {
		t.Errorf("got %+v", got)
	}
	if got := after(t, 2*time.Minute, receipts["e"], log); got.Outcome != receipt.Refuted ||
		got.Reason != receipt.Truncated {
		t.Errorf("got %+v", got)
	}
}

// A turn that was granted before a ticket was put back may end after that; the next one may not.
func TestVerify_ExcusesOnlyTheTurnUnderWayWhenTicketsArePutBack(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, second string) receipt.Finding {
		texts := []string{
			"born 500", "enter 600:" + receipt.Commit("new").String() + ",700:" + receipt.Commit("newer").String(),
			"again 100:" + receipt.Commit("old").String(), "turn 650 600", second,
		}
		book := receipt.NewBook(line)
		if err := book.Append(texts[:3]); err != nil {
			t.Fatal(err)
		}
		r, _ := book.Receipt("old", 100, start)
		given := []receipt.Receipt{r}
		signer(t).Sign(given)
		return verify(t, given[0], published(t, texts))
	}
	if got := write(t, "turn 800 100,700"); got.Outcome != receipt.Unproven || got.Reason != receipt.DataLost {
		t.Errorf("got %+v", got)
	}
	if got := write(t, "turn 800 700,100"); got.Outcome != receipt.Refuted || got.Reason != receipt.Overtaken {
		t.Errorf("got %+v", got)
	}
}

// A ticket may take its old place again without any loss: its number and its ticket stand in the log already.
func TestVerify_LetsATicketTakeItsOldPlaceAgain(t *testing.T) {
	t.Parallel()
	receipts, log := evening(t)
	insert(4, "enter {b}:{b's ticket}")(t, receipts, &log)
	insert(5, "turn 1700000000000001 {a},{b}")(t, receipts, &log)
	log.Entries = slices.Delete(log.Entries, 6, 7) // a's turn
	log.Entries[5] = strings.Replace(log.Entries[5], "1700000000000001", "1700000000900000", 1)
	log.Entries[6] = "turn 1700000000900001 " + strings.Fields(log.Entries[6])[2]
	log.Entries[7] = "turn 1700000000900002 " + strings.Fields(log.Entries[7])[2]
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if got := verify(t, receipts[name], log); got.Outcome != receipt.Proven || got.Reason != receipt.WasServed {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
