package payments

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/jobs"
)

const (
	// comparedDays are how many past days are compared: a provider may book late, and says within a week what it keeps of
	// a payment and when it pays the rest out.
	comparedDays = 8
	// compareAgain is how long the comparison of a day holds.
	compareAgain = 6 * time.Hour
	// comparing is for how long no other instance compares a day: less than compareEvery, so that the next run compares
	// a day anew whose list has failed, or whose instance has died.
	comparing = 5 * time.Minute
	// margin is by how much the clocks of provider and product may differ.
	margin = time.Hour
)

// Difference is money that the provider's list and the payments do not agree about.
type Difference struct {
	PaymentID string    `json:"paymentId"`
	Amount    int64     `json:"amount"` // won; negative when it went back
	At        time.Time `json:"at"`
	Missing   string    `json:"missing"` // where: MissingHere or MissingThere
}

// Where a difference is missing.
const (
	MissingHere  = "here"     // no payment of ours has it
	MissingThere = "provider" // the provider's list does not have it
)

// Days keeps what the provider listed, and what differed.
type Days interface {
	// BeginDay says whether a day is to be compared now, and keeps other instances from it for a while.
	BeginDay(ctx context.Context, provider string, day time.Time, lease time.Duration) (bool, error)
	// ListMoved returns what payments of a provider took and gave back between two moments, by our books.
	ListMoved(ctx context.Context, provider string, from, until time.Time) ([]Movement, error)
	// EndDay stores what came of comparing a day.
	EndDay(ctx context.Context, compared Compared) error
}

// Compared is what came of comparing a day.
type Compared struct {
	Provider    string
	Day         time.Time
	Listed      []Movement // by the provider
	Differences []Difference
	Again       time.Duration // after which the day is to be compared anew
}

// compareJob returns the job that compares the days that have passed with the provider's list.
func (s *Service) compareJob(every time.Duration) jobs.Job {
	return jobs.Job{Name: "compare payments", Alone: "the row of each day, for five minutes", Every: every,
		Run: func(ctx context.Context) (compared int, err error) {
			today := s.Now().In(s.Zone)
			for back := 1; back <= comparedDays; back++ {
				done, failed := s.CompareDay(ctx, today.AddDate(0, 0, -back))
				if err = errors.Join(err, failed); done {
					compared++
				}
			}
			return compared, err
		}}
}

// CompareDay sets what the provider lists of a day against the payments, stores both and logs what differs. It returns
// false when another instance does, or has done so not long ago. A day that could not be compared is due again with the
// next run of the job.
func (s *Service) CompareDay(ctx context.Context, day time.Time) (bool, error) {
	from := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, s.Zone)
	until, name := from.AddDate(0, 0, 1), s.Provider.Name()
	due, err := s.Days.BeginDay(ctx, name, from, comparing)
	if err != nil || !due {
		return false, err
	}
	listed, err := s.Provider.List(ctx, from)
	if err != nil {
		return false, err
	}
	beside, sure, err := s.listBeside(ctx, from, until)
	if err != nil {
		return false, err
	}
	moved, err := s.Days.ListMoved(ctx, name, from.Add(-margin), until.Add(margin))
	if err != nil {
		return false, err
	}
	differences := Compare(listed, beside, moved, from, sure)
	for _, d := range differences {
		s.Log.ErrorContext(ctx, "compare payments found a difference", "payment", d.PaymentID, "amount", d.Amount,
			"at", d.At, "missing", d.Missing)
	}
	err = s.Days.EndDay(ctx, Compared{Provider: name, Day: from, Listed: listed, Differences: differences,
		Again: compareAgain})
	return err == nil, err
}

// listBeside returns what the provider lists of the days before and after one, within margin of it, and until when what
// is in no list is missing: the day's end, or margin before it while the next day is not over.
func (s *Service) listBeside(ctx context.Context, from, until time.Time) (beside []Movement, sure time.Time,
	err error) {
	days, sure := []time.Time{from.AddDate(0, 0, -1)}, until.Add(-margin)
	if !s.Now().Before(until.AddDate(0, 0, 1)) {
		days, sure = append(days, until), until
	}
	for _, day := range days {
		listed, err := s.Provider.List(ctx, day)
		if err != nil {
			return nil, sure, err
		}
		for _, m := range listed {
			if !m.At.Before(from.Add(-margin)) && m.At.Before(until.Add(margin)) {
				beside = append(beside, m)
			}
		}
	}
	return beside, sure, nil
}

// Compare returns what is in one only of a day's list and our movements. The provider may have one of ours in the list
// beside it, and ours may have one of its list a little before or after the day. Of ours, only what happened between
// from and sure can be missing there.
func Compare(listed, beside, moved []Movement, from, sure time.Time) []Difference {
	matched := make([]bool, len(moved))
	of := map[string][]int{}
	for i, m := range moved {
		of[m.PaymentID] = append(of[m.PaymentID], i)
	}
	match := func(m Movement) bool { // with the nearest: equal refunds of a payment differ in their time
		best := -1
		for _, i := range of[m.PaymentID] {
			ours := moved[i]
			if !matched[i] && ours.Amount == m.Amount && (best < 0 ||
				ours.At.Sub(m.At).Abs() < moved[best].At.Sub(m.At).Abs()) {
				best = i
			}
		}
		if best >= 0 {
			matched[best] = true
		}
		return best >= 0
	}
	var differences []Difference
	for _, m := range listed {
		if !match(m) {
			differences = append(differences, Difference{m.PaymentID, m.Amount, m.At, MissingHere})
		}
	}
	for _, m := range beside {
		match(m)
	}
	for i, m := range moved {
		if !matched[i] && !m.At.Before(from) && m.At.Before(sure) {
			differences = append(differences, Difference{m.PaymentID, m.Amount, m.At, MissingThere})
		}
	}
	return differences
}
