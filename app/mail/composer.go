package mail

import (
	"cmp"
	"context"
	"time"

	"lunchgo/app/door"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
)

// Composer writes letters, with signed links.
type Composer struct {
	Catalog     reserve.Catalog
	Offers      reserve.OfferLinks
	Payments    reserve.PaymentLinks
	Coming      reserve.SealedLinks
	Links       identity.LinkSigner
	Invitations team.InvitationSigner
	Doors       door.Links
	Site        string // address of the installation, without a slash at its end; empty on its own pages
}

// Compose writes the letter of a note.
func (c Composer) Compose(ctx context.Context, n Note) (Letter, error) {
	switch {
	case n.Link.ID != "":
		n.Link.Token = c.Links.Sign(n.Link.ID)
		return composeLink(n, c.Site), nil
	case n.Invitation.ID != "":
		n.Invitation.Token = c.Invitations.Sign(n.Invitation.ID)
		return composeInvitation(n, c.Site), nil
	case n.Decision.RestaurantID != 0:
		return composeDecision(n, c.Site), nil
	case n.Webhook.ID != "":
		return composeWebhook(n, c.Site), nil
	}
	place, err := c.Catalog.FindRestaurant(ctx, cmp.Or(n.Door.RestaurantID, n.Reservation.RestaurantID))
	if err != nil {
		return Letter{}, err
	}
	if n.Door.PartyID != "" {
		n.Door.Token = c.Doors.Seal(n.Door.PartyID)
		return composeCall(n, place, c.Site), nil
	}
	n.OfferToken, n.PaymentToken = c.Offers.Sign(n.EntryID), c.Payments.Sign(n.Reservation.ID)
	n.ComingToken = c.Coming.Seal(n.Reservation.ID)
	return composeReservation(n, place, c.Site)
}

// Mailbox shows letters where no mail server sends them.
type Mailbox struct {
	Store    Store
	Composer Composer
	Now      func() time.Time
}

// Received is a letter with when it was noted, and to which address.
type Received struct {
	Letter
	At    time.Time
	To    string
	IsOld bool // what it is about is not as it was then: the letter has what is so now
}

// List returns a page of a person's letters, the newest first.
func (m *Mailbox) List(ctx context.Context, userID string, page keyset.Request) (keyset.Page[Received], error) {
	notes, err := m.Store.ListMails(ctx, userID, page)
	if err != nil {
		return keyset.Page[Received]{}, err
	}
	letters := keyset.Page[Received]{Next: notes.Next}
	for _, n := range notes.Items {
		letter, err := m.Composer.Compose(ctx, n)
		if err != nil {
			return letters, err
		}
		letters.Items = append(letters.Items, Received{Letter: letter, At: n.CreatedAt, To: n.Email,
			IsOld: n.Changed || n.IsOutdated(m.Now())})
	}
	return letters, nil
}
