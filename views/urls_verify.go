package views

// Fields of the form that checks a receipt: a file, or its text.
const (
	FieldReceipt     = "receipt"
	FieldReceiptText = "text"
)

// TicketReceiptURL is a receipt of the ticket's place, as a file.
func TicketReceiptURL(ticket string) string { return TicketURL(ticket) + "/receipt" }

// VerifyURL checks receipts. GET: pages.Verify; POST renders it again with what was found.
func VerifyURL() string { return "/verify" }
