package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/db/dbtest"
)

// upload is a picture that is sent except for its last bytes.
type upload struct{ net.Conn }

// staffSession is the session of somebody with a role at the harness's restaurant.
func (h *harness) staffSession(role identity.Role) string {
	h.t.Helper()
	user := h.diner(0)
	h.must(h.Stores.Seeds.PutStaff(h.t.Context(), user.ID, identity.Membership{RestaurantID: h.restaurant.ID, Role: role}))
	token, _ := h.Identity.Sessions.Issue(user.ID)
	return token
}

// upload begins to send the largest picture. What a server that refuses it does not read is not sent.
func (h *harness) upload(session string) upload {
	h.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
	h.must(err)
	h.t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /api/staff/restaurants/%d/pictures HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n"+
		"Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", h.restaurant.ID, session, respond.MaxUpload)
	h.must(err)
	go func() { _, _ = conn.Write(make([]byte, respond.MaxUpload-heldBack)) }()
	return upload{conn}
}

const heldBack = 10 // bytes

// answer is the status of the answer; 0 if there is none while the body is not complete.
func (u upload) answer(t *testing.T, within time.Duration) int {
	t.Helper()
	_ = u.SetReadDeadline(time.Now().Add(within))
	answer, err := http.ReadResponse(bufio.NewReader(u), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

// Who may not send a picture, or has no room for it, is refused before its bytes are read; room comes back when a
// sender hangs up.
func TestUploads_AreRefusedBeforeTheyAreRead(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	stranger, _ := h.Identity.Sessions.Issue(h.diner(0).ID)
	for name, try := range map[string]struct {
		session string
		status  int
	}{
		"nobody":  {"", http.StatusUnauthorized},
		"a diner": {stranger, http.StatusNotFound},
		"a host":  {h.staffSession(identity.RoleHost), http.StatusForbidden},
	} {
		if got := h.upload(try.session).answer(t, dbtest.Patience); got != try.status {
			t.Errorf("%s: %d, want %d", name, got, try.status)
		}
	}
	const accounts, each, room = 4, 2, 5 // 64 MB hold five pictures of 12 MB
	sessions := make([]string, accounts)
	var reading []upload
	for i := range sessions {
		sessions[i] = h.staffSession(identity.RoleManager)
		for range each {
			sent := h.upload(sessions[i])
			want := 0
			patience := 300 * time.Millisecond
			if len(reading) == room {
				want, patience = http.StatusServiceUnavailable, dbtest.Patience
			}
			if got := sent.answer(t, patience); got != want {
				t.Fatalf("the upload after %d that go on: %d, want %d", len(reading), got, want)
			}
			if want == 0 {
				reading = append(reading, sent)
			}
		}
		if len(reading) == each {
			if got := h.upload(sessions[i]).answer(t, dbtest.Patience); got != http.StatusServiceUnavailable {
				t.Errorf("the third upload of one account: %d", got)
			}
		}
	}
	for range 80 {
		if got := h.upload(sessions[0]).answer(t, dbtest.Patience); got != http.StatusServiceUnavailable {
			t.Fatalf("without room: %d", got)
		}
	}
	_ = reading[0].Close()
	dbtest.Eventually(t, "a sender who hung up makes room", func() bool {
		return h.upload(sessions[accounts-1]).answer(t, 300*time.Millisecond) == 0
	})
	_, err := reading[1].Write(bytes.Repeat([]byte{1}, heldBack))
	h.must(err)
	if got := reading[1].answer(t, dbtest.Patience); got != http.StatusUnprocessableEntity {
		t.Errorf("an upload of nonsense that was waited for: %d", got)
	}
}
