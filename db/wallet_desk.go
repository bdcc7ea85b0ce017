package db

import (
	"sync"

	"lunchgo/app/wallet"
)

// maxRun is how many orders for one wallet go together at most.
const maxRun = 64

// order is a move that somebody waits for.
type order struct {
	move    wallet.Move
	outcome wallet.Outcome
	done    chan struct{} // closed once the outcome is there
}

// walletDesk takes the orders of this process. Those for one wallet are worked on by one goroutine at a time: what arrives
// while it waits for the database goes together afterwards. So a wallet that many move at once needs one connection and
// one commit for many of them, and leaves the other connections to the others.
type walletDesk struct {
	mu     sync.Mutex
	queues map[string][]*order // by user; there is one as long as somebody works for that user
}

// enter gives the order to whoever works for the user, or starts somebody who does.
func (d *walletDesk) enter(userID string, o *order, work func(userID string, run []*order)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	queue, working := d.queues[userID]
	d.queues[userID] = append(queue, o)
	if !working {
		go d.work(userID, work)
	}
}

// work serves runs of a user's orders until there are none left.
func (d *walletDesk) work(userID string, work func(userID string, run []*order)) {
	for run := d.next(userID); len(run) > 0; run = d.next(userID) {
		work(userID, run)
	}
}

// next takes a run off the queue. When there is none it closes the queue.
func (d *walletDesk) next(userID string) []*order {
	d.mu.Lock()
	defer d.mu.Unlock()
	queue := d.queues[userID]
	if len(queue) == 0 {
		delete(d.queues, userID)
		return nil
	}
	n := min(maxRun, len(queue))
	d.queues[userID] = queue[n:]
	return queue[:n]
}
