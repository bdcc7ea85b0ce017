package main

import (
	"crypto/rand"
	"io"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/token"
	"lunchgo/app/webhooks"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	dbseed "lunchgo/db/seed"
	dbwebhooks "lunchgo/db/webhooks"
)

// The command moves what is sealed under SECRET_OLD to SECRET, so that the old one can go. It may run again, and fails
// where neither opens it.
func TestRotate_LetsTheOldSecretGo(t *testing.T) {
	c := installation(t)
	older, newer := rand.Text()+rand.Text(), rand.Text()+rand.Text()
	d, err := db.Open(t.Context(), pg.Config{URL: c.DatabaseURL})
	dbtest.Must(t, err)
	defer d.Close()
	at, secret := addEndpoint(t, d, older)
	for name, value := range map[string]string{"DATABASE_URL": c.DatabaseURL, "LOG_LEVEL": "ERROR"} {
		t.Setenv(name, value)
	}
	for _, step := range []struct {
		name, secret, old string
		works             bool
		opens             string // which secret alone opens it then
	}{
		{"without the old one", newer, "", false, older},
		{"with both", newer, older, true, newer},
		{"again", newer, older, true, newer},
		{"once the old one is gone", newer, "", true, newer},
	} {
		t.Setenv("SECRET", step.secret)
		t.Setenv("SECRET_OLD", step.old)
		err := runCommand(t.Context(), []string{"rotate"}, io.Discard)
		if (err == nil) != step.works || err != nil && !strings.Contains(err.Error(), at.ID) {
			t.Errorf("%s: %v", step.name, err)
		}
		e, err := dbwebhooks.NewStore(d).FindEndpoint(t.Context(), at.RestaurantID, at.ID)
		dbtest.Must(t, err)
		for _, alone := range []string{older, newer} {
			got, err := vaultOf(t, alone).Open(at.ID, e.Keys.Current)
			if opens := err == nil && got == secret; opens != (alone == step.opens) {
				t.Errorf("%s: the older secret: %t, opens it alone: %t", step.name, alone == older, opens)
			}
		}
	}
}

func vaultOf(t *testing.T, secret string) webhooks.Vault {
	t.Helper()
	vault, err := webhooks.NewVault(token.Secrets{secret})
	dbtest.Must(t, err)
	return vault
}

// addEndpoint makes a restaurant with an endpoint in an installation that has a secret.
func addEndpoint(t *testing.T, d *pg.Pool, secret string) (webhooks.Place, webhooks.Secret) {
	t.Helper()
	dbtest.Must(t, d.Migrate(t.Context()))
	seeds, owner := dbseed.NewStore(d), rand.Text()
	id, err := seeds.PutRestaurant(t.Context(), booking.Restaurant{Location: time.UTC,
		Settings: booking.Settings{Slug: "damdam", Picture: "table", Name: booking.Text{Ko: "담담", En: "Damdam"},
			Capacity: 10, SlotMinutes: 60, HoldMinutes: 7, PartyMin: 1, PartyMax: 8, HorizonDays: 30,
			Cuisine: "korean", District: "jongno"}}, nil)
	dbtest.Must(t, err)
	dbtest.Must(t, seeds.CreateDiners(t.Context(), []identity.User{{ID: owner, Email: "owner@example.org",
		Name: "주인", Phone: "010-1234-5678", PasswordHash: "!"}}, 0))
	at, made := webhooks.Place{RestaurantID: id, ID: rand.Text()}, webhooks.NewSecret()
	e := webhooks.Endpoint{ID: at.ID, RestaurantID: id, URL: "https://till.example/", Types: webhooks.Types()}
	e.Keys.Current = vaultOf(t, secret).Seal(at.ID, made)
	if _, err := dbwebhooks.NewStore(d).AddEndpoint(t.Context(), owner, e); err != nil {
		t.Fatal(err)
	}
	return at, made
}
