package mail

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/jobs"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
)

// Times of the post.
const (
	remindAhead = 24 * time.Hour
	remindEvery = time.Minute
	sendTimeout = 20 * time.Second
	batch       = 50 // letters that one step takes
)

// Carrier brings letters to their readers.
type Carrier interface {
	Carry(ctx context.Context, n Note, l Letter) error
}

// Post sends what is noted.
type Post struct {
	Store       Store
	Catalog     reserve.Catalog
	Carrier     Carrier
	Offers      reserve.OfferLinks
	Payments    reserve.PaymentLinks
	Links       identity.LinkSigner
	Invitations team.InvitationSigner
	Site        string // address of the installation, without a slash at its end
	Now         func() time.Time
	Log         *slog.Logger
}

// Jobs returns the jobs that note reminders, and send what is due. An instance takes letters for itself for a while.
func (p Post) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{
		{Name: "note reminders", Every: remindEvery, Run: jobs.Always(func(ctx context.Context) error {
			return p.Store.AddReminders(ctx, remindAhead)
		})},
		{Name: "send letters", Every: every, Run: jobs.InSteps(batch, p.step)},
	}
}

// step sends up to most of what is due, and returns how much that was.
func (p Post) step(ctx context.Context, most int) (int, error) {
	notes, err := p.Store.TakeMails(ctx, most)
	for _, n := range notes {
		failure := p.send(ctx, n)
		if ctx.Err() != nil {
			return 0, nil // it is tried again
		}
		if failure != nil && failure != ErrOutdated {
			p.Log.WarnContext(ctx, "send letter failed", "id", n.ID, "attempt", n.Attempts, "error", failure)
		}
		err = errors.Join(err, p.Store.MarkMail(ctx, n.ID, failure))
	}
	return len(notes), err
}

func (p Post) send(ctx context.Context, n Note) error {
	if n.IsOutdated(p.Now()) {
		return ErrOutdated
	}
	letter, err := p.compose(ctx, n)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return p.Carrier.Carry(ctx, n, letter)
}

func (p Post) compose(ctx context.Context, n Note) (Letter, error) {
	if n.Link.ID != "" {
		n.Link.Token = p.Links.Sign(n.Link.ID)
		return ComposeLink(n, p.Site), nil
	}
	if n.Invitation.ID != "" {
		n.Invitation.Token = p.Invitations.Sign(n.Invitation.ID)
		return ComposeInvitation(n, p.Site), nil
	}
	if n.Refusal.RestaurantID != 0 {
		return ComposeRefusal(n, p.Site), nil
	}
	if n.Webhook.ID != "" {
		return ComposeWebhook(n, p.Site), nil
	}
	place, err := p.Catalog.FindRestaurant(ctx, n.Reservation.RestaurantID)
	if err != nil {
		return Letter{}, err
	}
	n.OfferToken, n.PaymentToken = p.Offers.Sign(n.EntryID), p.Payments.Sign(n.Reservation.ID)
	return Compose(n, place, p.Site)
}
