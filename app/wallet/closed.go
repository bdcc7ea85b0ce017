package wallet

import "context"

// WithoutCharges is a store that takes no charges: where no payment provider takes real money, a charge is play money,
// and that is for demos only. All else goes on: refunds come into wallets, and deposits are paid from them.
type WithoutCharges struct {
	Store
}

// Charge returns ErrDemoOnly.
func (WithoutCharges) Charge(context.Context, Charge) (Entry, Account, error) {
	return Entry{}, Account{}, ErrDemoOnly
}
