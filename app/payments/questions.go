package payments

import (
	"context"
	"sync"
	"time"
)

// askAgain is for how long after an answer the provider is not asked about the same payment by those who only know its
// id.
const askAgain = time.Second

// questions bounds what the provider is asked about each payment: one question at a time, and then none for askAgain.
type questions struct {
	mu   sync.Mutex
	open map[string]struct{} // payments that are asked about, or were just now
}

// begin says whether the provider may be asked about a payment now. If so, end is to be called after its answer.
func (q *questions) begin(id string) (end func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, asked := q.open[id]; asked {
		return nil, false
	}
	if q.open == nil {
		q.open = map[string]struct{}{}
	}
	q.open[id] = struct{}{}
	return func() {
		time.AfterFunc(askAgain, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			delete(q.open, id)
		})
	}, true
}

// Look settles a payment for whoever knows its id: the browser that comes back, and a webhook that nobody signs. While
// another question is open, and for a second after its answer, the provider is not asked: the payment is returned as it
// is, and asked is false.
func (s *Service) Look(ctx context.Context, id, reference string) (p Payment, asked bool, err error) {
	end, ok := s.questions.begin(id)
	if !ok {
		p, err = s.Store.Find(ctx, id)
		return p, false, err
	}
	defer end()
	p, err = s.Settle(ctx, id, reference)
	return p, true, err
}

// Reported settles a payment that the provider reports. Where Look may not ask, the job asks a second later, so that no
// report is lost.
func (s *Service) Reported(ctx context.Context, id string) error {
	_, asked, err := s.Look(ctx, id, "")
	if err == nil && !asked {
		err = s.Store.Hasten(ctx, id, askAgain)
	}
	return err
}
