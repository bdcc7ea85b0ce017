package webtest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/waiting"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// A Redis that answers, but with errors, is away: who waits keeps the place, who presses gets one, lists of slots go
// on, and when Redis has recovered all are served, in order, and no seat twice.
func TestRedisFaults_AreRedisAway(t *testing.T) {
	t.Parallel()
	for _, fault := range dbtest.RedisFaults() {
		t.Run(fault.Reply, func(t *testing.T) {
			t.Parallel()
			pressThroughFault(t, fault)
		})
	}
}

// pressThroughFault lets six parties of two press for ten seats: two before the fault, two meanwhile, two after it.
func pressThroughFault(t *testing.T, fault dbtest.RedisFault) {
	server := dbtest.PrivateRedis(t)
	r := newHarnessWith(t, programtest.Setup{Redis: server.URL, Config: program.Config{Room: quickLines}})
	slot, people := r.slot("19:00"), r.crowd(t, 6)
	release := r.rival(t, slot)
	r.readiness(t, "ok")
	tickets := []string{r.line(t, people[0], slot), r.line(t, people[1], slot)}

	mend := fault.Begin(t, server)
	r.readiness(t, "degraded")
	tickets = append(tickets, r.line(t, people[2], slot), r.line(t, people[3], slot))
	r.goesOn(t, people[2], slot, tickets[2])
	mend()

	dbtest.Eventually(t, "Redis is back", func() bool {
		return r.get(t, person{}, "/readyz").json["status"] == "ok" && !r.byItself(t)
	})
	tickets = append(tickets, r.line(t, people[4], slot), r.line(t, people[5], slot))
	release()
	reserved, answers := 0, make([]ending, len(people))
	for i, who := range people {
		answers[i] = r.ended(t, who, tickets[i])
		if answers[i].state == "reserved" {
			reserved++
		}
	}
	if late := overtaken(answers, r); late != nil {
		t.Errorf("%v were reserved after others were turned away", late)
	}
	if n := r.seats(t, slot); reserved != 5 || n != 10 {
		t.Errorf("%d reserved, %d seats taken: %+v", reserved, n, answers)
	}
	r.press(t, people[0], "key-2", "wait=10", r.requestFor(r.slot("20:00"), 2)).want(t, 201, "")
	r.balances(t)
}

// A ticket that a Redis refuses to store, but not to look up, is known to its own instance only. Any other asks its
// diner to come back, and finds the ticket once Redis stores it; to nobody is it unknown meanwhile.
func TestRedisFaults_OtherInstancesAskToComeBack(t *testing.T) {
	t.Parallel()
	patient := quickLines
	patient.Lines.TTL = time.Hour // nobody is served without Redis
	server := dbtest.PrivateRedis(t)
	r := newHarnessWith(t, programtest.Setup{Redis: server.URL, Config: program.Config{Room: patient}})
	twin := r.twin(t)
	slot, who, other := r.slot("19:00"), r.diner(t, 0), r.diner(t, 0)
	defer r.rival(t, slot)()
	mend := dbtest.RedisFaults()[0].Begin(t, server)
	ticket, left := r.line(t, who, slot), r.line(t, other, slot)
	for what, a := range map[string]answer{
		"looking":  twin.get(t, who, "/api/tickets/"+ticket),
		"a stream": twin.get(t, who, "/api/tickets/"+ticket+"/events"),
		"leaving":  twin.delete(t, who, "/api/tickets/"+ticket),
		"the page": twin.page(t, who, views.TicketURL(ticket)),
	} {
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q", what, a.status, a.header.Get("Retry-After"))
		}
	}
	remembers := twin.do(t, call{method: http.MethodGet, path: "/",
		headers: map[string]string{"Cookie": "session=" + who.token + "; waiting=" + ticket}})
	if cookies := remembers.header.Values("Set-Cookie"); slices.ContainsFunc(cookies, func(c string) bool {
		return strings.HasPrefix(c, "waiting=")
	}) {
		t.Errorf("the browser is to forget the ticket: %v", cookies)
	}
	r.delete(t, other, "/api/tickets/"+left).want(t, 204, "")
	mend()
	dbtest.Eventually(t, "the other instance knows the ticket", func() bool {
		a := twin.get(t, who, "/api/tickets/"+ticket)
		if a.status != http.StatusOK {
			a.want(t, http.StatusServiceUnavailable, "unavailable")
		}
		return a.status == http.StatusOK
	})
}

