package identity

// IsValid says whether a session that was verified earlier has neither expired nor been revoked since.
func (s *Sessions) IsValid(session Session) bool {
	return s.now().Before(session.Expires) && !s.isRevoked(session)
}
