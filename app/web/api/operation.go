package api

import (
	"cmp"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

// group is what programs can do about one thing; the description's tag.
type group struct {
	name, about string
	operations  []operation
}

// operation is one thing that programs can do: its route, who may use it, what bounds it, what it takes and gives. To
// register it is to describe it: nothing under /api is routed otherwise.
type operation struct {
	route   string // "POST /reservations/{id}/payment", below /api
	id      string // unique; names the call in programs that are made from the description
	summary string
	text    string // what the summary does not say

	right   access.Right
	greets  bool  // who is signed in reads more
	limit   limit // that it counts towards, besides the one of all requests
	letters bool  // rests on a letter
	unshed  bool  // asks the database nothing while a rush is on, so it passes no load shedder
	outward bool  // may wait for the payment provider, so it passes a load shedder of its own

	path    []parameter // those that are not what paths says of their name
	query   []parameter
	paged   bool     // a page of a list: after, limit
	key     key      // what it wants of an Idempotency-Key
	waits   bool     // may stand in a line: heeds Prefer, and answers with a ticket
	version bool     // of a document: ETag, and for a PUT If-Match
	lacks   bool     // the body may be missing
	most    int      // bytes of the body, if not maxBody
	files   []string // media types of the body, if that is a file

	status  int      // of the answer; 0: 200, or 204 where it has no body
	gives   any      // its body, as a value of the type that is encoded; nil: what run says
	says    string   // what the answer is
	or      *answer  // what it is answered with as well; nil for nothing else
	located bool     // the last of the answers says in Location where the thing is
	media   []string // of the answer, if not JSON
	refuses []string // codes of outcomes, besides those that follow from the rest

	run call
}

// answer is what an operation that comes true is answered with.
type answer struct {
	status int
	of     any // a value of the type that is encoded; nil: no body
	says   string
}

// whole is the operation with what follows from what it runs.
func (o operation) whole() operation {
	if o.gives == nil {
		o.gives = o.run.gives
	}
	if _, isPage := o.gives.(page); isPage {
		o.paged = true
	}
	usual := fiber.StatusOK
	if o.gives == nil {
		usual = fiber.StatusNoContent
	}
	o.status = cmp.Or(o.status, usual)
	return o
}

// page is a page of a list: its items are under a name.
type page struct {
	name string
	item any
}

// limit is a budget of requests.
type limit int

const (
	ofReads limit = iota
	ofPresses
	ofChanges
	ofStreams
)

// key is what an operation wants of an Idempotency-Key.
type key int

const (
	noKey key = iota
	mayHaveKey
	needsKey
)

// who says in words who may use an operation; empty for anybody.
func who(r access.Right) string {
	switch r {
	case access.Anyone:
		return ""
	case access.SignedIn:
		return "Needs a session."
	case access.Own:
		return "Needs the session of the person whose it is."
	case access.Operator:
		return "For operators."
	}
	var roles []string
	for _, role := range team.Roles() {
		if team.May(role, r.Action()) {
			roles = append(roles, string(role)+"s")
		}
	}
	return "For " + listed(roles) + " of the restaurant."
}

// listed joins words: "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func (o operation) method() string { return o.route[:strings.IndexByte(o.route, ' ')] }

// address is the whole path, with {name} for parameters.
func (o operation) address() string { return "/api" + o.route[strings.IndexByte(o.route, ' ')+1:] }

// reads says whether the operation changes nothing.
func (o operation) reads() bool { return o.method() == fiber.MethodGet }

// codes are those of all problems that the operation is answered with.
func (o operation) codes() []string {
	codes := []string{"bad_request", "too_large", "unsupported_media_type", "header_too_large", "invalid",
		"too_many_requests"}
	if !o.static() {
		codes = append(codes, "unavailable")
	}
	if o.right.NeedsSession() {
		codes = append(codes, "unauthenticated")
	}
	if !o.reads() {
		codes = append(codes, "cross_site")
	}
	if o.right == access.Operator || o.right.Action() != "" && !team.May(identity.RoleHost, o.right.Action()) {
		codes = append(codes, "forbidden")
	}
	if strings.Contains(o.route, "{") {
		codes = append(codes, "not_found")
	}
	if o.key == needsKey {
		codes = append(codes, "idempotency_key_required")
	}
	if o.key != noKey {
		codes = append(codes, "idempotency_key_invalid", "idempotency_key_reused")
	}
	if o.waits {
		codes = append(codes, respond.Waiting.Code, "in_progress", "overloaded", "line_full", "left", "removed",
			"wait_timeout")
	}
	if o.version && !o.reads() {
		codes = append(codes, "precondition_required", "changed_meanwhile")
	}
	if o.letters {
		codes = append(codes, "no_letters", "too_many_letters")
	}
	if o.limit == ofStreams {
		codes = append(codes, "too_many_streams")
	}
	return append(codes, o.refuses...)
}

// static says whether the operation answers the same to everybody, from memory.
func (o operation) static() bool { return o.unshed && o.right == access.Anyone }

// handlers are what a request passes, in order: the cheapest first.
func (o operation) handlers(gates respond.Gates) []fiber.Handler {
	handlers := []fiber.Handler{heed(o)}
	switch o.limit {
	case ofPresses:
		handlers = append(handlers, gates.Press)
	case ofChanges:
		handlers = append(handlers, gates.Change)
	case ofStreams:
		handlers = append(handlers, gates.Stream)
	}
	if o.letters {
		handlers = append(handlers, gates.Letters)
	}
	switch {
	case o.outward:
		handlers = append(handlers, gates.Provider)
	case !o.unshed:
		handlers = append(handlers, gates.Shed)
	}
	return append(handlers, o.right.Admit, o.run.handler(&o))
}

// pattern is the whole path as the router takes it.
func (o operation) pattern() string {
	return strings.NewReplacer("{", ":", "}", "").Replace(o.address())
}
