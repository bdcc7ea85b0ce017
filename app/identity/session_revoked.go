package identity

import (
	"context"
	"maps"
	"time"

	"lunchgo/app/jobs"
)

// Jobs returns the job that keeps the revoked sessions known to this process fresh.
func (s *Sessions) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{{Name: "refresh revoked sessions", Every: every, Run: jobs.Always(s.refresh)}}
}

// overlap is how far back each reading goes: a revocation commits a moment after the time it carries.
const overlap = time.Minute

func (s *Sessions) refresh(ctx context.Context) error {
	if err := s.refreshBarred(ctx); err != nil {
		return err
	}
	s.mu.RLock()
	since := s.seen.Add(-overlap)
	s.mu.RUnlock()
	known, err := s.store.ListRevocations(ctx, since)
	if err != nil {
		return err
	}
	s.learn(known)
	s.forget()
	return nil
}

// learn adds to what this process knows to have ended. A user's latest word on which of their sessions have ended
// holds.
func (s *Sessions) learn(r Revocations) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range r.Sessions {
		s.revoked[session.ID] = session
	}
	for _, ended := range r.Ended {
		if !ended.Until.Before(s.ended[ended.UserID].Until) {
			s.ended[ended.UserID] = ended
		}
	}
	if r.Latest.After(s.seen) {
		s.seen = r.Latest
	}
}

// forget drops what has expired, and sessions that have ended with all others of their user.
func (s *Sessions) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	maps.DeleteFunc(s.ended, func(_ string, e EndedSessions) bool { return now.After(e.Until.Add(SessionLife)) })
	maps.DeleteFunc(s.revoked, func(_ string, session Session) bool {
		return now.After(session.Expires) || s.ended[session.UserID].include(session)
	})
}
