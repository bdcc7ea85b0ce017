package sms

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"lunchgo/app/jobs"
	"lunchgo/app/mail"
	"lunchgo/views/i18n"
)

const (
	// TryTimeout is how long one try takes at most: less than the first lease.
	TryTimeout  = 5 * time.Second
	sendsAtOnce = 16
	wantedFor   = 3 * time.Minute
)

// Sender sends texts that are due.
type Sender struct {
	Store     Store
	Composer  mail.Composer
	Provider  Provider
	Templates map[mail.Kind]string // forms of AlimTalk, which are in Korean; without one a text message
	Now       func() time.Time
	Log       *slog.Logger
}

// Jobs returns the jobs that have texts noted, and send them. An instance takes texts for itself for a while.
func (s Sender) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{
		{Name: "want texts", Every: wantedFor / 3, Run: jobs.Always(func(ctx context.Context) error {
			return s.Store.Want(ctx, wantedFor)
		})},
		{Name: "send texts", Every: every, Run: jobs.InSteps(sendsAtOnce, s.step)},
	}
}

// step sends up to most of what is due, all at once, and returns how much that was.
func (s Sender) step(ctx context.Context, most int) (int, error) {
	texts, err := s.Store.TakeTexts(ctx, most)
	var running sync.WaitGroup
	for _, t := range texts {
		running.Go(func() { s.send(ctx, t) })
	}
	running.Wait()
	return len(texts), err
}

// send sends a text once, and notes what came of it, also when the process ends meanwhile.
func (s Sender) send(ctx context.Context, t Text) {
	failure := s.try(ctx, t)
	if failure != nil && ctx.Err() != nil {
		return // it is tried again
	}
	err := s.Store.MarkText(context.WithoutCancel(ctx), t.ID, failure)
	if errors.Is(failure, mail.ErrOutdated) {
		failure = nil
	}
	if err = errors.Join(failure, err); err != nil {
		s.Log.WarnContext(ctx, "send text failed", "letter", t.ID, "attempt", t.Attempts, "error", err)
	}
}

func (s Sender) try(ctx context.Context, t Text) error {
	if t.IsOutdated(s.Now()) {
		return mail.ErrOutdated
	}
	letter, err := s.Composer.Compose(ctx, t.Note)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, TryTimeout)
	defer cancel()
	return s.Provider.Send(ctx, s.message(t, letter))
}

// message says what the letter's subject says, with its link.
func (s Sender) message(t Text, letter mail.Letter) Message {
	m := Message{LetterID: t.ID, To: t.Phone,
		Text: i18n.T(t.Language, "mail.text", "Subject", letter.Subject, "Link", letter.URL)}
	if id := s.Templates[t.Kind]; id != "" && t.Language == i18n.Korean {
		m.Template = &Template{ID: id, Values: letter.Values}
		_, m.Template.Values["Link"], _ = strings.Cut(letter.URL, "://") // the form has what is before it
	}
	return m
}
