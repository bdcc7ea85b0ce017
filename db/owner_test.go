package db

import (
	"crypto/rand"
	"strings"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/wallet"
)

// provisional makes an account by the address of another one, whose address is confirmed.
func (h *harness) provisional(t *testing.T, ofUser string) string {
	t.Helper()
	u, err := h.users.FindUser(t.Context(), ofUser)
	if err != nil {
		t.Fatal(err)
	}
	id := rand.Text()
	if err := h.users.Introduce(t.Context(), identity.User{ID: id, Email: u.Email, Name: "S", Phone: "010-1234-5678",
		Provisional: true}); err != nil {
		t.Fatal(err)
	}
	return id
}

// A person owns provisional accounts of their confirmed address, and no other; nothing else owns any.
func TestOwns_ProvisionalAccountsOfAConfirmedAddress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.diners(t, 2, 0)
	ann, bob := ids[0], ids[1]
	one, two, bobs := h.provisional(t, ann), h.provisional(t, ann), h.provisional(t, bob)
	check := func(when, person, account string, want bool) {
		t.Helper()
		if owns, err := h.users.Owns(t.Context(), person, account); err != nil || owns != want {
			t.Errorf("%s: %v, %v", when, owns, err)
		}
	}
	check("one's own", ann, ann, true)
	check("of the address", ann, one, true)
	check("of another address", ann, bobs, false)
	check("another's account", ann, bob, false)
	check("another one of the address", one, two, false)
	check("the account of the address", one, ann, false)
	check("nobody's", ann, "", false)
	check("of nobody", "", one, false)
	if own, err := h.users.ListAccounts(t.Context(), ann, 1); err != nil || len(own) != 2 || own[0] != ann {
		t.Errorf("%v, %v", own, err)
	}
	h.mustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, ann)
	check("not confirmed", ann, one, false)
	h.mustExec(t, `UPDATE users SET email_confirmed_at = now() WHERE id = ANY (ARRAY[$1, $2])`, ann, one)
	check("confirmed both", ann, one, true)
	check("provisional, and confirmed", one, two, false)
	if err := h.deleteAccount(t, one); err != nil {
		t.Fatal(err)
	}
	check("deleted", ann, one, false)
	check("still there", ann, two, true)
	if err := h.deleteAccount(t, ann); err != nil {
		t.Fatal(err)
	}
	if n := h.count(t, `SELECT count(*) FROM users WHERE deleted_at IS NULL AND email LIKE $1`, strings.ToLower(ann)+"%"); n != 0 {
		t.Errorf("%d accounts of the address are left", n)
	}
}

// An owner and the provisional account pay at the same moment, each out of their own wallet: one of them does. Without
// the guards both do.
func TestPay_OwnerOrTheAccount(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			owner := h.diners(t, 1, 100_000)[0]
			account := h.provisional(t, owner)
			if _, _, err := h.wallets.Charge(t.Context(), wallet.Charge{UserID: account, Amount: 100_000,
				IdempotencyKey: "k"}); err != nil {
				t.Fatal(err)
			}
			id := h.reserve(t, h.request(account, h.slot("18:30")))
			if !guarded {
				h.mustExec(t, `DROP INDEX ledger_entries_one_payment`)
				h.weakenGuard(lockReservation, unlocked)
				together := meeting(2)
				h.weakenGuard(updateState, func(query string) string { return together(inAnyState(query)) })
			}
			var all sync.WaitGroup
			for _, who := range []string{owner, account} {
				all.Go(func() {
					_, _ = h.reservations.Pay(t.Context(), booking.PaymentOrder{ReservationID: id, UserID: who,
						Kind: booking.Deposit, IdempotencyKey: rand.Text()})
				})
			}
			all.Wait()
			paying := h.count(t, `SELECT count(*) FROM ledger_entries WHERE reservation_id = $1`, id)
			if want := map[bool]int{true: 1, false: 2}[guarded]; paying != want {
				t.Errorf("%d have paid, want %d", paying, want)
			}
		})
	}
}

// A hold that a provisional account is making while its owner deletes theirs keeps the provisional one. Without the
// locks it would be a hold of nobody.
func TestDeleteAccount_LeavesAnOwnedOneThatBooks(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			owner := h.diners(t, 1, 0)[0]
			account := h.provisional(t, owner)
			h.reserve(t, h.request(h.diners(t, 1, 0)[0], h.slot("18:30"))) // makes the slot
			if !guarded {
				h.weakenGuard(lockOwned, replacing("FOR UPDATE SKIP LOCKED", ""))
				h.weakenGuard(lockUser, replacing("FOR UPDATE", ""))
			}
			tx, err := h.pool.BeginTxx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback() }()
			_, err = tx.ExecContext(t.Context(), `
				INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount,
					menu_amount, policy, idempotency_key, fence)
				SELECT 'under way', id, restaurant_id, $1, 2, 'temporary', now() + interval '5 minutes', 0, 0, '{}', 'k', 1
				FROM slots
				LIMIT 1`, account)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.deleteAccount(t, owner); err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			ofNobody := h.count(t, `
				SELECT count(*)
				FROM reservations r
				JOIN users u ON u.id = r.user_id
				WHERE r.state = 'temporary' AND u.deleted_at IS NOT NULL`)
			if want := map[bool]int{true: 0, false: 1}[guarded]; ofNobody != want {
				t.Errorf("%d holds of nobody, want %d", ofNobody, want)
			}
		})
	}
}
