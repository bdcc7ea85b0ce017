package rush

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"
)

// gaugeEvery is how often the target is looked at during the rush: often enough to see a moment's overselling, rarely
// enough to cost it little.
const gaugeEvery = 500 * time.Millisecond

// gauge looks at the target from outside while a rush goes on, and keeps the extremes. It belongs to one goroutine at a
// time.
type gauge struct {
	target  Target
	stage   Stage
	servers []server
	client  *http.Client

	memory      []span // by server, in bytes
	connections float64
	redis       span
	oversold    int
	err         error // why the seats could not be seen
}

// span is the first and the greatest value seen; both are NaN before any.
type span struct{ first, most float64 }

func (s *span) see(value float64) {
	if math.IsNaN(s.first) {
		s.first, s.most = value, value
	}
	if value > s.most {
		s.most = value
	}
}

func (s span) growth() float64 { return s.most - s.first }

func newGauge(target Target, stage Stage, servers []server) *gauge {
	unseen := span{math.NaN(), math.NaN()}
	g := &gauge{target: target, stage: stage, servers: servers, connections: math.NaN(), redis: unseen,
		client: &http.Client{Timeout: answerTime}}
	for range servers {
		g.memory = append(g.memory, unseen)
	}
	return g
}

// watch looks until stop is called, and once more then.
func (g *gauge) watch(ctx context.Context) (stop func()) {
	stopping, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(gaugeEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				g.look(ctx)
			case <-stopping:
				g.look(ctx)
				g.countCommands(ctx)
				return
			}
		}
	}()
	return func() {
		close(stopping)
		<-done
		g.client.CloseIdleConnections()
	}
}

// begin takes the values from before the rush.
func (g *gauge) begin(ctx context.Context) error {
	g.look(ctx)
	g.countCommands(ctx)
	return g.err
}

// look reads the metrics of every server, and the seats. A server that does not answer is passed over: what that means
// for diners, they tell themselves.
func (g *gauge) look(ctx context.Context) {
	for i, s := range g.servers {
		found, err := readMetrics(ctx, g.client, s.base)
		if err != nil {
			continue
		}
		if bytes, ok := found[metricMemory]; ok {
			g.memory[i].see(bytes)
		}
		if most, ok := found[metricConnections]; ok && !(g.connections >= most) {
			g.connections = most
		}
	}
	seats, err := g.target.Installation.Seats(ctx, g.stage)
	if err != nil {
		g.err = errors.Join(g.err, err)
		return
	}
	g.oversold = max(g.oversold, oversold(seats))
}

func (g *gauge) countCommands(ctx context.Context) {
	if g.target.RedisCommands == nil {
		return
	}
	if n, err := g.target.RedisCommands(ctx); err == nil {
		g.redis.see(float64(n))
	}
}

// memoryGrowth is by how much all servers together have grown; NaN where one does not tell.
func (g *gauge) memoryGrowth() float64 {
	sum := 0.0
	for _, m := range g.memory {
		sum += m.growth()
	}
	return sum
}
