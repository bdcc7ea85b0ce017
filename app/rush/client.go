package rush

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// client is how a diner speaks with an instance: as programs do, or as browsers do.
type client interface {
	// greeting is what the diner asks for before the moment, and greeted takes the answer in.
	greeting(d *diner) request
	greeted(d *diner, response *http.Response, body []byte) error
	press(d *diner) request
	// follow is what comes after the press: a page, or the stream of the ticket.
	follow(d *diner) request
	// read takes in an answer that is not a stream, and returns how long to wait before the next step. An answer
	// outside the contract is an error; one that says that the request is wrong ends the diner's wait too, since it
	// would stay wrong.
	read(d *diner, response *http.Response, body []byte) (again time.Duration, err error)
	// hear takes in an event of the stream, and says whether it was the last.
	hear(d *diner, e event) (last bool, err error)
}

var (
	_ client = program{}
	_ client = (*browser)(nil)
)

// Words of streams of either kind.
const (
	eventDone   = "done"
	eventStream = "text/event-stream"
)

// request is what a client asks an instance for.
type request struct {
	method string
	path   string
	header http.Header
	body   []byte
}

// draft is what a diner presses for.
type draft struct {
	Slot
	Page  string // of the restaurant
	Party int
}

// json is the draft as programs write it.
func (w draft) json() []byte {
	body, _ := json.Marshal(map[string]any{ // of texts and numbers it never fails
		"restaurantId": w.RestaurantID,
		"date":         w.Date,
		"time":         w.Time,
		"partySize":    w.Party,
	})
	return body
}

// query is the draft as forms have it.
func (w draft) query() url.Values {
	return url.Values{"date": {w.Date}, "time": {w.Time}, "party": {strconv.Itoa(w.Party)}}
}
