package identity

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"lunchgo/app/token"
)

// SessionLife is how long a session lasts from sign-in.
const SessionLife = 14 * 24 * time.Hour

// Session is somebody signed in.
type Session struct {
	ID      string
	UserID  string
	Expires time.Time
}

// Sessions signs sessions and verifies them without a query: a press in a rush costs no SQL, and sessions outlive a loss
// of Redis. The few that were revoked are kept in the database and known to every process within a moment.
type Sessions struct {
	signer token.Signer
	store  Store
	now    func() time.Time
	log    *slog.Logger

	mu      sync.RWMutex
	revoked map[string]time.Time // session id to when it may be forgotten
	seen    time.Time            // the latest revocation read
}

// NewSessions derives the signing key for sessions from the installation's secret.
func NewSessions(secret []byte, store Store, now func() time.Time, log *slog.Logger) *Sessions {
	return &Sessions{signer: token.NewSigner(secret, "lunchgo session v1", token.Long), store: store, now: now, log: log,
		revoked: map[string]time.Time{}}
}

// Issue signs a new session for a user.
func (s *Sessions) Issue(userID string) (signed string, session Session) {
	session = Session{ID: rand.Text(), UserID: userID, Expires: s.now().Add(SessionLife).Truncate(time.Second)}
	body := strings.Join([]string{session.UserID, session.ID, strconv.FormatInt(session.Expires.Unix(), 36)}, ".")
	return s.signer.Sign(body), session
}

// Verify returns the session a token stands for. Returns ErrInvalidSession if it is forged, expired or revoked.
func (s *Sessions) Verify(signed string) (Session, error) {
	body, ok := s.signer.Verify(signed)
	f := strings.Split(body, ".")
	if !ok || len(f) != 3 {
		return Session{}, ErrInvalidSession
	}
	unix, err := strconv.ParseInt(f[2], 36, 64)
	session := Session{UserID: f[0], ID: f[1], Expires: time.Unix(unix, 0)}
	if err != nil || !s.now().Before(session.Expires) || s.isRevoked(session.ID) {
		return Session{}, ErrInvalidSession
	}
	return session, nil
}

// Revoke ends a session: at once in this process, within a moment in the others.
func (s *Sessions) Revoke(ctx context.Context, session Session) error {
	if err := s.store.RevokeSession(ctx, session.ID, session.Expires); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked[session.ID] = session.Expires
	return nil
}

// Follow keeps the revoked sessions known to this process fresh until ctx ends.
func (s *Sessions) Follow(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("revoked sessions are not refreshed", "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// overlap is how far back each reading goes: a revocation commits a moment after the time it carries.
const overlap = time.Minute

func (s *Sessions) refresh(ctx context.Context) error {
	s.mu.RLock()
	since := s.seen.Add(-overlap)
	s.mu.RUnlock()
	ids, latest, err := s.store.ListRevokedSessions(ctx, since)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	for _, id := range ids {
		if _, ok := s.revoked[id]; !ok {
			s.revoked[id] = now.Add(SessionLife)
		}
	}
	for id, until := range s.revoked {
		if now.After(until) {
			delete(s.revoked, id)
		}
	}
	if latest.After(s.seen) {
		s.seen = latest
	}
	return nil
}

func (s *Sessions) isRevoked(id string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, revoked := s.revoked[id]
	return revoked
}
