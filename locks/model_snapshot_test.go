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
	holder, record := pipe.HGetAll(ctx, k.names[0]), pipe.HGetAll(ctx, k.names[1])
	var sets []*redis.ZSliceCmd
	for i := 2; i <= 5; i++ {
		sets = append(sets, pipe.ZRangeWithScores(ctx, k.names[i], 0, -1))
	}
	owned, work := pipe.HGetAll(ctx, k.names[6]), pipe.HGetAll(ctx, k.names[7])
	return func() *modelLine {
		r := newModelLine()
		for i, set := range []map[string]int64{r.waiting, r.taken, r.parked, r.alive} {
			for _, z := range sets[i].Val() {
				set[z.Member.(string)] = int64(z.Score)
			}
		}
		for ticket, value := range owned.Val() {
			r.owners[ticket] = readOwner(value, line)
		}
		r.work = work.Val()
		r.born, r.until = integer(record.Val()["born"]), integer(record.Val()["until"])
		for field, fence := range record.Val() {
			if node, is := strings.CutPrefix(field, "released:"); is {
				r.ended[node] = integer(fence)
			}
		}
		r.holder = readTurn(holder.Val())
		return r
	}
}

func readOwner(value, line string) modelOwner {
	node, session, joint := strings.Cut(value, separator)
	if !joint {
		session = line
	}
	return modelOwner{node, session}
}

func readTurn(h map[string]string) *modelTurn {
	if h["ticket"] == "" {
		return nil
	}
	return &modelTurn{
		ticket: h["ticket"], fence: integer(h["fence"]), arrival: integer(h["arrival"]),
		by:       modelOwner{h["node"], h["session"]},
		acquired: integer(h["acquired"]), end: integer(h["end"]), claimed: h["claimed"] == "1",
	}
}
