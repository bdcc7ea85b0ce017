package refusal

import "time"

// UsualPause is the mean of the pauses that no figure of the domain sets: they last 2 to 4 s.
const UsualPause = 3 * time.Second

// Refusals of more than one feature.
var (
	Unauthenticated = New(SignedOut, "unauthenticated", "nobody is signed in")
	Forbidden       = Declare(Refusal{Kind: NotAllowed, Code: "forbidden", Plain: true, Text: "not allowed"})
	NotFound        = Declare(Refusal{Kind: Missing, Code: "not_found", Turn: true, Plain: true, Text: "not found"})
	Unconfirmed     = New(NotAllowed, "unconfirmed", "e-mail address not confirmed")
	Invalid         = Declare(Refusal{Kind: WrongFields, Code: "invalid", Plain: true, Text: "invalid fields"})
	KeyReused       = Declare(Refusal{Kind: WrongFields, Code: "idempotency_key_reused", Turn: true, Field: "form",
		Text: "idempotency key used for another request"})
	ChangedMeanwhile = Declare(Refusal{Kind: Conflict, Code: "changed_meanwhile", Turn: true, Text: "changed meanwhile"})
	BalanceTooLow    = Declare(Refusal{Kind: TooPoor, Code: "balance_too_low", Turn: true, Field: "form",
		Unchanged: "unchanged_money", Text: "balance too low"})
	Unavailable = Declare(Refusal{Kind: TemporarilyUnfit, Code: "unavailable", Turn: true, Plain: true,
		Retry: UsualPause, Text: "cannot be served just now"})

	// ErrUnavailable says that a store cannot answer now. Nothing was changed, or, when the connection was lost while
	// committing, the change will be found by a repeat with the same key.
	ErrUnavailable = Unavailable.Because("the store does not answer")
)