func (r *harness) readiness(t *testing.T, status string) {
	t.Helper()
	dbtest.Eventually(t, "it says "+status, func() bool {
		return r.get(t, person{}, "/readyz").want(t, 200, "").json["status"] == status
	})
}

// line presses for two and returns the ticket. Who is served at once, or turned away, has none.
func (r *harness) line(t *testing.T, who person, slot booking.SlotKey) (ticket string) {
	t.Helper()
	a := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2))
	switch {
	case a.status == http.StatusCreated:
		return "reserved"
	case a.status == http.StatusConflict && a.json["code"] == "sold_out":
		return "rejected"
	}
	return a.want(t, 202, "").text(t, "ticket")
}

// ended waits for what became of a ticket.
func (r *harness) ended(t *testing.T, who person, ticket string) ending {
	t.Helper()
	out := ending{at: r, who: who, state: ticket}
	if ticket == "reserved" || ticket == "rejected" {
		return out
	}
	token, err := waiting.NewSigner(r.Setup.Config.Secrets).Read(ticket, who.id)
	dbtest.Must(t, err)
	out.arrival = token.Arrival
	dbtest.Eventually(t, "who waits is answered", func() bool {
		a := r.get(t, who, "/api/tickets/"+ticket)
		if a.status != http.StatusOK {
			t.Fatalf("a ticket was answered %d %s", a.status, a.raw)
		}
		out.state = a.text(t, "state")
		return out.state != "waiting"
	})
	return out
}

// goesOn asks for what goes on while Redis is away.
func (r *harness) goesOn(t *testing.T, who person, slot booking.SlotKey, ticket string) {
	t.Helper()
	if a := r.press(t, who, "key-1", "wait=0", r.requestFor(slot, 2)); a.status != 429 && a.status != 201 {
		t.Errorf("a repeat was answered %d %s", a.status, a.raw)
	}
	for _, path := range []string{
		"/api/restaurants", fmt.Sprintf("/api/restaurants/%d/slots?date=%s", slot.RestaurantID, slot.Date), "/api/wallet",
		"/api/reservations", "/api/tickets/" + ticket,
	} {
		if a := r.get(t, who, path); a.status != 200 {
			t.Errorf("%s was answered %d %s", path, a.status, a.raw)
		}
	}
	for _, path := range []string{"/", views.RestaurantURL(r.restaurant.Slug), views.TicketURL(ticket)} {
		if a := r.page(t, who, path); a.status != 200 && a.status != http.StatusSeeOther {
			t.Errorf("%s was answered %d", path, a.status)
		}
	}
}

// disguise makes the error replies of a Redis say nothing of what they mean.
type disguise struct{}

// oddReply is an error reply with a code that nobody knows.
type oddReply string

func (r oddReply) Error() string { return string(r) }
func (oddReply) RedisError()     {}

func (disguise) DialHook(next redis.DialHook) redis.DialHook { return next }

func (disguise) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if redis.HasErrorPrefix(err, "OOM") {
			err = oddReply("ODD " + err.Error())
			cmd.SetErr(err)
		}
		return err
	}
}

func (disguise) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// What the test above shows is locks.IsAway's doing: a reply that it does not know fails the request.
func TestRedisFaults_AnUnknownReplyFailsThePress(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	r := newHarnessWith(t, programtest.Setup{Redis: server.URL, Config: program.Config{Room: quickLines}})
	r.Redis.AddHook(disguise{})
	dbtest.RedisFaults()[0].Begin(t, server)
	response, err := agent.Do(r.request(t, call{method: http.MethodPost, path: "/api/reservations", as: r.diner(t, 0),
		body:    r.requestFor(r.slot("19:00"), 2),
		headers: map[string]string{"Idempotency-Key": "key-1", "Prefer": "wait=0"}}))
	dbtest.Must(t, err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusInternalServerError {
		t.Errorf("answered %d", response.StatusCode)
	}
}
