package webhooks_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/token"
	"lunchgo/app/webhooks"
	"lunchgo/db/dbtest"
)

// renewed has all sealed secrets renewed by an installation with these secrets.
func (h *hooks) renewed(t *testing.T, secrets ...string) (changed int, unreadable []string) {
	t.Helper()
	vault := vaultOf(t, secrets...)
	changed, unreadable, err := h.store.RenewKeys(t.Context(),
		func(endpoint string, k webhooks.Keys) (webhooks.Keys, error) {
			return vault.Renew(endpoint, k, time.Now())
		})
	dbtest.Must(t, err)
	return changed, unreadable
}

func vaultOf(t *testing.T, secrets ...string) webhooks.Vault {
	t.Helper()
	vault, err := webhooks.NewVault(token.Secrets(secrets))
	dbtest.Must(t, err)
	return vault
}

// opens says whether the secrets of an endpoint are these to an installation with the secrets.
func (h *hooks) opens(t *testing.T, at webhooks.Place, want []webhooks.Secret, secrets ...string) bool {
	t.Helper()
	e, err := h.store.FindEndpoint(t.Context(), at.RestaurantID, at.ID)
	dbtest.Must(t, err)
	vault := vaultOf(t, secrets...)
	var got []webhooks.Secret
	for _, sealed := range [][]byte{e.Keys.Current, e.Keys.Old} {
		if s, err := vault.Open(at.ID, sealed); err == nil {
			got = append(got, s)
		} else if !errors.Is(err, webhooks.ErrSecret) {
			t.Fatal(err)
		}
	}
	return slices.Equal(got, want)
}

// Sealed secrets, the one of before a rotation too, move to the new secret of the installation, once. Those that cannot
// be read stay as they are, and keep no others back.
func TestWebhooks_SecretsAreRenewed(t *testing.T) {
	t.Parallel()
	h := setupHooks(t) // its vault has "secret"
	at, first := h.endpoint(t, "https://a.example/")
	_, second, err := h.service.Rotate(t.Context(), h.owner, at, 0)
	dbtest.Must(t, err)
	want := []webhooks.Secret{second, first}
	if !h.opens(t, at, want, "secret") || !h.opens(t, at, want, "new", "secret") || h.opens(t, at, want, "new") {
		t.Fatal("before: not sealed under the old secret alone")
	}
	if changed, unreadable := h.renewed(t, "new"); changed != 0 || !slices.Equal(unreadable, []string{at.ID}) ||
		!h.opens(t, at, want, "secret") {
		t.Errorf("without the old secret: %d changed, %v cannot be read", changed, unreadable)
	}
	h.service.Vault = vaultOf(t, "lost")
	lost, _ := h.endpoint(t, "https://b.example/")
	for _, wantChanged := range []int{1, 0} { // the second time nothing is left to do
		if changed, unreadable := h.renewed(t, "new", "secret"); changed != wantChanged ||
			!slices.Equal(unreadable, []string{lost.ID}) {
			t.Errorf("%d changed, want %d; %v cannot be read", changed, wantChanged, unreadable)
		}
		if !h.opens(t, at, want, "new") || h.opens(t, at, want, "secret") {
			t.Error("after: not sealed under the new secret alone")
		}
	}
}

// Owners rotate while secrets are renewed: whatever they were shown last is what signs.
func TestWebhooks_RenewedWhileOwnersRotate(t *testing.T) {
	t.Parallel()
	h := setupHooks(t)
	at, _ := h.endpoint(t, "https://a.example/")
	h.service.Vault = vaultOf(t, "new", "secret")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			h.renewed(t, "new", "secret")
		}
	}()
	var want []webhooks.Secret
	for range 20 {
		_, s, err := h.service.Rotate(t.Context(), h.owner, at, -1)
		if err != nil {
			t.Error(err)
		}
		want = append([]webhooks.Secret{s}, want...)
	}
	stop()
	<-ended
	if h.renewed(t, "new", "secret"); !h.opens(t, at, want[:2], "new") {
		t.Error("a secret that was shown is not the one that signs")
	}
}
