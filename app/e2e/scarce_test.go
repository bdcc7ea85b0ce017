package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
)

// TestScarce has a crowd want each scarce thing at the same moment at two server processes that share nothing but
// PostgreSQL and Redis: everybody is answered, as many get it as there are, and the books balance.
func TestScarce(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t, "LIMIT_CHANGES=1000") // one of them charges hundreds of times
	c := contest{sites: []*product{p, p.beside()}, tokens: p.seedDiners(contenders)}
	for _, scarce := range []struct {
		name string
		race func(*testing.T, contest)
	}{
		{"seats", raceForSeats},
		{"one seat", raceForOneSeat},
		{"portions", raceForPortions},
		{"coupons", raceForCoupons},
		{"one charge", repeatACharge},
		{"one wallet", chargeOneWallet},
		{"holds of one account", holdWithOneAccount},
	} {
		t.Run(scarce.name, func(t *testing.T) { scarce.race(t, c) })
	}
	p.run("audit") // whether anything was sold twice, and the books balance
}

// beside starts another server process on the same PostgreSQL and Redis.
func (p *product) beside(settings ...string) *product {
	p.t.Helper()
	other := *p
	other.settings = append(slices.Clone(p.settings), settings...)
	other.url = ""
	other.start("127.0.0.1:0")
	p.t.Cleanup(other.kill)
	return &other
}

// contenders is how many want a thing at once.
const contenders = 200

// contest is a crowd, half of it at each server process.
type contest struct {
	sites  []*product
	tokens []string
}

// attempt is what a contender sends.
type attempt struct {
	path  string
	body  body
	key   string // of the press; "" for one of its own
	token string // of whom it is sent for; "" for the contender
}

// race sends a attempt of every contender at the same moment and counts the answers by status and code. Who has to wait
// asks again with the same key.
func (c contest) race(t *testing.T, of func(contender int) attempt) map[string]int {
	t.Helper()
	answers := map[string]int{}
	var mu sync.Mutex
	var crowd sync.WaitGroup
	start := make(chan struct{})
	for i, token := range c.tokens {
		d := diner{product: c.sites[i%len(c.sites)].in(t), token: token}
		w := of(i)
		if w.token != "" {
			d.token = w.token
		}
		crowd.Go(func() {
			<-start
			answer := d.insistOn(w)
			mu.Lock()
			defer mu.Unlock()
			answers[answer]++
		})
	}
	close(start)
	crowd.Wait()
	return answers
}

// insistOn asks until the answer is another one than to wait.
func (d diner) insistOn(w attempt) string {
	if w.key == "" {
		w.key = rand.Text()
	}
	for {
		status, answer, err := d.try(http.MethodPost, w.path, w.body, "Idempotency-Key", w.key, "Prefer", "wait=10")
		var problem struct{ Code string }
		switch {
		case err != nil:
			return err.Error()
		case json.Unmarshal(answer, &problem) != nil:
			return string(answer)
		case problem.Code != "waiting":
			return fmt.Sprintf("%d %s", status, problem.Code)
		}
	}
}

// want fails the test unless so many contenders got the thing and all others got the reason why they did not.
func want(t *testing.T, answers map[string]int, got int, refusal string) {
	t.Helper()
	if answers["201 "] != got || answers[refusal] != contenders-got {
		t.Errorf("the answers were %v, want %d times 201 and %d times %s", answers, got, contenders-got, refusal)
	}
}

func raceForSeats(t *testing.T, c contest) {
	s := c.sites[0].in(t).freeSlot("sotbul", 2)
	c.sites[0].in(t).setCapacity(s, 2*30)
	answers := c.race(t, func(int) attempt { return attempt{path: "/api/reservations", body: s.order()} })
	want(t, answers, 30, "409 sold_out")
}

