package payments

import (
	"cmp"
	"context"
	"errors"
	"slices"
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
	there, here := match(slices.Concat(listed, beside), moved)
	var differences []Difference
	for i, m := range listed {
		if !there[i] {
			differences = append(differences, Difference{m.PaymentID, m.Amount, m.At, MissingHere})
		}
	}
	for i, m := range moved {
		if !here[i] && !m.At.Before(from) && m.At.Before(sure) {
			differences = append(differences, Difference{m.PaymentID, m.Amount, m.At, MissingThere})
		}
	}
	return differences
}

// match pairs movements of one payment and amount, the nearest in time first: equal refunds of a payment differ in
// nothing else. It returns which of each side have a partner.
func match(theirs, ours []Movement) (there, here []bool) {
	type pair struct {
		theirs, ours int
		apart        time.Duration
	}
	type sameMoney struct {
		paymentID string
		amount    int64
	}
	of := map[sameMoney][]int{}
	for i, m := range ours {
		money := sameMoney{m.PaymentID, m.Amount}
		of[money] = append(of[money], i)
	}
	var pairs []pair
	for i, m := range theirs {
		for _, j := range of[sameMoney{m.PaymentID, m.Amount}] {
			pairs = append(pairs, pair{i, j, ours[j].At.Sub(m.At).Abs()})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.apart, b.apart) })
	there, here = make([]bool, len(theirs)), make([]bool, len(ours))
	for _, p := range pairs {
		if !there[p.theirs] && !here[p.ours] {
			there[p.theirs], here[p.ours] = true, true
		}
	}
	return there, here
}
