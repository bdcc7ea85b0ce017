package waiting

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/estimate"
	"lunchgo/locks"
)

// pastLife is how long Redis keeps at which paces lines moved, after the last one.
const pastLife = 90 * 24 * time.Hour

// mostPasts is of how many restaurants a process remembers the paces. With one more, any other is forgotten: rehearsals
// have restaurants of their own, which do not come again.
const mostPasts = 10_000

// anywhere is the place of all lines together.
const anywhere = "all"

// pasts are at which paces the lines of restaurants, of campaigns, and of all together moved, for the first moments of
// their next lines. A process notes the lines that it has seen; Redis keeps that over its restart.
type pasts struct {
	rdb redis.Cmdable
	key string
	log *slog.Logger

	mu sync.Mutex
	of map[string]estimate.Past
}

// placeOf is what the past of a line is kept under: its restaurant, or that it is of a campaign.
func placeOf(line locks.Name) string {
	place, _, _ := strings.Cut(line.Partition, ":")
	return place
}

// before returns what is known before a line has moved: of its restaurant, else of all.
func (s *pasts) before(line locks.Name) estimate.Past {
	s.mu.Lock()
	defer s.mu.Unlock()
	if past, known := s.of[placeOf(line)]; known {
		return past
	}
	return s.of[anywhere]
}

// note takes in a line that is over, and returns what is to be stored, and the place that is to be forgotten, if any.
func (s *pasts) note(line locks.Name, pace *estimate.Pace) (changed map[string]estimate.Past, forgotten string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = map[string]estimate.Past{}
	for _, place := range []string{placeOf(line), anywhere} {
		past := s.of[place]
		if past.Note(pace) {
			s.of[place], changed[place] = past, past
		}
	}
	if len(s.of) > mostPasts {
		forgotten = s.forget(changed)
	}
	return changed, forgotten
}

// forget forgets a place that is not among some, and returns it. Holds mu.
func (s *pasts) forget(but map[string]estimate.Past) string {
	for place := range s.of { // in any order
		if _, stays := but[place]; !stays && place != anywhere {
			delete(s.of, place)
			return place
		}
	}
	return ""
}

// store stores pasts. What fails is lost: they are figures, and no line depends on them.
func (s *pasts) store(changed map[string]estimate.Past, forgotten string) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	values := make([]any, 0, 2*len(changed))
	for place, past := range changed { // in any order
		text, err := json.Marshal(past)
		if err != nil {
			continue
		}
		values = append(values, place, text)
	}
	_, err := s.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.HSet(ctx, s.key, values...)
		if forgotten != "" {
			pipe.HDel(ctx, s.key, forgotten)
		}
		pipe.Expire(ctx, s.key, pastLife)
		return nil
	})
	if err != nil {
		s.log.Warn("store paces of lines failed", "error", err)
	}
}

// load reads what is stored. A process that cannot begins without.
func (s *pasts) load(ctx context.Context) {
	stored, err := s.rdb.HGetAll(ctx, s.key).Result()
	if err != nil {
		s.log.WarnContext(ctx, "load paces of lines failed", "error", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for place, text := range stored { // in any order
		var past estimate.Past
		if _, noted := s.of[place]; !noted && json.Unmarshal([]byte(text), &past) == nil && past.Lines >= 1 {
			s.of[place] = past
		}
	}
}
