package identity

import (
	"crypto/rand"
	"strconv"
	"strings"
	"sync"
	"time"

	"lunchgo/app/token"
)

// SessionLife is how long a session lasts from sign-in.
const SessionLife = 14 * 24 * time.Hour

// Session is somebody signed in. Its id names it to its owner; only the signed token is a proof of it.
type Session struct {
	ID      string
	UserID  string
	Issued  time.Time // to the millisecond
	Expires time.Time
	ByLink  bool // the person opened a link that was sent to their address
}

// IsFresh says whether the session is itself a proof of who asks, because its link was opened a moment ago.
func (s Session) IsFresh(now time.Time) bool { return s.ByLink && now.Sub(s.Issued) < FreshLink }

// Sessions signs sessions and verifies them without a query: a press in a rush costs no SQL, and sessions outlive a
// loss of Redis. The few that were revoked are kept in the database and known to every process within a moment.
type Sessions struct {
	signer token.Signer
	store  SessionStore
	now    func() time.Time

	mu      sync.RWMutex
	revoked map[string]Session       // by id, until they expire
	ended   map[string]EndedSessions // by user, until the last of them expires
	barred  *barred                  // nil where nobody is barred
	seen    time.Time                // the latest revocation read
}

// NewSessions derives the signing keys for sessions from the installation's secrets.
func NewSessions(secrets token.Secrets, store SessionStore, now func() time.Time) *Sessions {
	return &Sessions{signer: token.NewSigner(secrets, "lunchgo session v1", token.Long), store: store, now: now,
		revoked: map[string]Session{}, ended: map[string]EndedSessions{}}
}

// Issue signs a new session for a user. Nobody sees it in a list before it is recorded.
func (s *Sessions) Issue(userID string) (signed string, session Session) {
	return s.issue(userID, false)
}

// IssueByLink signs a new session for a user who opened a link that was sent to their address.
func (s *Sessions) IssueByLink(userID string) (signed string, session Session) {
	return s.issue(userID, true)
}

// How a person signed in, as tokens have it.
const (
	markPassword = "p"
	markLink     = "l"
)

func (s *Sessions) issue(userID string, byLink bool) (string, Session) {
	issued := s.now().Truncate(time.Millisecond)
	session := Session{ID: rand.Text(), UserID: userID, Issued: issued, Expires: issued.Add(SessionLife),
		ByLink: byLink}
	mark := markPassword
	if byLink {
		mark = markLink
	}
	body := []string{session.UserID, session.ID, millis(session.Issued), millis(session.Expires), mark}
	return s.signer.Sign(strings.Join(body, ".")), session
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 36) }

// Verify returns the session a token stands for. Returns ErrInvalidSession if it is forged, expired or revoked.
func (s *Sessions) Verify(signed string) (Session, error) {
	body, ok := s.signer.Verify(signed)
	if !ok {
		return Session{}, ErrInvalidSession
	}
	session, ok := parseSession(strings.Split(body, "."))
	if !ok || !s.now().Before(session.Expires) || s.isRevoked(session) || s.isBarred(session.UserID) {
		return Session{}, ErrInvalidSession
	}
	return session, nil
}

// parseSession reads what a token says. Tokens of before have only the second in which they expire.
func parseSession(f []string) (session Session, ok bool) {
	switch len(f) {
	case 3:
		unix, err := strconv.ParseInt(f[2], 36, 64)
		expires := time.Unix(unix, 0)
		return Session{UserID: f[0], ID: f[1], Issued: expires.Add(-SessionLife), Expires: expires}, err == nil
	case 5:
		issued, err := strconv.ParseInt(f[2], 36, 64)
		expires, err2 := strconv.ParseInt(f[3], 36, 64)
		return Session{UserID: f[0], ID: f[1], Issued: time.UnixMilli(issued), Expires: time.UnixMilli(expires),
			ByLink: f[4] == markLink}, err == nil && err2 == nil
	}
	return Session{}, false
}

// isRevoked says whether a session ended before its time, as far as this process knows.
func (s *Sessions) isRevoked(session Session) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, revoked := s.revoked[session.ID]
	return revoked || s.ended[session.UserID].include(session)
}
