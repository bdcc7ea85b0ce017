package receipt

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrOtherLog says that a line has begun another log.
var ErrOtherLog = errors.New("receipt: the line has begun another log")

// Book is what a process knows of a line's log, from its first entry on. It belongs to one goroutine at a time.
type Book struct {
	chain       Chain
	last        string // entry
	replay      *replay
	unpublished []string
}

// NewBook returns the book of a line, by its public id, of which nothing is known.
func NewBook(line string) *Book {
	return &Book{chain: NewChain(line), replay: newReplay(nil)}
}

// From is the index from which the book has to be read on: that of the last entry it knows, which Append compares.
func (b *Book) From() int { return max(0, b.chain.Entries-1) }

// Append adds the entries from index From on. Returns ErrOtherLog if the line's log is another by now, after a loss of
// data for instance; or ErrEntry. Then the book is of no use any more.
func (b *Book) Append(texts []string) error {
	if b.chain.Entries > 0 {
		if len(texts) == 0 || texts[0] != b.last {
			return ErrOtherLog
		}
		texts = texts[1:]
	}
	for _, text := range texts {
		e, err := ParseEntry(text)
		if err != nil {
			return fmt.Errorf("entry %d: %w", b.chain.Entries, err)
		}
		b.replay.apply(e)
		b.chain.Append(text)
		b.last = text
		b.unpublished = append(b.unpublished, text)
	}
	return nil
}

// Settled says whether all who stand in the book are answered.
func (b *Book) Settled() bool { return b.replay.settled() }

// Receipt returns the receipt of a ticket, for a Signer to sign, at the present end of the book; false if the ticket
// does not stand in it.
func (b *Book) Receipt(ticket string, arrival int64, now time.Time) (Receipt, bool) {
	commitment := Commit(ticket)
	if known, ok := b.replay.seen[arrival]; !ok || known != commitment {
		return Receipt{}, false
	}
	return Receipt{Line: b.chain.Line, LogID: b.chain.LogID, Arrival: arrival, Ticket: commitment,
		Entries: b.chain.Entries, Head: b.chain.Head, Time: now.UTC().Truncate(time.Microsecond)}, true
}

// Unpublished returns the entries that are not published yet, none while somebody waits.
func (b *Book) Unpublished() (Part, bool) {
	if len(b.unpublished) == 0 || !b.Settled() {
		return Part{}, false
	}
	return Part{Line: b.chain.Line, LogID: b.chain.LogID, From: b.chain.Entries - len(b.unpublished),
		Entries: slices.Clone(b.unpublished)}, true
}

// NotePublished notes that a part is published.
func (b *Book) NotePublished(p Part) {
	known := b.chain.Entries - len(b.unpublished)
	if done := p.From + len(p.Entries) - known; p.LogID == b.chain.LogID && done > 0 {
		b.unpublished = slices.Clone(b.unpublished[min(done, len(b.unpublished)):])
	}
}
