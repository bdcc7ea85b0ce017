package estimate

import (
	"math"
	"testing"
	"time"
)

var start = time.Unix(1_000_000, 0)

// A range counts when somebody enters, and whenever the number of people ahead has halved.
func TestShown_CountsARangeAtEachHalving(t *testing.T) {
	t.Parallel()
	var s Shown
	wide := Range{0, time.Hour}
	for position := 100; position >= 1; position-- {
		s.Note(start, position, wide)
	}
	s.Note(start, 0, wide)
	if len(s.ranges) != 7 { // 100 50 25 12 6 3 1
		t.Errorf("%d ranges count, want 7", len(s.ranges))
	}
}

func TestJudge_SharesOutWhatAPersonWasShown(t *testing.T) {
	t.Parallel()
	var s Shown
	if _, ok := s.Judge(start, start); ok {
		t.Error("somebody who was shown nothing is judged")
	}
	s.Note(start, 8, Range{5 * time.Second, 15 * time.Second})
	s.Note(start.Add(6*time.Second), 4, Range{0, time.Second})
	j, ok := s.Judge(start, start.Add(10*time.Second))
	if !ok || j.Inside != 0.5 || j.Width != 0.25 { // the first was shown before they had settled
		t.Errorf("judged %+v, %v", j, ok)
	}
	if j, _ := s.Judge(start.Add(-settled), start.Add(10*time.Second)); j.Width != (1+0.25)/2 {
		t.Errorf("of somebody who came 2 s before judged %+v", j)
	}
	if j, _ := s.Judge(start, start.Add(6*time.Second+500*time.Millisecond)); j.Inside != 1 {
		t.Errorf("after 6.5 s judged %+v", j)
	}
	var moment Shown
	moment.Note(start, 1, Range{0, time.Second})
	if j, _ := moment.Judge(start.Add(-settled), start.Add(time.Millisecond)); !math.IsNaN(j.Width) || j.Inside != 1 {
		t.Errorf("after a moment judged %+v", j)
	}
}

func TestAccuracy_RemembersTheLastThousand(t *testing.T) {
	t.Parallel()
	var a Accuracy
	if _, ok := a.Read().Share(); ok {
		t.Error("there is a share of nobody")
	}
	for range 500 {
		a.Add(Judgement{0, 9})
	}
	for range 750 {
		a.Add(Judgement{1, 1})
	}
	f := a.Read()
	if share, ok := f.Share(); f.People != 1000 || share != 0.75 || !ok || f.Width != 1 {
		t.Errorf("read %+v", f)
	}
}
