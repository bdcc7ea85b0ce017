package wallet

import (
	"sync"

	"lunchgo/app/wallet"
)

// maxBatch is how many orders for one wallet go into a batch at most.
const maxBatch = 64

// order is a move that a caller waits for.
type order struct {
	move    wallet.Move
	outcome wallet.Outcome
	done    chan struct{} // closed once the outcome is there
}

// batches groups the orders of this process. One goroutine at a time makes those for one wallet: what arrives
// while it waits for the database goes into the next batch. So a wallet that many callers move at once needs one
// connection and one commit for many of them, and leaves the other connections to other wallets.
type batches struct {
	mu     sync.Mutex
	queues map[string][]*order // by user; a queue exists while a goroutine works for its user
}

// enter queues the order for the goroutine that works for the user, and starts one if there is none.
func (b *batches) enter(userID string, o *order, work func(userID string, batch []*order)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue, working := b.queues[userID]
	b.queues[userID] = append(queue, o)
	if !working {
		go b.work(userID, work)
	}
}

// work makes batches of a user's orders until none are left.
func (b *batches) work(userID string, work func(userID string, batch []*order)) {
	for batch := b.next(userID); len(batch) > 0; batch = b.next(userID) {
		work(userID, batch)
	}
}

// next takes a batch off the queue. It removes an empty queue.
func (b *batches) next(userID string) []*order {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue := b.queues[userID]
	if len(queue) == 0 {
		delete(b.queues, userID)
		return nil
	}
	n := min(maxBatch, len(queue))
	b.queues[userID] = queue[n:]
	return queue[:n]
}
