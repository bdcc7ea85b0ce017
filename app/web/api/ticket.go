package api

import "lunchgo/app/waiting"

// place is where a ticket stands in its line.
type place struct {
	Position         int `json:"position"` // people ahead plus one; 0 while the turn is being served
	WaitingCount     int `json:"waitingCount"`
	EstimatedSeconds int `json:"estimatedSeconds"`
}

func newPlace(s waiting.Status) place {
	return place{Position: s.Position, WaitingCount: s.Count, EstimatedSeconds: int(s.Estimate.Seconds())}
}

// waitingTicket is what the problem "waiting" adds: the ticket and its place.
type waitingTicket struct {
	Ticket string `json:"ticket"`
	place
}
