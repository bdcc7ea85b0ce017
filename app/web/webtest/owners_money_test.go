package webtest

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/db/dbtest"
)

// topUp gives an account money, as a refund would.
func (r *harness) topUp(t *testing.T, who person, amount int) {
	t.Helper()
	r.post(t, who, "/api/wallet/charges", rand.Text(), map[string]any{"amount": amount}).want(t, 201, "")
}

func (r *harness) payDeposit(t *testing.T, who person, id string) answer {
	t.Helper()
	return r.post(t, who, "/api/reservations/"+id+"/payment", rand.Text(), map[string]any{"kind": "deposit"})
}

func (r *harness) changeParty(t *testing.T, who person, id string, party, amount int) answer {
	t.Helper()
	return r.patch(t, who, "/api/reservations/"+id, rand.Text(),
		map[string]any{"partySize": party, "expectedAmount": amount})
}

// What the provisional account has paid comes back to it, and a change that the owner makes is paid out of its wallet:
// the money of a reservation moves in one wallet.
func TestOwner_LeavesMoneyWhereItCameFrom(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 100_000)
	r.topUp(t, o.provisional, 30_000)
	r.payDeposit(t, o.provisional, o.hold).want(t, 200, "")
	r.changeParty(t, o.owner.person, o.hold, 3, 10_000).want(t, 200, "")
	r.changeParty(t, o.owner.person, o.hold, 5, 20_000).want(t, 402, "balance_too_low")
	r.delete(t, o.owner.person, "/api/reservations/"+o.hold).want(t, 200, "")
	r.refunded(t, o.provisional, 30_000)
	r.refunded(t, o.owner.person, 100_000)
	r.balances(t)
}

// What the owner has paid comes back to the owner, also the difference of a change. Whoever made the provisional account
// has not shown that they have the address: they cannot have anything paid out of the owner's wallet.
func TestOwner_PaysFromTheirOwnWalletOnly(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 100_000)
	r.payDeposit(t, o.owner.person, o.hold).want(t, 200, "")
	r.topUp(t, o.provisional, 50_000)
	r.changeParty(t, o.provisional, o.hold, 3, 10_000).want(t, 402, "balance_too_low")
	r.changeParty(t, o.owner.person, o.hold, 3, 10_000).want(t, 200, "")
	r.refunded(t, o.owner.person, 70_000)
	r.changeParty(t, o.provisional, o.hold, 1, -20_000).want(t, 200, "")
	r.refunded(t, o.owner.person, 90_000)
	r.call(t, o.owner.person, http.MethodDelete, "/api/account", map[string]any{"password": knownPassword}).
		want(t, 409, "reservations_left")
	r.delete(t, o.provisional, "/api/reservations/"+o.hold).want(t, 200, "")
	r.refunded(t, o.owner.person, 100_000)
	r.refunded(t, o.provisional, 50_000)
	r.balances(t)
}

// What staff give back goes to who paid.
func TestOwner_GetsWhatStaffGiveBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	o := r.owning(t, 20_000)
	r.payDeposit(t, o.owner.person, o.hold).want(t, 200, "")
	_, err := r.Reservations.GiveBack(t.Context(), booking.GiveBack{ReservationID: o.hold, Amount: 5_000, Reason: "sorry",
		StaffID: r.staff(t, r.restaurant.ID).id, Key: rand.Text()})
	if err != nil {
		t.Fatal(err)
	}
	r.refunded(t, o.owner.person, 5_000)
	r.refunded(t, o.provisional, 0)
	r.balances(t)
}

// A reservation that was confirmed for nothing has no wallet yet: whoever makes it cost something pays.
func TestOwner_PaysForTheFirstChange(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.member(t, 100_000)
	made := r.introduced(t, owner.email)
	r.confirmed(t, made, true)
	res := r.press(t, made, "key-1", "wait=20", r.requestFor(r.slot("19:00"), 7)).want(t, 201, "")
	if id := res.text(t, "id"); res.text(t, "state") == "confirmed" {
		r.changeParty(t, owner.person, id, 2, 20_000).want(t, 200, "")
		r.refunded(t, owner.person, 80_000)
		r.changeParty(t, made, id, 3, 10_000).want(t, 402, "balance_too_low")
		r.delete(t, owner.person, "/api/reservations/"+id).want(t, 200, "")
		r.refunded(t, owner.person, 100_000)
	} else {
		t.Errorf("booked: %s", res.raw)
	}
	r.balances(t)
}

