package receipt

// Outcome says what a receipt and a log prove together.
type Outcome string

// The outcomes of Verify.
const (
	Proven   Outcome = "proven"   // the ticket was served, or went, in its order
	Refuted  Outcome = "refuted"  // it was not, or the receipt and the log contradict each other
	Unproven Outcome = "unproven" // not yet, or not any more
)

// Reason is why a finding has its outcome.
type Reason string

// The reasons. An entry's number counts from 0.
const (
	// Proven.
	WasServed Reason = "served"
	HasLeft   Reason = "left"   // went without a turn that the log tells of; nobody overtook it until then
	WasClosed Reason = "closed" // sent away with all who waited; nobody overtook it until then
	WasLost   Reason = "lost"   // dropped because nobody was left who could serve it

	// Refuted: the receipt or the log is not what was signed.
	OtherKey     Reason = "other_key"     // the receipt was signed with another key than the log's
	BadSignature Reason = "bad_signature" // the receipt was altered after it was signed, or made up
	Truncated    Reason = "truncated"     // the log has fewer entries than the receipt commits to
	ChainBroken  Reason = "chain_broken"  // an entry that the receipt commits to was altered, removed or added
	NotInLog     Reason = "not_in_log"    // the entries that the receipt commits to do not hold the ticket
	Malformed    Reason = "malformed"     // an entry cannot be read
	Unended      Reason = "unended"       // the log has ended, and the ticket still waits in it

	// Refuted: the line was not kept.
	Overtaken  Reason = "overtaken"   // somebody with a higher number was served while it waited
	Overtook   Reason = "overtook"    // it was served while somebody with a lower number waited
	NotWaiting Reason = "not_waiting" // somebody who did not wait was served while it did
	Inserted   Reason = "inserted"    // while it waited, somebody was put in ahead of it
	FenceFell  Reason = "fence_fell"  // turns before its own do not stand in the order in which they were given

	// Unproven.
	StillOpen Reason = "still_open" // the log is not published as far as the receipt goes
	OtherLog  Reason = "other_log"  // the log belongs to another line, or to another time
	DataLost  Reason = "data_lost"  // the server lost data, as the log says; what it put back cannot be checked
)

// Finding is what Verify found.
type Finding struct {
	Outcome Outcome `json:"outcome"`
	Reason  Reason  `json:"reason"`
	Line    string  `json:"line"`
	// Entered is the entry that took the ticket in; Entry where it ended, or where the fault is.
	Entered int `json:"entered"`
	Entry   int `json:"entry"`
	// Place counts the tickets that were served, this one among them; Before is the number of the one served right
	// before it, 0 for the first. Only for WasServed.
	Place  int   `json:"place,omitempty"`
	Before int64 `json:"before,omitempty"`
	// Arrival is the ticket's own number; Other the one of whoever overtook it, was overtaken, or came in.
	Arrival int64 `json:"arrival"`
	Other   int64 `json:"other,omitempty"`
	// Elsewhere counts faults of the log that do not concern this ticket.
	Elsewhere int `json:"elsewhere,omitempty"`
}