// raceForOneSeat has everybody want the same seat of the map.
func raceForOneSeat(t *testing.T, c contest) {
	p := c.sites[0].in(t)
	s := p.freeSlotFrom("sushi-harugyeol", 1, firstDay+1) // those who got seats have no time on the first day
	var room struct{ Seats []struct{ ID int64 } }
	diner{product: p}.call(http.MethodGet, fmt.Sprintf("/api/restaurants/%d/seats?date=%s&time=%s", s.restaurantID,
		s.date, s.time),
		http.StatusOK, nil, &room)
	order := s.order()
	order["seatIds"] = []int64{room.Seats[0].ID}
	answers := c.race(t, func(int) attempt { return attempt{path: "/api/reservations", body: order} })
	want(t, answers, 1, "409 seat_taken")
}

func raceForPortions(t *testing.T, c contest) {
	p := c.sites[0].in(t)
	s := p.freeSlot("sotbul", 2)
	p.setCapacity(s, 2*contenders)
	dish := p.number(`SELECT id FROM menu_items WHERE restaurant_id = $1 ORDER BY id DESC LIMIT 1`, s.restaurantID)
	p.exec(`INSERT INTO menu_stock (menu_item_id, service_date, offered, remaining) VALUES ($1, $2, 45, 45)`,
		dish, s.date)
	order := s.order()
	order["items"] = []body{{"menuItemId": dish, "quantity": 1}}
	answers := c.race(t, func(int) attempt { return attempt{path: "/api/reservations", body: order} })
	want(t, answers, 45, "409 out_of_stock")
}

func raceForCoupons(t *testing.T, c contest) {
	p := c.sites[0].in(t)
	id := p.number(`INSERT INTO coupons (slug, name_ko, use, amount, total, opens_at, closes_at, valid_until)
		VALUES ('contest', '선착순', 'deposit', 5000, 60, now(), now() + interval '1 hour', now() + interval '1 day') RETURNING id`)
	answers := c.race(t, func(int) attempt { return attempt{path: fmt.Sprintf("/api/coupons/%d/claims", id)} })
	want(t, answers, 60, "409 sold_out")
}

// repeatACharge has one diner's program send the same charge from many places at once: it counts once, and every answer
// says that it was made.
func repeatACharge(t *testing.T, c contest) {
	owner := c.sites[0].in(t).newDiner(0)
	answers := c.race(t, func(int) attempt {
		return attempt{path: "/api/wallet/charges", body: body{"amount": 10_000}, key: "one-charge", token: owner.token}
	})
	want(t, answers, contenders, "")
	owner.owns(10_000)
}

// chargeOneWallet has one diner's program send as many charges at once: all of them count.
func chargeOneWallet(t *testing.T, c contest) {
	owner := c.sites[0].in(t).newDiner(0)
	answers := c.race(t, func(int) attempt {
		return attempt{path: "/api/wallet/charges", body: body{"amount": 1_000}, token: owner.token}
	})
	want(t, answers, contenders, "")
	owner.owns(contenders * 1_000)
}

// owns fails the test unless the diner's wallet has so many won.
func (d diner) owns(won int64) {
	d.t.Helper()
	var wallet struct{ Balance int64 }
	d.call(http.MethodGet, "/api/wallet", http.StatusOK, nil, &wallet)
	if wallet.Balance != won {
		d.t.Errorf("the wallet has %d won, want %d", wallet.Balance, won)
	}
}

// holdWithOneAccount has an account press for ten slots at both processes at once: it holds three tables then.
func holdWithOneAccount(t *testing.T, c contest) {
	account := c.sites[0].in(t).seedDiners(1)[0]
	slots := make([]slot, 10)
	for i := range slots {
		slots[i] = c.sites[0].in(t).freeSlot("sotbul", 2)
	}
	answers := c.race(t, func(i int) attempt {
		return attempt{path: "/api/reservations", body: slots[i/2%len(slots)].order(), token: account}
	})
	if answers["201 "] != 3 || answers["409 too_many_holds"] == 0 {
		t.Errorf("the answers were %v, want 3 times 201", answers)
	}
}
