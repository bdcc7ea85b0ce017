package waiting

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"lunchgo/locks"
)

// randomPart is how much of an id cannot be guessed: 100 bits.
const randomPart = 20

// newTicketID makes an unguessable id that ends with when it was made, and the seats its owner asks for. A process reads
// the ids of a whole line anyway, those of other processes too: so it knows how many seats they ask for without reading
// the tickets.
func newTicketID(seats int) string {
	return rand.Text()[:randomPart] + strconv.FormatInt(time.Now().Unix(), 36) + "-" + strconv.Itoa(seats)
}

// isYounger says whether a ticket was made less than d ago, as far as its id says when.
func isYounger(ticket string, d time.Duration) bool {
	head, _, _ := strings.Cut(ticket, "-")
	if len(head) < randomPart {
		return false
	}
	made, err := strconv.ParseInt(head[randomPart:], 36, 64)
	return err == nil && time.Since(time.Unix(made, 0)).Abs() < d // clocks differ a little
}

// seatsOf reads how many seats the owner of a ticket asks for; false for an id that does not say.
func seatsOf(ticket string) (int, bool) {
	_, digits, _ := strings.Cut(ticket, "-")
	seats, err := strconv.ParseUint(digits, 10, 31)
	return int(seats), err == nil
}

// position is where a ticket waits.
type position struct {
	number     int // 1 is next
	seatsAhead int // that those ahead ask for, those being served among them
	seatsKnown bool
}

// lineSeats adds up the seats that a line's tickets ask for, from one refresh to the next. The present turn's tickets
// are known by having waited before.
type lineSeats struct {
	readAt  time.Time
	waiting map[string]int // id to its position
	turn    seatSum        // of those that waited and are being served
}

// seatSum is how many seats tickets ask for.
type seatSum struct {
	tickets, seats int
	unknown        bool // one of them does not say
}

func (s *seatSum) add(ticket string) {
	seats, known := seatsOf(ticket)
	s.tickets, s.seats, s.unknown = s.tickets+1, s.seats+seats, s.unknown || !known
}

// read takes in the progress of the line, and returns for each position how many seats are asked for ahead of it. It
// says nothing of positions whose seats ahead are not all known: behind a ticket that does not say, during a turn whose
// tickets did not wait before, and where other tickets may be ahead that the progress does not name.
func (s *lineSeats) read(line locks.Name, progress locks.Progress, now time.Time) []int {
	if !progress.Holder || progress.HoldElapsed < now.Sub(s.readAt) {
		s.turn = seatSum{}
	}
	for ticket := range s.waiting { // whoever left of their own will counts as being served until the next turn
		if progress.Positions[ticket] == 0 {
			s.turn.add(ticket)
		}
	}
	s.readAt, s.waiting = now, progress.Positions
	turnKnown := !s.turn.unknown && (!progress.Holder || s.turn.tickets >= progress.HoldSize)
	if !turnKnown || progress.Local || len(line.Lines()) > 1 {
		return nil
	}
	return sumAhead(s.turn.seats, progress.Positions)
}

// sumAhead adds up the seats of tickets by position, beginning with those ahead of all. The sums end with the first
// position whose ticket is not known, or does not say.
func sumAhead(ahead int, positions map[string]int) []int {
	const unknown = -1
	seats := make([]int, len(positions))
	for i := range seats {
		seats[i] = unknown
	}
	for ticket, at := range positions {
		if n, ok := seatsOf(ticket); ok && at <= len(seats) {
			seats[at-1] = n
		}
	}
	sums := make([]int, 0, len(seats)+1)
	for _, n := range seats {
		sums = append(sums, ahead)
		if n == unknown {
			return sums
		}
		ahead += n
	}
	return sums
}
