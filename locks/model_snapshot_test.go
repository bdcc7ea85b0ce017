package locks

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// snapshot reads what Redis holds of the world's lines.
func (w *model) snapshot() (map[string]*modelLine, error) {
	rows := map[string]*modelLine{}
	pipe := w.rdb.Pipeline()
	read := map[string]func() *modelLine{}
	lives := map[string]*redis.DurationCmd{}
	for _, line := range worldLines {
		k := lineKeys(w.prefix, Name{w.name.Partition, line})
		for _, key := range k.names {
			lives[key] = pipe.PTTL(context.Background(), key)
		}
		read[line] = readLine(pipe, line, k)
	}
	if _, err := pipe.Exec(context.Background()); err != nil {
		return nil, err
	}
	for key, life := range lives {
		if life.Val() == -1 {
			return nil, fmt.Errorf("key %s never expires", key)
		}
	}
	for line, row := range read {
		rows[line] = row()
	}
	return rows, nil
}

// readLine asks for one line; call what it returns when the pipeline has run.
func readLine(pipe redis.Pipeliner, line string, k keys) func() *modelLine {
	ctx := context.Background()
	record, tickets, log := pipe.HGetAll(ctx, k.record()), pipe.HGetAll(ctx, k.tickets()),
		pipe.LRange(ctx, k.log(), 0, -1)
	waiting, taken := pipe.ZRangeWithScores(ctx, k.waiting(), 0, -1), pipe.ZRangeWithScores(ctx, k.taken(), 0, -1)
	return func() *modelLine {
		r := newModelLine()
		for _, z := range waiting.Val() {
			r.waiting[z.Member.(string)] = int64(z.Score)
		}
		for _, z := range taken.Val() {
			r.taken[z.Member.(string)] = int64(z.Score)
		}
		for ticket, value := range tickets.Val() {
			r.tickets[ticket] = readTicket(value, line)
		}
		if len(log.Val()) > 0 {
			r.log = log.Val()
		}
		r.born, r.until = integer(record.Val()["born"]), integer(record.Val()["until"])
		r.doubt = integer(record.Val()["doubt"])
		for field, fence := range record.Val() {
			if node, is := strings.CutPrefix(field, "ended:"); is {
				r.ended[node] = integer(fence)
			}
		}
		for part := range strings.SplitSeq(strings.Trim(record.Val()["nodes"], separator), separator) {
			if node, deadline, is := strings.Cut(part, workSeparator); is {
				r.nodes[node] = integer(deadline)
			}
		}
		r.holder = readTurn(record.Val())
		return r
	}
}

func readTicket(value, line string) modelTicket {
	owner, work, _ := strings.Cut(value, workSeparator)
	node, session, joint := strings.Cut(owner, separator)
	if !joint {
		session = line
	}
	return modelTicket{modelOwner{node, session}, work}
}

func readTurn(h map[string]string) *modelTurn {
	if h["ticket"] == "" {
		return nil
	}
	return &modelTurn{
		ticket: h["ticket"], fence: integer(h["fence"]), arrival: integer(h["arrival"]),
		by:       modelOwner{h["node"], h["session"]},
		acquired: integer(h["acquired"]), end: integer(h["end"]), adopted: h["adopted"] == "1",
	}
}
