package webtest

import (
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/views"
)

// Where letters are neither sent nor those of a demo, nobody reads one that is somebody else's, nothing is promised that
// rests on one, and the log says so.
func TestLetters_WithoutAMailServerOnlyADemoShowsThem(t *testing.T) {
	t.Parallel()
	var log lockedText
	r := newHarnessWith(t, programtest.Setup{NoDemo: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.page(t, owner, views.MailboxURL()).is(t, 404)
	of := func(format string) string { return fmt.Sprintf(format, r.restaurant.ID) }
	for path, body := range map[string]map[string]any{
		"/api/sessions/links":                       {"email": "stranger@example.org"},
		"/api/account/email":                        {"email": "stranger@example.org", "password": "x"},
		"/api/account/email/confirmation":           nil,
		of("/api/staff/restaurants/%d/invitations"): {"email": "stranger@example.org", "role": "owner"},
	} {
		r.post(t, owner, path, "", body).want(t, 409, "no_letters")
	}
	form := url.Values{views.FieldEmail: {"stranger@example.org"}, views.FieldRole: {"owner"}}
	for _, path := range []string{"/signin/link", "/account/email", "/account/email/confirmation",
		of("/staff/restaurants/%d/team/invitations")} {
		r.send(t, owner, path, form).is(t, 409).has(t, "메일을 보내지 않")
	}
	r.send(t, person{}, "/signup", url.Values{views.FieldEmail: {"new@example.org"}, views.FieldName: {"김손님"},
		views.FieldPhone: {"010-1234-5678"}, views.FieldPassword: {"correct horse"}}).is(t, 200).
		has(t, "메일을 보내지 않").hasNot(t, "메일을 확인해 주세요")
	if strings.Count(log.String(), "level=ERROR") != 1 || !strings.Contains(log.String(), "SMTP_URL is not set") {
		t.Errorf("the log: %s", log.String())
	}
	demo := newHarness(t)
	demo.page(t, demo.diner(t, 0), views.MailboxURL()).is(t, 200)
}

// lockedText is text that many may write.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
