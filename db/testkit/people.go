package testkit

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// Diners creates n diners whose wallets hold balance won and returns their ids.
func (h *Harness) Diners(t testing.TB, n int, balance int64) []string {
	t.Helper()
	var users []identity.User
	var ids []string
	for range n {
		id := rand.Text()
		ids = append(ids, id)
		users = append(users, identity.User{
			ID: id, Email: strings.ToLower(id) + "@example.org", Name: "Diner " + id[:4], Phone: "010",
			PasswordHash: "!",
		})
	}
	dbtest.Must(t, h.Seeds.CreateDiners(t.Context(), users, balance))
	return ids
}

// Person is somebody with a confirmed address.
func (h *Harness) Person(t testing.TB) identity.User {
	t.Helper()
	u, err := h.Users.FindUser(t.Context(), h.Diners(t, 1, 0)[0])
	dbtest.Must(t, err)
	return u
}

// UserAt finds who has an address.
func (h *Harness) UserAt(t testing.TB, email string) identity.User {
	t.Helper()
	u, err := h.Users.FindUserByEmail(t.Context(), email)
	dbtest.Must(t, err)
	return u
}

// SignUp makes an account whose address is not confirmed, and returns it as it is stored.
func (h *Harness) SignUp(t testing.TB, email string) identity.User {
	t.Helper()
	err := h.Users.SignUp(t.Context(), identity.User{ID: rand.Text(), Email: email, Name: "하루", Phone: "010-1234-5678",
		PasswordHash: "hash"})
	dbtest.Must(t, err)
	return h.UserAt(t, email)
}

// DeleteAccount deletes an account as its user does.
func (h *Harness) DeleteAccount(t *testing.T, userID string) error {
	t.Helper()
	_, err := h.Users.DeleteAccount(t.Context(), identity.EndedSessions{UserID: userID, Until: time.Now()})
	return err
}

// Host adds a member of staff to the harness's restaurant.
func (h *Harness) Host(t testing.TB) string {
	t.Helper()
	id := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `INSERT INTO staff_members (restaurant_id, user_id, role) VALUES ($1, $2, 'host')`, h.Restaurant.ID,
		id)
	return id
}

// SessionOf is a session that was issued some time after start.
func SessionOf(userID, id string, start time.Time, after time.Duration) identity.Session {
	issued := start.Add(after).Truncate(time.Millisecond)
	return identity.Session{ID: id, UserID: userID, Issued: issued, Expires: issued.Add(identity.SessionLife)}
}

// Record stores a session.
func (h *Harness) Record(t *testing.T, session identity.Session) {
	t.Helper()
	dbtest.Must(t, h.Users.RecordSession(t.Context(), session, "Chrome, Android"))
}
