package identity

import "context"

// barred are users whose sessions are refused however they came by them.
type barred struct {
	users map[string]bool // by id
}

// NoPassword is the hash of those who never sign in by a password: none has it.
const NoPassword = "!"

// BarDemo refuses all sessions of the demo's users from now on, those of earlier days too: on an installation that is
// no demo they do not exist. It reads who they are before it returns, and Follow keeps up with it, since another
// instance may load the demo later.
func (s *Sessions) BarDemo(ctx context.Context) error {
	s.mu.Lock()
	if s.barred == nil {
		s.barred = &barred{}
	}
	s.mu.Unlock()
	return s.refreshBarred(ctx)
}

func (s *Sessions) refreshBarred(ctx context.Context) error {
	s.mu.RLock()
	bars := s.barred != nil
	s.mu.RUnlock()
	if !bars {
		return nil
	}
	ids, err := s.store.ListDemoUsers(ctx)
	if err != nil {
		return err
	}
	users := make(map[string]bool, len(ids))
	for _, id := range ids {
		users[id] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.barred = &barred{users: users}
	return nil
}

func (s *Sessions) isBarred(userID string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.barred != nil && s.barred.users[userID]
}

// findForSignIn returns who signs in with an address. The demo's users are found only in a demo: elsewhere they do not
// exist.
func (s *Service) findForSignIn(ctx context.Context, email string) (User, error) {
	u, err := s.Store.FindUserByEmail(ctx, NormalEmail(email))
	if err == nil && u.Demo && !s.Demo {
		return User{}, ErrNotFound
	}
	return u, err
}
