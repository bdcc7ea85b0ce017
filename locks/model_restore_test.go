package locks

import (
	"fmt"
	"slices"
	"strings"
)

// restore brings back those that the node owns. Some may be there again, through the other node.
func (w *model) restore(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	var args []any
	var brought []string
	for _, t := range w.ticketsOf(node, session) {
		if held := slices.ContainsFunc(p.lines, func(r *modelLine) bool { return r.has(t) }); !held && w.kept[t] > 0 {
			brought = append(brought, t)
			args = append(args, t, w.kept[t], workOf(t), commitment(t))
		}
	}
	if len(brought) == 0 {
		return nil
	}
	r, err := w.send(node, session, opRestore, args...)
	if err != nil {
		return err
	}
	want := int64(0)
	if p.lines[0].until > p.now {
		want = 1
	}
	for _, row := range p.lines {
		if want == 0 {
			break
		}
		var texts []string
		for _, t := range brought {
			if _, stands := row.tickets[t]; !stands {
				row.waiting[t] = w.kept[t]
				row.doubt = max(row.doubt, w.kept[t])
				row.tickets[t] = modelTicket{p.by, workOf(t)}
				texts = append(texts, fmt.Sprintf("%d:%s", w.kept[t], commitment(t)))
			}
		}
		p.keepNode(row)
		if len(texts) > 0 {
			row.logf("again %s", strings.Join(texts, ","))
		}
	}
	return w.agree(opRestore, strings.Join(brought, " "), r, want, want)
}
