package db_test

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// at asks for another time of the day.
func at(slot booking.SlotKey) func(*booking.Request) {
	return func(req *booking.Request) { req.Slot = slot }
}

func (h *harness) balance(t testing.TB, diner string) int64 {
	t.Helper()
	account, err := h.Wallets.Find(t.Context(), diner)
	dbtest.Must(t, err)
	return account.Balance
}
