package locks

import (
	"fmt"
	"strconv"
	"strings"
)

// The moves of operators.

// evict ends a line's turn by force.
func (w *model) evict(node, ticket string) error {
	line := sessionOf(ticket)[:1]
	p := w.at(node, line)
	r, err := w.send(node, line, opEvict)
	if err != nil {
		return err
	}
	row, want, evicted := p.lines[0], int64(0), ""
	p.reap(row)
	if row.holder != nil {
		want, evicted = 1, row.holder.ticket
		row.endTurn(false)
	}
	p.promote()
	if r.text(0) != evicted {
		return fmt.Errorf("evicted %q, want %q", r.text(0), evicted)
	}
	return w.agree(opEvict, evicted, r, want, want)
}

// close empties a line.
func (w *model) close(node, ticket string) error {
	line := sessionOf(ticket)[:1]
	p := w.at(node, line)
	if len(p.lines[0].taken) == 0 && w.random.IntN(4) > 0 {
		return nil
	}
	r, err := w.send(node, line, opClose, "sold out")
	if err != nil {
		return err
	}
	row := p.lines[0]
	p.reap(row)
	p.promote()
	all := row.byArrival(row.waiting)
	if len(all) > 0 && row.waiting[all[0]] <= row.doubt {
		return w.agree(opClose, "nobody", r, 0, 0)
	}
	want := len(all)
	var arrivals []string
	for _, t := range all {
		arrivals = append(arrivals, strconv.FormatInt(row.waiting[t], 10))
		row.drop(t)
	}
	if want > 0 {
		row.logf("closed %s", strings.Join(arrivals, ","))
	}
	if r.integer(0) != int64(want) {
		return fmt.Errorf("close sent %d away, want %d", r.integer(0), want)
	}
	return nil
}
