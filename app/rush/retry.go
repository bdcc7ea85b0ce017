package rush

import (
	"math/rand/v2"
	"time"
)

// CodeBusy is the code with which a design refuses a press that may be repeated: it waits for nobody.
const CodeBusy = "lock_busy"

// Retry is how a browser repeats a press that is refused with CodeBusy. The zero value: it does not, and the diner
// gives up.
type Retry struct {
	Times       int           // at most
	Least, Most time.Duration // of the pause before each, which is drawn at random
}

// giveWay takes in that the press was refused as busy, and returns how long to wait before the next one.
func (d *diner) giveWay() (again time.Duration) {
	if d.retried == d.retry.Times {
		d.answer.Outcome, d.answer.Code = other, CodeBusy
		return 0
	}
	d.retried++
	d.answer.Later++
	return d.retry.Least + rand.N(d.retry.Most-d.retry.Least+1)
}
