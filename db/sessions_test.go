package db

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// sessionOf is a session that was issued some time after start.
func sessionOf(userID, id string, start time.Time, after time.Duration) identity.Session {
	issued := start.Add(after).Truncate(time.Millisecond)
	return identity.Session{ID: id, UserID: userID, Issued: issued, Expires: issued.Add(identity.SessionLife)}
}

func (h *harness) revocations(t *testing.T, since time.Time) (ids []string, r identity.Revocations) {
	t.Helper()
	r, err := h.users.ListRevocations(t.Context(), since)
	dbtest.Must(t, err)
	for _, session := range r.Sessions {
		ids = append(ids, session.ID)
	}
	slices.Sort(ids)
	return ids, r
}

func (h *harness) listed(t *testing.T, userID string) (ids []string) {
	t.Helper()
	records, err := h.users.ListSessions(t.Context(), userID)
	dbtest.Must(t, err)
	for _, record := range records {
		ids = append(ids, record.ID)
	}
	return ids
}

func (h *harness) record(t *testing.T, session identity.Session) {
	t.Helper()
	dbtest.Must(t, h.users.RecordSession(t.Context(), session, "Chrome, Android"))
}

func TestRevokeSession_IsListedUntilItExpires(t *testing.T) {
	t.Parallel()
	h := setup(t)
	long := time.Now().Add(-time.Hour)
	if ids, r := h.revocations(t, long); len(ids) != 0 || !r.Latest.Equal(long) {
		t.Errorf("at first %v, latest %v", ids, r.Latest)
	}
	live := sessionOf("ann", "live", time.Now(), 0)
	over := sessionOf("ann", "over", time.Now().Add(-identity.SessionLife), -time.Minute)
	for _, session := range []identity.Session{live, over} {
		for range 2 { // signing out twice is no error
			dbtest.Must(t, h.users.RevokeSession(t.Context(), session))
		}
	}
	ids, r := h.revocations(t, long)
	if !slices.Equal(ids, []string{"live"}) || !r.Latest.After(long) || !r.Sessions[0].Issued.Equal(live.Issued) {
		t.Errorf("revoked %+v", r)
	}
	if ids, _ := h.revocations(t, r.Latest.Add(time.Minute)); len(ids) != 0 {
		t.Errorf("after the latest there are %v", ids)
	}
	dbtest.Must(t, h.users.RevokeSession(t.Context(), sessionOf("bob", "another", time.Now(), 0)))
	if n := h.count(t, `SELECT count(*) FROM revoked_sessions WHERE session_id = 'over'`); n != 0 {
		t.Error("an expired one is kept")
	}
}

// What a person signs out of one by one takes a bounded number of rows: beyond it, all that is older has ended.
func TestRevokeSession_ListStaysBounded(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann, start := h.diners(t, 1, 0)[0], time.Now().Add(-time.Hour)
	old := sessionOf(ann, "old", start, -time.Second)
	h.record(t, old)
	for i := range maxRevoked + 5 {
		session := sessionOf(ann, fmt.Sprintf("s%03d", i), start, time.Duration(i)*time.Second)
		h.record(t, session)
		dbtest.Must(t, h.users.RevokeSession(t.Context(), session))
	}
	ids, r := h.revocations(t, start)
	until := sessionOf(ann, "", start, 4*time.Second).Issued
	if len(ids) != maxRevoked || len(r.Ended) != 1 || !r.Ended[0].Until.Equal(until) || r.Ended[0].Keep != "" {
		t.Errorf("%d revoked, ended %+v, want until %v", len(ids), r.Ended, until)
	}
	if ids := h.listed(t, ann); len(ids) != 0 {
		t.Errorf("the list still has %v", ids)
	}
}

// A person has so many sessions at most: with one more, the oldest ends, and the list has all that go on.
func TestRecordSession_EndsTheOldest(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann, start := h.diners(t, 1, 0)[0], time.Now().Add(-time.Hour)
	h.record(t, sessionOf(ann, "expired", start, -identity.SessionLife))
	for i := range identity.MaxSessions + 2 {
		h.record(t, sessionOf(ann, fmt.Sprintf("s%03d", i), start, time.Duration(i)*time.Second))
	}
	ids := h.listed(t, ann)
	if len(ids) != identity.MaxSessions || ids[0] != "s051" || ids[len(ids)-1] != "s002" {
		t.Errorf("%d sessions: %v", len(ids), ids)
	}
	_, r := h.revocations(t, start)
	if until := sessionOf(ann, "", start, time.Second).Issued; len(r.Ended) != 1 || !r.Ended[0].Until.Equal(until) {
		t.Errorf("ended %+v, want until %v", r.Ended, until)
	}
	if n := h.count(t, `SELECT count(*) FROM user_sessions WHERE session_id = 'expired'`); n != 0 {
		t.Error("an expired one is kept")
	}
}

func TestEndSessions_KeepsOne(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann, bob, start := h.diners(t, 1, 0)[0], h.diners(t, 1, 0)[0], time.Now().Add(-time.Hour)
	for i, session := range []string{"one", "two", "three"} {
		h.record(t, sessionOf(ann, session, start, time.Duration(i)*time.Second))
	}
	ahead := sessionOf(ann, "ahead", time.Now(), time.Minute) // of a server whose clock is ahead
	h.record(t, ahead)
	h.record(t, sessionOf(bob, "his", start, 0))
	ended, err := h.users.EndSessions(t.Context(), identity.EndedSessions{UserID: ann, Until: time.Now(), Keep: "two"})
	if err != nil || !ended.Until.Equal(ahead.Issued) {
		t.Errorf("ended %+v, %v, want until %v", ended, err, ahead.Issued)
	}
	if own, his := h.listed(t, ann), h.listed(t, bob); !slices.Equal(own, []string{"two"}) ||
		!slices.Equal(his, []string{"his"}) {
		t.Errorf("left: %v and %v", own, his)
	}
	if _, r := h.revocations(t, start); len(r.Ended) != 1 || r.Ended[0].Keep != "two" || r.Ended[0].UserID != ann {
		t.Errorf("revoked %+v", r)
	}
	if _, err := h.users.EndSession(t.Context(), ann, "his"); !errors.Is(err, identity.ErrNoSession) {
		t.Errorf("somebody else's: %v", err)
	}
	if _, err := h.users.EndSessions(t.Context(),
		identity.EndedSessions{UserID: "nobody", Until: time.Now()}); !errors.Is(err, identity.ErrInvalidSession) {
		t.Errorf("of nobody: %v", err)
	}
}
