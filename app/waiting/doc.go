// Package waiting is the waiting room. It takes a piece of work that needs a turn (make a reservation, claim a coupon)
// through these steps: enter the line, wait, serve under the turn's fence, release the line, publish the result.
//
// A diner asks once. From then on the server waits for them: a Room has a queue for each line, which keeps its tickets
// alive, takes the turns that they get, serves whole batches of them in one transaction, and publishes the results to
// everyone who watches. No place lives in this process only: the request is stored with the ticket and the place is in
// the line, so any other process adopts a ticket the moment its diner turns up there.
package waiting
