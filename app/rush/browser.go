package rush

import (
	"bytes"
	"compress/gzip"
	"errors"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// browser speaks for a diner as a browser does: it sends the form of a page, is led from page to page, and watches the
// part of the waiting page that its stream brings. It keeps one connection, as a proxy does for a browser that has one
// of HTTP/2. What browsers keep, style and scripts, it does not ask for.
type browser struct {
	cookies map[string]string
	page    string // that it is led to, and has not loaded yet
	stream  string // of the waiting page that it shows
}

// Words of the pages, which a browser shows and does not understand.
const (
	sessionCookie    = "session"
	tlsSessionCookie = "__Host-session"
	keyField         = "idempotency_key"
	outcomeMark      = `data-outcome="`
	streamMark       = `sse-connect="`
	positionMark     = `data-position="`
)

var errNoForm = errors.New("the page of the booking form has no form")

func newBrowser(token string, s server) *browser {
	name := sessionCookie
	if s.name != "" {
		name = tlsSessionCookie
	}
	return &browser{cookies: map[string]string{name: token}}
}

// header is what a browser says with every request.
func (b *browser) header(accept string) http.Header {
	var cookies []string
	for _, name := range slices.Sorted(maps.Keys(b.cookies)) {
		cookies = append(cookies, name+"="+b.cookies[name])
	}
	return http.Header{"Accept": {accept}, "Accept-Encoding": {"gzip"}, "Accept-Language": {"ko"},
		"Cookie": {strings.Join(cookies, "; ")}, "Sec-Fetch-Site": {"same-origin"}}
}

// greeting asks for the booking form, which people have open before the moment of a rush.
func (b *browser) greeting(d *diner) request {
	return request{http.MethodGet, d.draft.Page + "/book?" + d.draft.query().Encode(), b.header("text/html"), nil}
}

// greeted takes the key of the form, by which its presses are one.
func (b *browser) greeted(d *diner, response *http.Response, body []byte) error {
	page, err := b.text(response, body)
	if err != nil {
		return err
	}
	_, input, found := strings.Cut(page, `name="`+keyField+`"`)
	if d.key = quoted(input, `value="`); !found || d.key == "" {
		return errNoForm
	}
	return nil
}

func (b *browser) press(d *diner) request {
	form := d.draft.query()
	form.Set(keyField, d.key)
	header := b.header("text/html")
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	return request{http.MethodPost, d.draft.Page + "/reservations", header, []byte(form.Encode())}
}

func (b *browser) follow(d *diner) request {
	switch {
	case b.page != "":
		return request{http.MethodGet, b.page, b.header("text/html"), nil}
	case b.stream != "":
		return request{http.MethodGet, b.stream, b.header("text/event-stream"), nil}
	}
	return request{http.MethodGet, "/tickets/" + d.answer.Ticket, b.header("text/html"), nil} // after a failure
}

// read takes in a page, or where it leads.
func (b *browser) read(d *diner, response *http.Response, body []byte) (again time.Duration, err error) {
	for _, cookie := range response.Cookies() {
		b.cookies[cookie.Name] = cookie.Value
	}
	if isLater(response) {
		return d.comeBack(response), nil
	}
	if response.StatusCode == http.StatusSeeOther {
		return 0, b.lead(d, response.Header.Get("Location"))
	}
	page, err := b.text(response, body)
	if err != nil {
		return 0, err
	}
	switch {
	case d.answer.ReservationID != "" && response.StatusCode == http.StatusOK:
		d.answer.Outcome = reserved
	case strings.Contains(page, streamMark) && response.StatusCode == http.StatusOK:
		b.page, b.stream = "", html.UnescapeString(quoted(page, streamMark))
		d.noteMove([]byte(page), positionMark)
	case strings.Contains(page, outcomeMark):
		d.conclude(reply{State: stateRejected, Code: quoted(page, outcomeMark)})
	default:
		if isWrong(response.StatusCode) {
			d.answer.Outcome = other
		}
		return 0, unexpected(response.StatusCode, []byte(page))
	}
	return 0, nil
}

// lead notes the page that a browser loads next.
func (b *browser) lead(d *diner, location string) error {
	to, err := url.Parse(location)
	if err != nil {
		return err
	}
	parts := strings.Split(strings.TrimPrefix(to.Path, "/"), "/")
	b.page, b.stream = to.RequestURI(), ""
	switch {
	case len(parts) >= 2 && parts[0] == "tickets":
		d.enter(parts[1])
	case len(parts) >= 2 && parts[0] == "reservations":
		d.answer.ReservationID = parts[1]
	default:
		return errors.New("led to " + location)
	}
	return nil
}

// hear takes in an event of the waiting page. After the last one the browser asks where the ticket has led.
func (b *browser) hear(d *diner, e event) (last bool, err error) {
	if e.name == eventDone {
		b.page, b.stream = "/tickets/"+d.answer.Ticket, ""
		return true, nil
	}
	d.noteMove(e.data, positionMark)
	return false, nil
}

// text is a page as it was before it was compressed.
func (b *browser) text(response *http.Response, body []byte) (string, error) {
	if response.Header.Get("Content-Encoding") != "gzip" {
		return string(body), nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	page, err := io.ReadAll(reader)
	return string(page), err
}

// quoted is what stands in a page from a mark to the next quotation mark; empty without the mark.
func quoted(page, mark string) string {
	_, rest, _ := strings.Cut(page, mark)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}