// Owner and provisional account pay at the same moment, from their wallets: one of them is charged, once, and gets it
// back; the other nothing.
func TestOwner_PaysAtOnceWithTheProvisionalAccount(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	paidBy := map[string]int{}
	for range 6 {
		o := owned{owner: r.member(t, 20_000)}
		o.provisional = r.introduced(t, o.owner.email)
		o.hold = r.seat(t, o.provisional, r.slot("19:00"), 1)
		r.topUp(t, o.provisional, 20_000)
		start := make(chan struct{})
		var race sync.WaitGroup
		for _, who := range []person{o.owner.person, o.provisional, o.owner.person, o.provisional} {
			race.Go(func() {
				<-start
				_, _ = r.Reservations.Pay(context.WithoutCancel(t.Context()), booking.PaymentOrder{ReservationID: o.hold,
					UserID: who.id, Kind: booking.Deposit, IdempotencyKey: rand.Text()})
			})
		}
		close(start)
		race.Wait()
		res := r.find(t, o.hold)
		paidBy[map[bool]string{true: "owner", false: "account"}[res.Wallet() == o.owner.id]]++
		if left := r.balance(t, o.owner.person) + r.balance(t, o.provisional); left != 30_000 || res.PaidAmount != 10_000 {
			t.Errorf("%d won left, %+v", left, res)
		}
		r.balances(t)
		r.delete(t, o.owner.person, "/api/reservations/"+o.hold).want(t, 200, "")
		r.refunded(t, o.owner.person, 20_000)
		r.refunded(t, o.provisional, 20_000)
	}
	r.balances(t)
	t.Log(paidBy)
}

// By card both may begin to pay: one payment is taken, and goes back to its card; the other is let go. Each sees their
// own; the owner both.
func TestOwner_PaysByCard(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	owner := r.member(t, 0)
	made := r.introduced(t, owner.email)
	id := r.seat(t, made, r.slot("19:00"), 2)
	theirs, first := r.beginPay(t, owner.person, id, "pay-1"), r.beginPay(t, made, id, "pay-2")
	r.get(t, made, "/api/payments/"+theirs).want(t, 404, "not_found")
	r.get(t, owner.person, "/api/payments/"+first).want(t, 200, "")
	r.page(t, owner.person, "/payments/"+first).is(t, 200)
	for _, payment := range []string{theirs, first} {
		bank.decide(payment, payments.StandAuthorised)
		r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	}
	dbtest.Eventually(t, "the owner's is taken", func() bool {
		return r.get(t, owner.person, "/api/payments/"+theirs).text(t, "state") == "paid" &&
			r.get(t, made, "/api/payments/"+first).text(t, "state") == "cancelled"
	})
	if res := r.find(t, id); res.Wallet() != owner.id || res.PaidAmount != 20_000 {
		t.Errorf("paid: %+v", res)
	}
	path := "/api/reservations/" + id
	r.changeByCard(t, made, path, "change-1", 3, 10_000).want(t, 402, "balance_too_low")
	change := r.changeByCard(t, owner.person, path, "change-2", 3, 10_000).want(t, 201, "").text(t, "paymentId")
	bank.decide(change, payments.StandAuthorised)
	r.report(t, "bank", change, "the bank's").want(t, 200, "")
	dbtest.Eventually(t, "the change is paid", func() bool {
		return r.get(t, owner.person, "/api/payments/"+change).text(t, "state") == "paid"
	})
	r.delete(t, owner.person, path).want(t, 200, "")
	r.refunded(t, owner.person, 0)
	dbtest.Eventually(t, "it is back on the card", func() bool {
		return r.get(t, owner.person, "/api/payments/"+theirs).text(t, "state") == "refunded" &&
			r.get(t, owner.person, "/api/payments/"+change).text(t, "state") == "refunded"
	})
	r.balances(t)
}

// What the provisional account paid by card the owner changes by card, and both go back there.
func TestOwner_ChangesByCardWhatTheAccountPaid(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	owner := r.member(t, 100_000)
	made := r.introduced(t, owner.email)
	id := r.seat(t, made, r.slot("19:00"), 2)
	first := r.beginPay(t, made, id, "pay-1")
	pay := func(payment string) {
		bank.decide(payment, payments.StandAuthorised)
		r.report(t, "bank", payment, "the bank's").want(t, 200, "")
		dbtest.Eventually(t, "it is paid", func() bool {
			return r.get(t, owner.person, "/api/payments/"+payment).text(t, "state") == "paid"
		})
	}
	pay(first)
	path := "/api/reservations/" + id
	r.changeParty(t, owner.person, id, 3, 10_000).want(t, 402, "balance_too_low")
	pay(r.changeByCard(t, owner.person, path, "change-1", 3, 10_000).want(t, 201, "").text(t, "paymentId"))
	if res := r.find(t, id); res.PaidAmount != 30_000 || res.Wallet() != made.id {
		t.Errorf("changed: %+v", res)
	}
	r.delete(t, owner.person, path).want(t, 200, "")
	r.refunded(t, owner.person, 100_000)
	dbtest.Eventually(t, "it is back on the card",
		func() bool { return r.get(t, made, "/api/payments/"+first).text(t, "state") == "refunded" })
	r.refunded(t, made, 0)
	r.balances(t)
}
