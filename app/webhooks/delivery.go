package webhooks

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// DeliveryState is how far a delivery has come.
type DeliveryState string

// The states of deliveries.
const (
	Waiting   DeliveryState = "waiting" // for its first try, or the next one
	Delivered DeliveryState = "delivered"
	Failed    DeliveryState = "failed" // nothing is tried any more, unless somebody asks for it
)

// DeliveryStates returns all of them.
func DeliveryStates() []DeliveryState { return []DeliveryState{Waiting, Delivered, Failed} }

// Times of deliveries.
const (
	Kept      = 30 * 24 * time.Hour // how long the log has a delivery
	GiveUp    = 3 * 24 * time.Hour  // an endpoint to which nothing was delivered for so long is disabled
	SendLease = 30 * time.Second    // how long whoever took a delivery has to send and mark it
)

// Delivery is one event on its way to one endpoint, and what became of it.
type Delivery struct {
	ID         int64
	EndpointID string
	Message
	State     DeliveryState
	Tries     int // so far, the one under way among them
	CreatedAt time.Time
	DueAt     time.Time // of the next try; while one is under way: the end of its lease
	TriedAt   time.Time // zero before the first try
	Last      Try       // of TriedAt
}

// CanRepeat returns whether its owner may have it sent again: not before its first try.
func (d Delivery) CanRepeat() bool { return d.State != Waiting || d.Tries > 0 }

// pauses returns how long a delivery waits after each try that fails, as the specification recommends. After the last
// try it has failed: about 27 hours after the first.
func pauses() []time.Duration {
	return []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 10 * time.Hour}
}

// MaxTries is how often a delivery is tried.
func MaxTries() int { return len(pauses()) + 1 }

// Verdict is what comes after a try.
type Verdict struct {
	State DeliveryState
	Pause time.Duration // until the next try, of a Waiting one
	Gone  bool          // the endpoint wants no more
}

// Judge says what comes after a delivery's try, the tries-th one, 1 and up. Pauses vary by up to a fifth, so that what
// failed together does not come back together.
func Judge(tries int, t Try) Verdict {
	all := pauses()
	switch {
	case t.Delivered():
		return Verdict{State: Delivered}
	case t.Status == http.StatusGone:
		return Verdict{State: Failed, Gone: true}
	case tries > len(all):
		return Verdict{State: Failed}
	}
	pause := all[max(tries, 1)-1]
	return Verdict{State: Waiting, Pause: pause + rand.N(pause/5)}
}
