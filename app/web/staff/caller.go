package staff

import (
	"context"
	"strings"

	"lunchgo/app/guests"
	"lunchgo/app/keyset"
)

// mostCallers is how many guests are offered for the digits of a number.
const mostCallers = 4

// callers returns who may be calling, by the digits typed so far; nobody while they are too few.
func (p *Pages) callers(ctx context.Context, a bookingAsked) ([]guests.Guest, error) {
	search, err := guests.ParseSearch(a.form.Phone)
	if err != nil || search.Digits == "" {
		return nil, nil // what is wrong with the number is said once it is sent
	}
	found, err := p.Guests.List(ctx, a.By, a.Restaurant.ID, search, keyset.Request{Limit: mostCallers})
	return found.Items, err
}

// fillCaller fills the form with a guest's name, number and allergies, if one is named. Returns booking.ErrNotFound for
// one of another restaurant.
func (p *Pages) fillCaller(ctx context.Context, a *bookingAsked, guest string) error {
	if guest == "" {
		return nil
	}
	known, err := p.Guests.Find(ctx, a.By, a.Restaurant.ID, guest, keyset.Request{Limit: 1})
	if err != nil {
		return err
	}
	a.form.Name, a.form.Phone, a.form.Allergies = known.Name, known.Phone, strings.Join(known.Allergies, ", ")
	return nil
}
