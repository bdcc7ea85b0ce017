package toss

// The codes with which Toss decides, of https://docs.tosspayments.com/reference/error-codes. The status of an answer
// decides nothing: PROVIDER_ERROR, after which anything may be true, is a 400, as is ALREADY_PROCESSED_PAYMENT, which
// says that the money was taken.

const (
	notFound       = "NOT_FOUND_PAYMENT"
	allCancelled   = "ALREADY_CANCELED_PAYMENT"
	alreadyDone    = "ALREADY_PROCESSED_PAYMENT"
	alreadyExpired = "NOT_FOUND_PAYMENT_SESSION"
)

// refusesConfirm are the codes after which a confirmation takes no money, now or later. NOT_FOUND_PAYMENT is none: of a
// payment that was authorised it says that the key is another shop's.
var refusesConfirm = set(
	"REJECT_CARD_COMPANY", "REJECT_CARD_PAYMENT", "REJECT_ACCOUNT_PAYMENT", "REJECT_TOSSPAY_INVALID_ACCOUNT",
	"INVALID_REJECT_CARD", "INVALID_STOPPED_CARD", "INVALID_CARD_LOST_OR_STOLEN", "INVALID_CARD_EXPIRATION",
	"INVALID_CARD_NUMBER", "INVALID_PASSWORD", "INVALID_AUTHORIZE_AUTH", "INVALID_ACCOUNT_INFO_RE_REGISTER",
	"INVALID_CARD_INSTALLMENT_PLAN", "EXCEED_MAX_CARD_INSTALLMENT_PLAN", "NOT_SUPPORTED_CARD_TYPE",
	"NOT_SUPPORTED_INSTALLMENT_PLAN_CARD_OR_MERCHANT", "NOT_SUPPORTED_MONTHLY_INSTALLMENT_PLAN",
	"NOT_ALLOWED_POINT_USE", "BELOW_MINIMUM_AMOUNT", "EXCEED_MAX_AMOUNT", "EXCEED_MAX_PAYMENT_AMOUNT",
	"EXCEED_MAX_ONE_DAY_AMOUNT", "EXCEED_MAX_MONTHLY_PAYMENT_AMOUNT", "EXCEED_MAX_DAILY_PAYMENT_COUNT",
	"EXCEED_MAX_AUTH_COUNT", "EXCEED_MAX_ONE_DAY_WITHDRAW_AMOUNT", "EXCEED_MAX_ONE_TIME_WITHDRAW_AMOUNT",
	"RESTRICTED_TRANSFER_ACCOUNT", "NOT_AVAILABLE_BANK", "NOT_AVAILABLE_PAYMENT", "FDS_ERROR",
	"SUSPECTED_PHISHING_PAYMENT", alreadyExpired,
)

// refusesCancel are the codes after which a cancellation gives no money back, now or later. NOT_FOUND_PAYMENT is none, as
// above, and ALREADY_CANCELED_PAYMENT says that all of the money is back.
var refusesCancel = set(
	"ALREADY_REFUND_PAYMENT", "NOT_CANCELABLE_PAYMENT", "NOT_CANCELABLE_AMOUNT",
	"EXCEED_CANCEL_AMOUNT_DISCOUNT_AMOUNT", "EXCEED_MAX_REFUND_DUE", "NOT_ALLOWED_PARTIAL_REFUND",
	"NOT_ALLOWED_PARTIAL_REFUND_WAITING_DEPOSIT", "REFUND_REJECTED", "INVALID_REFUND_ACCOUNT_INFO",
	"INVALID_REFUND_ACCOUNT_NUMBER", "INVALID_BANK", "NOT_CANCELABLE_PAYMENT_FOR_DORMANT_USER",
)

func set(codes ...string) map[string]bool {
	in := make(map[string]bool, len(codes))
	for _, code := range codes {
		in[code] = true
	}
	return in
}
