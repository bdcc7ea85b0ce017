package identity

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/refusal"
)

// MaxSessions is how many sessions a person has at most: with one more, the oldest end.
const MaxSessions = 50

// ErrNoSession says that a person has no session of that id.
var ErrNoSession = refusal.NotFound.Because("identity: no such session")

// SessionRecord is a session as its owner sees it.
type SessionRecord struct {
	ID      string    `json:"id"` // names the session; it is no token
	Issued  time.Time `json:"createdAt"`
	Expires time.Time `json:"expiresAt"`
	// Browser and system, such as Chrome, Android; empty if they are not known.
	Device  string `json:"device"`
	Current bool   `json:"current"` // it is the session that asks
}

// EndedSessions are all sessions of a user that were issued until a moment, but for one.
type EndedSessions struct {
	UserID string
	Until  time.Time
	Keep   string // id of the one that goes on; empty for none
}

// include says whether a session is one of them.
func (e EndedSessions) include(s Session) bool {
	return e.UserID == s.UserID && !s.Issued.After(e.Until) && s.ID != e.Keep
}

// Revocations are sessions that ended before they expired.
type Revocations struct {
	Sessions []Session // ID, UserID, Issued and Expires only
	Ended    []EndedSessions
	Latest   time.Time // when the latest of them was written
}

// SessionStore keeps what people see of their sessions, and which of them have ended. A person has few rows in it,
// however often they sign in and out.
type SessionStore interface {
	// RecordSession lists a session as its owner's. If they have more than MaxSessions, it ends the oldest.
	RecordSession(ctx context.Context, session Session, device string) error
	// ListSessions returns the sessions of a user that are recorded and go on, the newest first, at most MaxSessions.
	ListSessions(ctx context.Context, userID string) ([]SessionRecord, error)
	// RevokeSession makes a session invalid until it would have expired anyway.
	RevokeSession(ctx context.Context, session Session) error
	// EndSession is RevokeSession for one that is recorded as the user's. Returns it, or ErrNoSession.
	EndSession(ctx context.Context, userID, sessionID string) (Session, error)
	// EndSessions ends sessions of a user, recorded or not. Returns them with the moment that is really meant, which is
	// later when another process, whose clock is ahead, has recorded one.
	EndSessions(ctx context.Context, ended EndedSessions) (EndedSessions, error)
	// ListDemoUsers returns the ids of the demo's users.
	ListDemoUsers(ctx context.Context) ([]string, error)
	// ListRevocations returns what was revoked after since and has not expired.
	ListRevocations(ctx context.Context, since time.Time) (Revocations, error)
}

// Record lists a session that was issued as its owner's, on a device that DeviceOf has named.
func (s *Sessions) Record(ctx context.Context, session Session, device string) error {
	return s.store.RecordSession(ctx, session, device)
}

// List returns a person's sessions, the one that asks first, whether it is recorded or not, then the newest.
func (s *Sessions) List(ctx context.Context, asking Session, device string) ([]SessionRecord, error) {
	records, err := s.store.ListSessions(ctx, asking.UserID)
	if err != nil {
		return nil, err
	}
	own := SessionRecord{ID: asking.ID, Issued: asking.Issued, Expires: asking.Expires, Device: device, Current: true}
	if i := slices.IndexFunc(records, func(r SessionRecord) bool { return r.ID == asking.ID }); i >= 0 {
		own.Device = records[i].Device
		records = slices.Delete(records, i, i+1)
	}
	return append([]SessionRecord{own}, records...), nil
}

// Revoke ends a session: at once in this process, within a moment in the others.
func (s *Sessions) Revoke(ctx context.Context, session Session) error {
	if err := s.store.RevokeSession(ctx, session); err != nil {
		return err
	}
	s.learn(Revocations{Sessions: []Session{session}})
	return nil
}

// End is Revoke for another session of the person who asks. Returns ErrNoSession if they have none of that id.
func (s *Sessions) End(ctx context.Context, asking Session, id string) error {
	if id == asking.ID {
		return s.Revoke(ctx, asking)
	}
	session, err := s.store.EndSession(ctx, asking.UserID, id)
	if err != nil {
		return err
	}
	s.learn(Revocations{Sessions: []Session{session}})
	return nil
}

// EndOthers ends all sessions of a person but the one that asks.
func (s *Sessions) EndOthers(ctx context.Context, asking Session) error {
	return s.end(ctx, EndedSessions{UserID: asking.UserID, Until: s.now(), Keep: asking.ID})
}

func (s *Sessions) end(ctx context.Context, which EndedSessions) error {
	ended, err := s.store.EndSessions(ctx, which)
	if err != nil {
		return err
	}
	s.learn(Revocations{Ended: []EndedSessions{ended}})
	return nil
}
