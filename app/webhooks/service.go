package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
)

// Service is what owners do with the endpoints of their restaurant.
type Service struct {
	Store           Store
	Vault           Vault
	PrivateNetworks bool // endpoints may be inside the server's network, and without TLS: for tests
	Now             func() time.Time
}

// Place is an endpoint as a request names it.
type Place struct {
	RestaurantID int64
	ID           string // of the endpoint
}

func (p Place) target(by team.Staff) Target {
	return Target{By: by.UserID(), RestaurantID: p.RestaurantID, ID: p.ID}
}

// List returns the endpoints of a restaurant, the oldest first.
func (s *Service) List(ctx context.Context, by team.Staff, restaurantID int64) ([]Endpoint, error) {
	if err := by.Check(restaurantID, team.ManageWebhooks); err != nil {
		return nil, err
	}
	return s.Store.ListEndpoints(ctx, restaurantID)
}

// Find returns an endpoint. Returns booking.ErrNotFound.
func (s *Service) Find(ctx context.Context, by team.Staff, at Place) (Endpoint, error) {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return Endpoint{}, err
	}
	return s.Store.FindEndpoint(ctx, at.RestaurantID, at.ID)
}

// Add adds an endpoint, and returns its secret, which nothing shows again. Returns *booking.InvalidError, ErrTooMany,
// ErrSameURL.
func (s *Service) Add(ctx context.Context, by team.Staff, restaurantID int64, d Draft) (Endpoint, Secret, error) {
	if err := by.Check(restaurantID, team.ManageWebhooks); err != nil {
		return Endpoint{}, "", err
	}
	if faults := d.check(s.PrivateNetworks); len(faults) > 0 {
		return Endpoint{}, "", &booking.InvalidError{Fields: faults}
	}
	secret := NewSecret()
	e := Endpoint{ID: rand.Text(), RestaurantID: restaurantID, URL: d.URL, Description: d.Description, Types: d.Types,
		State: Active}
	e.Keys.Current = s.Vault.Seal(e.ID, secret)
	e, err := s.Store.AddEndpoint(ctx, by.UserID(), e)
	return e, secret, err
}

// Change changes an endpoint, and pauses or resumes it. Returns *booking.InvalidError, ErrSameURL.
func (s *Service) Change(ctx context.Context, by team.Staff, at Place, p Patch) (Endpoint, error) {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return Endpoint{}, err
	}
	return s.Store.ChangeEndpoint(ctx, at.target(by), func(e *Endpoint) error {
		return p.apply(e, s.PrivateNetworks)
	})
}

// Rotate gives an endpoint another secret, and returns it. For a day the one before signs, too. rotations is how many
// there were when its owner looked, so that a page that is sent twice rotates once; below 0 for whatever there are.
// Returns booking.ErrChangedMeanwhile.
func (s *Service) Rotate(ctx context.Context, by team.Staff, at Place, rotations int) (Endpoint, Secret, error) {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return Endpoint{}, "", err
	}
	secret := NewSecret()
	e, err := s.Store.ChangeEndpoint(ctx, at.target(by), func(e *Endpoint) error {
		if rotations >= 0 && rotations != e.Rotations {
			return booking.ErrChangedMeanwhile
		}
		e.Keys = Keys{Current: s.Vault.Seal(e.ID, secret), Old: e.Keys.Current, OldUntil: s.Now().Add(OldSecretLife)}
		e.Rotations++
		return nil
	})
	return e, secret, err
}

// Delete deletes an endpoint with its deliveries.
func (s *Service) Delete(ctx context.Context, by team.Staff, at Place) error {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return err
	}
	return s.Store.DeleteEndpoint(ctx, at.target(by))
}

// Test sends an event of TypeTest to an endpoint. Returns ErrNotActive.
func (s *Service) Test(ctx context.Context, by team.Staff, at Place) (Delivery, error) {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return Delivery{}, err
	}
	data, err := json.Marshal(TestData{RestaurantID: at.RestaurantID, WebhookID: at.ID})
	if err != nil {
		return Delivery{}, err
	}
	return s.Store.AddTest(ctx, at.target(by), Message{ID: "test_" + rand.Text(), Type: TypeTest, Data: data})
}

// Deliveries returns a page of an endpoint's log, the newest first; an empty state means all.
func (s *Service) Deliveries(ctx context.Context, e Endpoint, state DeliveryState,
	page keyset.Request) (keyset.Page[Delivery], error) {
	return s.Store.ListDeliveries(ctx, e.ID, state, page)
}

// Redeliver sends a delivery again, under its old id, whatever became of it. Returns ErrNotActive for an endpoint that
// is not sent to.
func (s *Service) Redeliver(ctx context.Context, by team.Staff, at Place, delivery int64) error {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return err
	}
	return s.Store.Redeliver(ctx, at.target(by), delivery)
}

// RedeliverFailed sends all again that has failed of events since a time, and returns how many those are. Returns
// ErrNotActive.
func (s *Service) RedeliverFailed(ctx context.Context, by team.Staff, at Place, since time.Time) (int, error) {
	if err := by.Check(at.RestaurantID, team.ManageWebhooks); err != nil {
		return 0, err
	}
	return s.Store.RedeliverFailed(ctx, at.target(by), since)
}
