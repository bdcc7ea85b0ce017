package practicebank_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/payments/providertest"
	"lunchgo/db/practicebank"
	"lunchgo/db/testkit"
)

// The practice bank does what every provider has to do.
func TestPracticeBank(t *testing.T) {
	t.Parallel()
	providertest.Run(t, func(t *testing.T) providertest.Bank {
		store := practicebank.NewStore(testkit.Setup(t).Pool)
		bank := practice.Bank{Store: store, BaseURL: "https://table.example"}
		var mu sync.Mutex
		var paid []string
		move := func(id string, to practice.Move) {
			if _, err := store.Move(t.Context(), id, []payments.Stand{payments.StandAuthorised}, to); err != nil {
				t.Error(err)
			}
		}
		webhook := func(id string) (http.Header, []byte) { return nil, []byte(`{"payment":"` + id + `"}`) }
		return providertest.Bank{
			Provider: bank,
			Pay: func(order payments.Order, _ payments.Opened) url.Values {
				if _, err := bank.Decide(t.Context(), order.ID, practice.Pay); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				paid = append(paid, order.ID)
				return nil
			},
			RefuseCapture: func(id string) { move(id, practice.Move{To: payments.StandAuthorised, Overdrawn: true}) },
			Lapse: func() {
				mu.Lock()
				defer mu.Unlock()
				for _, id := range paid {
					move(id, practice.Move{To: payments.StandCancelled})
				}
			},
			Taken: func(id string) (taken, back int64) {
				account, err := store.Find(t.Context(), id)
				if err == nil && account.Stand == payments.StandCaptured {
					taken = account.Amount
				}
				return taken, account.Returned
			},
			Webhook: webhook,
			Forged:  webhook, // which nobody signs: it says only which payment to ask about
		}
	})
}
