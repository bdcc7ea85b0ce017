package locks

import "context"

// ListedTicket is a ticket that stands in a line, as somebody sees it who looks at the line and not at the ticket.
type ListedTicket struct {
	Ticket   string
	Arrival  int64
	Position int    // 1 is next; 0 while it is being served
	Work     string // its Entry.Work
}

// listedFields is how many values list.lua answers for each ticket.
const listedFields = 4

// List returns up to n of those who wait, in order, from the first with a higher arrival number than after on. From the
// start, after 0, it also returns those who are being served, before the others. Of a joint line it reads the first.
func (l *Line) List(ctx context.Context, after int64, n int) ([]ListedTicket, error) {
	s, err := l.client.session(l)
	if err != nil {
		return nil, err
	}
	defer l.client.endUse(s)
	r, err := s.call(ctx, opList, after, max(n, 1))
	if err != nil {
		return nil, err
	}
	var listed []ListedTicket
	for _, values := range [][]any{r.list(0), r.list(1)} {
		for ; len(values) >= listedFields; values = values[listedFields:] {
			listed = append(listed, ListedTicket{Ticket: text(values[0]), Arrival: integer(values[1]),
				Position: int(integer(values[2])), Work: text(values[3])})
		}
	}
	return listed, nil
}
