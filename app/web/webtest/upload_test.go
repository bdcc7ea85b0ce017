package webtest

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// slowRequest is a POST of which a part is sent.
type slowRequest struct {
	conn net.Conn
	rest string // of the body
}

// begin sends the head of a request and half of its body.
func (r *harness) begin(t *testing.T, path, token, body string) slowRequest {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	half := len(body) / 2
	_, err = fmt.Fprintf(conn,
		"POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: image/jpeg\r\n"+
			"Content-Length: %d\r\n\r\n%s", path, token, len(body), body[:half])
	dbtest.Must(t, err)
	return slowRequest{conn, body[half:]}
}

// answer reads the status; 0 when the server has ended the connection.
func (s slowRequest) answer() int {
	a, err := http.ReadResponse(bufio.NewReader(s.conn), nil)
	if err != nil {
		return 0
	}
	_ = a.Body.Close()
	return a.StatusCode
}

// A picture may come slowly, from who is signed in; any other body may not, nor a picture from anybody else. That those
// are refused is also the sign that the usual time is over, while the picture is half sent.
func TestUploads_SlowPicturesAreReadSlowFormsAreNot(t *testing.T) {
	t.Parallel()
	setup := programtest.Setup{}
	setup.Config.Web.ReadTimeout = 300 * time.Millisecond
	r := newHarnessWith(t, setup)
	chef := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	file, path := photo(t, color.Gray{40}), r.api(r.restaurant.ID, "pictures")
	slow := r.begin(t, path, chef.token, file)
	for name, refused := range map[string]slowRequest{
		"a form":                           r.begin(t, views.SetupPageURL(r.restaurant.ID, views.SetupBasics), chef.token, strings.Repeat("a=b&", 9)),
		"a picture of nobody":              r.begin(t, path, "made-up", file[:len(file)/2]),
		"a document that is small by rule": r.begin(t, r.api(r.restaurant.ID, "hours"), chef.token, "{}"),
	} {
		if status := refused.answer(); status != http.StatusRequestTimeout && status != 0 {
			t.Errorf("%s is answered %d", name, status)
		}
	}
	if _, err := io.WriteString(slow.conn, slow.rest); err != nil {
		t.Fatal(err)
	}
	if status := slow.answer(); status != http.StatusCreated {
		t.Errorf("the picture: %d", status)
	}
}

// A file that was sent before is found by its hash: it is not decoded, and nothing is written about it.
func TestUploads_TheSameFileIsDecodedOnce(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	chef := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	by, err := r.Bookings.Staff(t.Context(), chef.id, r.restaurant.ID)
	dbtest.Must(t, err)
	file := []byte(photo(t, color.Gray{41}))
	first, err := r.Contents.AddPicture(t.Context(), by, r.restaurant.ID, file)
	if err != nil || len(first.Large.JPEG) == 0 {
		t.Fatal(err)
	}
	again, err := r.Contents.AddPicture(t.Context(), by, r.restaurant.ID, file)
	if err != nil || again.Hash != first.Hash || again.Width != first.Width || len(again.Large.JPEG) != 0 {
		t.Errorf("again: %.9s %d, %d bytes, %v", again.Hash, again.Width, len(again.Large.JPEG), err)
	}
	if n := r.audited(t, "setup.picture"); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
}
