package api

import (
	"lunchgo/app/web/access"
)

func (a *API) walletRoutes() group {
	return group{name: "wallet", about: "A diner's money.",
		operations: []operation{
			{route: "GET /wallet", id: "findWallet",
				summary: "One's own wallet",
				right:   access.SignedIn, paged: true,
				gives: answer{200, walletAnswer{}, "Balance and ledger."},
				run:   a.findWallet,
			},
			{route: "POST /wallet/charges", id: "charge",
				summary: "Put money in, once for any number of repeats",
				text: "Play money, for a demonstration: anywhere else 403 demo_only. The same key with another amount is " +
					"refused with 422 idempotency_key_reused.",
				right: access.SignedIn, limit: ofChanges, key: needsKey, takes: chargeRequest{},
				gives:   answer{201, moved{}, "The charge. Every repeat is answered the same."},
				refuses: []string{"demo_only", "balance_limit"},
				run:     a.charge,
			},
			{route: "POST /wallet/withdrawals", id: "withdraw",
				summary: "Take money out, once for any number of repeats",
				text: "The same key with another amount is refused with 422 idempotency_key_reused. The keys of charges " +
					"are others: one of the same name does not matter.",
				right: access.SignedIn, limit: ofChanges, key: needsKey, takes: withdrawalRequest{},
				gives:   answer{201, moved{}, "The withdrawal. Every repeat is answered the same."},
				refuses: []string{"balance_too_low"},
				run:     a.withdraw,
			},
		}}
}
