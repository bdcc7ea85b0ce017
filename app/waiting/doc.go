// Package waiting is the waiting room: it turns a piece of work that needs a turn — make a reservation, claim a coupon —
// into: enter the line, wait on the session's behalf, run under the fence, release, publish the result.
//
// A diner presses once. From then on the server stands in the line for them: a Room has one lane a line, which keeps the
// tickets that this process lends, takes the turns that fall to them, serves whole runs of them in one transaction, and
// tells everyone who watches. Nothing of a diner's place lives only here: the wish is stored with the ticket, the place
// is in the line, so any other process adopts a ticket the moment its diner turns up there.
package waiting
