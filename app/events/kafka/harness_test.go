package kafka_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"lunchgo/app/events"
	"lunchgo/app/events/kafka"
	"lunchgo/db/dbtest"
	"lunchgo/db/outboxtest"
)

// topic is where the events of these tests go.
const topic = "lunchgo.reservations"

// harness is an outbox of the test's own, and a Kafka: in the process, or the one at KAFKA_TEST_BROKERS.
type harness struct {
	outboxtest.Outbox
	kafka kafka.Cluster
	cable *cable
}

func setup(t *testing.T) *harness {
	t.Helper()
	cable := &cable{}
	return &harness{Outbox: outboxtest.Open(t), cable: cable, kafka: kafka.Cluster{Brokers: brokers(t),
		Source: "https://" + strings.ToLower(rand.Text()) + ".example", Dial: cable.dial}}
}

// brokers are those of a Kafka with the topics.
func brokers(t *testing.T) []string {
	t.Helper()
	if known := os.Getenv("KAFKA_TEST_BROKERS"); known != "" {
		return strings.Split(known, ",")
	}
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1),
		kfake.SeedTopics(3, topic, "lunchgo.slots", "lunchgo.wallets", "lunchgo.payments"))
	dbtest.Must(t, err)
	t.Cleanup(cluster.Close)
	return cluster.ListenAddrs()
}

// cable is how a relay reaches Kafka; it can be pulled.
type cable struct {
	mu     sync.Mutex
	pulled bool
	open   []net.Conn
}

func (c *cable) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pulled {
		return nil, errors.New("the cable is pulled")
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err == nil {
		c.open = append(c.open, conn)
	}
	return conn, err
}

func (c *cable) pull(pulled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pulled = pulled
	for _, conn := range c.open {
		_ = conn.Close()
	}
	c.open = nil
}

// journal keeps what is logged.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *journal) count(part string) int { return strings.Count(j.String(), part) }

// meter counts failures.
type meter struct{ failures atomic.Int64 }

func (m *meter) Backlog(map[string]events.Backlog) {}
func (m *meter) SendFailed(string)                 { m.failures.Add(1) }

// paces are short, so that no test waits.
var paces = kafka.Paces{Lease: 600 * time.Millisecond, Poll: 5 * time.Millisecond, Idle: 20 * time.Millisecond,
	Slow: 100 * time.Millisecond, Refused: 50 * time.Millisecond}

// relay runs a relay until the returned function is called, or the test ends.
func (h *harness) relay(t *testing.T, store events.Store, edits ...func(*kafka.Config)) (stop func()) {
	t.Helper()
	c := kafka.Config{Store: store, Kafka: h.kafka, Holder: rand.Text(), Paces: paces, Meter: &meter{},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for _, edit := range edits {
		edit(&c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		kafka.NewRelay(c).Run(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-done
	})
	t.Cleanup(stop)
	return stop
}

// received is an event as a consumer reads it.
type received struct {
	SpecVersion, ID, Source, Type, Subject, Sequence, DataContentType string
	Time                                                              time.Time
	Data                                                              struct{ Number int }
}

// consumer reads the events of a harness in the order in which Kafka has them.
type consumer struct {
	client *kgo.Client
	source string
	all    []received
}

func (h *harness) consumer(t *testing.T) *consumer {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(h.kafka.Brokers...), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxWait(50*time.Millisecond))
	dbtest.Must(t, err)
	t.Cleanup(client.Close)
	return &consumer{client: client, source: h.kafka.Source}
}

// await reads until enough says so.
func (c *consumer) await(t *testing.T, enough func(all []received) bool) []received {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !enough(c.all) {
		fetched := c.client.PollFetches(ctx)
		if err := ctx.Err(); err != nil {
			t.Fatalf("%v; %d events were read", err, len(c.all))
		}
		fetched.EachRecord(func(r *kgo.Record) {
			var e received
			if err := json.Unmarshal(r.Value, &e); err != nil || e.Subject != string(r.Key) {
				t.Errorf("%s: %s: %v", r.Key, r.Value, err)
			}
			if e.Source == c.source {
				c.all = append(c.all, e)
			}
		})
	}
	return c.all
}

// distinct are the numbers of different events of each key.
func distinct(all []received) map[string]int {
	seen, n := map[string]bool{}, map[string]int{}
	for _, e := range all {
		if !seen[e.ID] {
			seen[e.ID] = true
			n[e.Subject]++
		}
	}
	return n
}

// have waits for so many different events.
func have(n int) func([]received) bool {
	return func(all []received) bool {
		total := 0
		for _, of := range distinct(all) {
			total += of
		}
		return total >= n
	}
}

// late counts events that come after a later one of their key, and those of them that the consumer has not read before:
// those it cannot tell from news.
func late(all []received) (repeats, lost int) {
	last, seen := map[string]string{}, map[string]bool{}
	for _, e := range all {
		switch {
		case e.Sequence > last[e.Subject]:
			last[e.Subject] = e.Sequence
		case seen[e.ID]:
			repeats++
		default:
			lost++
		}
		seen[e.ID] = true
	}
	return repeats, lost
}
