package accounts_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

func (h *harness) revocations(t *testing.T, since time.Time) (ids []string, r identity.Revocations) {
	t.Helper()
	r, err := h.Users.ListRevocations(t.Context(), since)
	dbtest.Must(t, err)
	for _, session := range r.Sessions {
		ids = append(ids, session.ID)
	}
	slices.Sort(ids)
	return ids, r
}

func (h *harness) listed(t *testing.T, userID string) (ids []string) {
	t.Helper()
	records, err := h.Users.ListSessions(t.Context(), userID)
	dbtest.Must(t, err)
	for _, record := range records {
		ids = append(ids, record.ID)
	}
	return ids
}

func TestRevokeSession_IsListedUntilItExpires(t *testing.T) {
	t.Parallel()
	h := setup(t)
	long := time.Now().Add(-time.Hour)
	if ids, r := h.revocations(t, long); len(ids) != 0 || !r.Latest.Equal(long) {
		t.Errorf("at first %v, latest %v", ids, r.Latest)
	}
	live := testkit.SessionOf("ann", "live", time.Now(), 0)
	over := testkit.SessionOf("ann", "over", time.Now().Add(-identity.SessionLife), -time.Minute)
	for _, session := range []identity.Session{live, over} {
		for range 2 { // signing out twice is no error
			dbtest.Must(t, h.Users.RevokeSession(t.Context(), session))
		}
	}
	ids, r := h.revocations(t, long)
	if !slices.Equal(ids, []string{"live"}) || !r.Latest.After(long) || !r.Sessions[0].Issued.Equal(live.Issued) {
		t.Errorf("revoked %+v", r)
	}
	if ids, _ := h.revocations(t, r.Latest.Add(time.Minute)); len(ids) != 0 {
		t.Errorf("after the latest there are %v", ids)
	}
	dbtest.Must(t, h.Users.RevokeSession(t.Context(), testkit.SessionOf("bob", "another", time.Now(), 0)))
	if n := h.Count(t, `SELECT count(*) FROM revoked_sessions WHERE session_id = 'over'`); n != 0 {
		t.Error("an expired one is kept")
	}
}

// What a person signs out of one by one takes a bounded number of rows: beyond it, all that is older has ended.
func TestRevokeSession_ListStaysBounded(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann, start := h.Diners(t, 1, 0)[0], time.Now().Add(-time.Hour)
	old := testkit.SessionOf(ann, "old", start, -time.Second)
	h.Record(t, old)
	for i := range accounts.MaxRevoked + 5 {
		session := testkit.SessionOf(ann, fmt.Sprintf("s%03d", i), start, time.Duration(i)*time.Second)
		h.Record(t, session)
		dbtest.Must(t, h.Users.RevokeSession(t.Context(), session))
	}
	ids, r := h.revocations(t, start)
	until := testkit.SessionOf(ann, "", start, 4*time.Second).Issued
	if len(ids) != accounts.MaxRevoked || len(r.Ended) != 1 || !r.Ended[0].Until.Equal(until) || r.Ended[0].Keep != "" {
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
	ann, start := h.Diners(t, 1, 0)[0], time.Now().Add(-time.Hour)
	h.Record(t, testkit.SessionOf(ann, "expired", start, -identity.SessionLife))
	for i := range identity.MaxSessions + 2 {
		h.Record(t, testkit.SessionOf(ann, fmt.Sprintf("s%03d", i), start, time.Duration(i)*time.Second))
	}
	ids := h.listed(t, ann)
	if len(ids) != identity.MaxSessions || ids[0] != "s051" || ids[len(ids)-1] != "s002" {
		t.Errorf("%d sessions: %v", len(ids), ids)
	}
	_, r := h.revocations(t, start)
	if until := testkit.SessionOf(ann, "", start, time.Second).Issued; len(r.Ended) != 1 ||
		!r.Ended[0].Until.Equal(until) {
		t.Errorf("ended %+v, want until %v", r.Ended, until)
	}
	if n := h.Count(t, `SELECT count(*) FROM user_sessions WHERE session_id = 'expired'`); n != 0 {
		t.Error("an expired one is kept")
	}
}

func TestEndSessions_KeepsOne(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann, bob, start := h.Diners(t, 1, 0)[0], h.Diners(t, 1, 0)[0], time.Now().Add(-time.Hour)
	for i, session := range []string{"one", "two", "three"} {
		h.Record(t, testkit.SessionOf(ann, session, start, time.Duration(i)*time.Second))
	}
	ahead := testkit.SessionOf(ann, "ahead", time.Now(), time.Minute) // of a server whose clock is ahead
	h.Record(t, ahead)
	h.Record(t, testkit.SessionOf(bob, "his", start, 0))
	ended, err := h.Users.EndSessions(t.Context(), identity.EndedSessions{UserID: ann, Until: time.Now(), Keep: "two"})
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
	if _, err := h.Users.EndSession(t.Context(), ann, "his"); !errors.Is(err, identity.ErrNoSession) {
		t.Errorf("somebody else's: %v", err)
	}
	if _, err := h.Users.EndSessions(t.Context(),
		identity.EndedSessions{UserID: "nobody", Until: time.Now()}); !errors.Is(err, identity.ErrInvalidSession) {
		t.Errorf("of nobody: %v", err)
	}
}
