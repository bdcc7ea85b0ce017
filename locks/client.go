package locks

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks/internal/memory"
)

// Client is one node's access to all lines in one Redis. It is safe for concurrent use.
type Client struct {
	rdb         redis.Cmdable // a UniversalClient: under that name, whoever imports Client compiles much of go-redis
	cfg         Config
	keyLife     time.Duration // keys are gone this long after the last operation on their line
	scripts     map[operation]*redis.Script
	requests    atomic.Uint64
	publishMode publishMode
	clock       func() time.Time // this node's; only how far it goes on counts, never what it shows
	serverClock *memory.Clock
	patience    time.Duration // from the moment when Redis fell silent until turns are given in memory
	registry    *registry     // none without Config.Orphans

	ctx  context.Context // ends when the client is closed
	end  context.CancelCauseFunc
	busy sync.WaitGroup // every goroutine of the client

	mu            sync.Mutex // guards what follows; may be held while taking a session's, never the other way round
	closed        bool
	sessions      map[Name]*session          // lines in use
	subscriptions map[string]*subscription   // by partition
	partitions    map[string]*partition      // none without Config.Fallback
	calls         map[string]*partitionCalls // that somebody waits for, by partition
}

// NewClient returns a client that owns tickets under cfg.Node. It starts nothing until a ticket waits, but, with
// Config.Orphans, a look every beat for lines whose nodes died. The caller keeps rdb and closes it after the client.
func NewClient(rdb redis.UniversalClient, cfg Config) *Client {
	cfg = cfg.withDefaults()
	ctx, end := context.WithCancelCause(context.Background())
	c := &Client{
		rdb:           rdb,
		cfg:           cfg,
		keyLife:       max(cfg.Keep, 3*max(cfg.Lease, cfg.TTL, cfg.ClaimWindow)),
		scripts:       newScripts(cfg.Fallback),
		clock:         time.Now,
		serverClock:   &memory.Clock{},
		patience:      patience(cfg),
		ctx:           ctx,
		end:           end,
		sessions:      make(map[Name]*session),
		subscriptions: make(map[string]*subscription),
		partitions:    make(map[string]*partition),
		calls:         make(map[string]*partitionCalls),
	}
	if cfg.Orphans != nil {
		c.registry = newRegistry(c)
		c.start(c.registry.run)
	}
	return c
}

func (cfg Config) withDefaults() Config {
	fill := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	fill(&cfg.Lease, 10*time.Second)
	fill(&cfg.Beat, 2*time.Second)
	fill(&cfg.TTL, 7*time.Second)
	fill(&cfg.ClaimWindow, 3*time.Second)
	fill(&cfg.Keep, 30*time.Minute)
	fill(&cfg.MaxHold, 30*time.Second)
	cfg.MaxHold = max(cfg.MaxHold, cfg.ClaimWindow)
	if cfg.Prefix == "" {
		cfg.Prefix = "line"
	}
	if cfg.Node == "" {
		host, _ := os.Hostname() // only for readers of logs; the random part makes it unique
		cfg.Node = host + "-" + rand.Text()[:12]
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return cfg
}

// Close ends every goroutine, subscription and turn of the client and waits for them until ctx ends. Tickets stay in
// Redis: those with Entry.Work are served by other nodes, the others have their TTL to be entered elsewhere. Calls
// after it return ErrClientClosed.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.end(ErrClientClosed)
	done := make(chan struct{})
	go func() {
		c.busy.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Joint returns several lines of a partition taken together: a ticket that enters it stands in all of them with one
// arrival number, and has its turn when it is the first live one in all and all are free, under one fence, or not at
// all.
func (c *Client) Joint(partition string, lines ...string) *Line {
	return c.Line(JointName(partition, lines))
}

// Line returns a line; it costs nothing until it is used. While a line is in use it is always the same pointer.
func (c *Client) Line(n Name) *Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[n]; s != nil {
		return s.line
	}
	return &Line{client: c, name: n}
}

// session returns the line's session and keeps it until done is called.
func (c *Client) session(l *Line) (*session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClientClosed
	}
	s := c.sessions[l.name]
	if s == nil {
		s = newSession(l)
		if s.partition = c.partition(l.name.Partition); s.partition != nil {
			s.partition.users++
		}
		c.sessions[l.name] = s
	}
	s.users++
	return s, nil
}

// endUse gives back what session returned. A session that nobody uses and that has no tickets is forgotten.
func (c *Client) endUse(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.users--
	if s.users == 0 && s.empty() {
		delete(c.sessions, s.name)
		if s.partition != nil {
			s.partition.users--
			s.partition.idle = c.clock()
		}
	}
}

// spawn runs work on a line's session in a goroutine that Close waits for. Once closed it does nothing and returns
// false.
func (c *Client) spawn(l *Line, work func(*session)) bool {
	s, err := c.session(l)
	if err != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		s.users--
		return false
	}
	c.busy.Go(func() {
		defer c.endUse(s)
		work(s)
	})
	return true
}

// start runs work in a goroutine that Close waits for. Once closed it does nothing.
func (c *Client) start(work func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.busy.Go(work)
	}
}

// sessionsOf lists the sessions of a partition.
func (c *Client) sessionsOf(partition string) []*session {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sessions []*session
	for name, s := range c.sessions { // in any order
		if name.Partition == partition {
			sessions = append(sessions, s)
		}
	}
	return sessions
}

// until is how long it is to a moment of this node's clock.
func (c *Client) until(moment time.Time) time.Duration { return moment.Sub(c.clock()) }

// nodeLife is how long a node counts as alive after a beat (µs), negative if this one serves no orphans.
func (c *Client) nodeLife() int64 {
	if c.cfg.Orphans == nil {
		return -c.cfg.TTL.Microseconds()
	}
	return c.cfg.TTL.Microseconds()
}

func (c *Client) requestID() string {
	return c.cfg.Node + ":" + strconv.FormatUint(c.requests.Add(1), 36)
}
