package booking

import (
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// order is a request for two that orders so many of each item, in the order of the numbers.
func order(user string, quantities ...int) Request {
	req := request(user, 2)
	for i, n := range quantities {
		if n > 0 {
			req.Items = append(req.Items, Item{MenuItemID: int64(i + 1), Quantity: n})
		}
	}
	return req
}

func TestDecide_SellsDishesInArrivalOrder(t *testing.T) {
	t.Parallel()
	state := SlotState{Slots: []Occupancy{{Capacity: 100}}, Stock: Stock{1: 3, 3: 1}}
	before := maps.Clone(state.Stock)
	outcomes, after := Decide(state, []Request{
		order("ann", 2, 50), order("bob", 2, 0, 2), order("cem", 1), order("dan", 1), order("eve", 0, 9),
	})
	for i, reserves := range []bool{true, false, true, false, true} {
		if outcomes[i].Reserves() != reserves {
			t.Errorf("%s: %+v, want reserves %v", outcomes[i].Request.UserID, outcomes[i].Err, reserves)
		}
	}
	var short *OutOfStockError
	if !errors.As(outcomes[1].Err, &short) || !reflect.DeepEqual(short.Items, []Shortage{{1, 1}, {3, 1}}) {
		t.Errorf("bob's error: %v, want one of each left", outcomes[1].Err)
	}
	if !errors.As(outcomes[3].Err, &short) || !reflect.DeepEqual(short.Items, []Shortage{{1, 0}}) {
		t.Errorf("dan's error: %v, want none left", outcomes[3].Err)
	}
	if after[0].Held != 6 {
		t.Errorf("%d seats are held, want those of three parties", after[0].Held)
	}
	if !maps.Equal(state.Stock, before) {
		t.Errorf("it changed what it was given: %v", state.Stock)
	}
}

func TestDecide_ReportsSoldOutBeforeOutOfStock(t *testing.T) {
	t.Parallel()
	outcomes, _ := Decide(SlotState{Slots: []Occupancy{{Capacity: 1}}, Stock: Stock{1: 0}}, []Request{order("ann", 1)})
	var full *SoldOutError
	if !errors.As(outcomes[0].Err, &full) {
		t.Errorf("got %v, want sold out", outcomes[0].Err)
	}
}

// For random runs, sold portions never exceed the stock, and a request refused for a dish asked for more than was left.
func TestDecide_NeverOversellsDishes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 2))
		left := Stock{1: random.IntN(20), 2: random.IntN(20)} // the third is not limited
		var run []Request
		for i := range random.IntN(40) {
			run = append(run, order(string(rune('a'+i)), random.IntN(4), random.IntN(4), random.IntN(4)))
		}
		outcomes, _ := Decide(SlotState{Slots: []Occupancy{{Capacity: 1_000}}, Stock: left}, run)
		for _, o := range outcomes {
			fits := !slices.ContainsFunc(o.Request.Items, func(it Item) bool {
				n, limited := left[it.MenuItemID]
				return limited && it.Quantity > n
			})
			if o.Reserves() != fits {
				t.Fatalf("seed %d: %+v with %v left: %v", seed, o.Request.Items, left, o.Err)
			}
			if fits {
				left.take(o.Request.Items)
			}
		}
	}
}
