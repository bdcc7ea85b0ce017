package program

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/door"
	"lunchgo/app/events"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/jobs"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
)

// unused is how accounts go that nobody uses.
func (p *Program) unused() identity.Unused {
	return identity.Unused{Store: p.Stores.Users, Sessions: p.Identity.Sessions, Keep: p.config.UnusedKeep, Waits: p.Waits,
		Now: time.Now}
}

// Waits says whether an account waits in a line.
func (p *Program) Waits(ctx context.Context, userID string) (bool, error) {
	waits, err := p.Room.Waits(ctx, userID)
	return len(waits) > 0, err
}

// jobs lists what a program does again and again by itself; docs/operations.md has a table of them. Sending events and
// watching the replica go on without a pause of that kind: Start begins them.
func (p *Program) jobs() []jobs.Job {
	paces := p.config.Paces
	sweeper := reserve.Sweeper{Reservations: p.Stores.Reservations, Availability: p.Availability}
	list := slices.Concat(
		sweeper.Jobs(paces.Sweep),
		p.offerer.Jobs(paces.Offer),
		p.Closings.Jobs(paces.Sweep),
		p.Rehearsals.Jobs(),
		guests.Jobs(p.Stores.Guests, paces.Forget),
		door.Jobs(p.Stores.Doors, paces.Forget),
		p.Identity.Sessions.Jobs(paces.Revoked),
		p.unused().Jobs(paces.Forget),
		mail.Trimming(p.Stores.Mails, p.config.LettersKeep, paces.Forget),
		[]jobs.Job{
			events.Announcing(p.Stores.Outbox, paces.Announce),
			events.Trimming(p.Stores.Outbox, p.config.EventsKeep, paces.Trim),
		},
		p.sender.Jobs(paces.Webhook),
		p.pusher.Jobs(paces.Mail),
		p.Payments.Jobs(paces.Payment),
	)
	if p.Show != nil {
		list = append(list, p.Show.Jobs(p.config.ShowEvery)...)
	}
	if p.post != nil || p.texter != nil {
		list = append(list, mail.Reminding(p.Stores.Mails)...)
	}
	if p.post != nil {
		list = append(list, p.post.Jobs(paces.Mail)...)
	}
	if p.texter != nil {
		list = append(list, p.texter.Jobs(paces.Mail)...)
	}
	if p.config.AuditEvery > 0 {
		auditor := audit.Job{Books: p.Stores.Audits, Board: p.concerns, Every: p.config.AuditEvery, Tell: p.showAudit,
			Log: p.log}
		list = append(list, auditor.Jobs()...)
	}
	return list
}
