package rush

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"
)

// monitorEvery is how often the target is looked at during the rush: often enough to see a moment's overselling, rarely
// enough to cost it little.
const monitorEvery = 500 * time.Millisecond

// monitor looks at the target from outside while a rush goes on, and keeps the extremes. It belongs to one goroutine at
// a time.
type monitor struct {
	target  Target
	stage   Stage
	servers []server // where the instances show their metrics
	client  *http.Client

	memory      []extremes // by server, in bytes
	connections float64
	idlePing    float64 // to Redis, in seconds
	before      costs   // of the rush
	after       costs
	oversold    int
	figures     []map[string]float64 // by server, the last
	err         error                // why the seats could not be seen
}

// extremes is the first and the greatest value seen; both are NaN before any.
type extremes struct{ first, most float64 }

func (s *extremes) add(value float64) {
	if math.IsNaN(s.first) {
		s.first, s.most = value, value
	}
	if value > s.most {
		s.most = value
	}
}

func (s extremes) growth() float64 { return s.most - s.first }

func newMonitor(target Target, stage Stage, servers []server) *monitor {
	unseen := extremes{math.NaN(), math.NaN()}
	g := &monitor{target: target, stage: stage, servers: servers, connections: math.NaN(), idlePing: math.NaN(),
		client: &http.Client{Timeout: answerTime}}
	for range servers {
		g.memory, g.figures = append(g.memory, unseen), append(g.figures, nil)
	}
	return g
}

// watch looks until stop is called, and once more then.
func (g *monitor) watch(ctx context.Context) (stop func()) {
	stopping, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(monitorEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				g.read(ctx)
			case <-stopping:
				g.read(ctx)
				g.after = g.readCosts(ctx)
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
func (g *monitor) begin(ctx context.Context) error {
	g.read(ctx)
	return g.err
}

// read reads the metrics of every server, and the seats. A server that does not answer is passed over: what that means
// for diners, they tell themselves.
func (g *monitor) read(ctx context.Context) {
	for i, s := range g.servers {
		found, err := readMetrics(ctx, g.client, s.base)
		if err != nil {
			continue
		}
		g.figures[i] = found.values
		if bytes, ok := found.values[metricMemory]; ok {
			g.memory[i].add(bytes)
		}
		if most, ok := found.values[metricConnections]; ok && !(g.connections >= most) {
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

// memoryGrowth is by how much all servers together have grown; NaN where one does not tell.
func (g *monitor) memoryGrowth() float64 {
	if len(g.memory) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, m := range g.memory {
		sum += m.growth()
	}
	return sum
}
