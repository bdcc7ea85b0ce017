package wallet

// Keys of the ledger carry what they are for, so that a charge and a payment under the same key do not meet.

// ChargeKey is the key of a charge.
func ChargeKey(key string) string { return "charge:" + key }

// WithdrawalKey is the key of a withdrawal.
func WithdrawalKey(key string) string { return "withdrawal:" + key }

// PaymentKey is the key of a reservation's payment.
func PaymentKey(key string) string { return "payment:" + key }

// ChangeKey is the key of the difference that a change of a reservation costs.
func ChangeKey(changeID string) string { return "change:" + changeID }

// RefundKey is the key of what comes back when a reservation ends.
func RefundKey(reservationID string) string { return "refund:" + reservationID }

// GivenBackKey is the key of what staff give back.
func GivenBackKey(id string) string { return "given_back:" + id }

// CardKey is the key of what a provider brings for a payment.
func CardKey(paymentID string) string { return "card:" + paymentID }

// CardRefusedKey is the key of what goes out again because the provider did not bring it.
func CardRefusedKey(paymentID string) string { return "card_refused:" + paymentID }

// CardRefundKey is the key of what goes on to the card.
func CardRefundKey(refundID string) string { return "card_refund:" + refundID }

// CardRefundRefusedKey is the key of what comes back because the card did not take it.
func CardRefundRefusedKey(refundID string) string { return "card_refund_refused:" + refundID }
