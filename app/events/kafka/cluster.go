// Package kafka sends the events of the outbox to Apache Kafka, as CloudEvents. Of all processes the Relay of one sends
// at a time; a Replay sends again what was sent before.
package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"lunchgo/app/events"
)

// Mechanisms are the ways to sign in to Kafka.
var mechanisms = map[string]func(user, password string) kgo.Opt{
	"PLAIN": func(user, password string) kgo.Opt {
		return kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism())
	},
	"SCRAM-SHA-256": func(user, password string) kgo.Opt {
		return kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha256Mechanism())
	},
	"SCRAM-SHA-512": func(user, password string) kgo.Opt {
		return kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha512Mechanism())
	},
}

// IsMechanism says whether a name is one of the ways to sign in to Kafka.
func IsMechanism(name string) bool { return mechanisms[name] != nil }

// Cluster is the Kafka where events go.
type Cluster struct {
	Brokers        []string // host:port of some; the others are learned from them. None: events are not sent
	Source         string   // address of the installation, the source of its events
	TLS            bool
	User, Password string // none for an empty user
	Mechanism      string // PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512

	Dial func(ctx context.Context, network, address string) (net.Conn, error) // how to connect; nil: by TCP, and TLS
}

// maxRetryPause bounds how long Kafka is left alone after it has not answered.
const maxRetryPause = 5 * time.Second

// complaint is what a client last complained of. It tries for ever to connect and to sign in, and says nowhere else why
// it cannot.
type complaint struct{ last atomic.Pointer[error] }

// Level implements kgo.Logger. That a connection could not be set up is said at no higher level.
func (c *complaint) Level() kgo.LogLevel { return kgo.LogLevelDebug }

// Log implements kgo.Logger.
func (c *complaint) Log(_ kgo.LogLevel, message string, values ...any) {
	for i, value := range values {
		if err, ok := value.(error); ok && values[i-1] == "err" && !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%w: %s: %w", errNoAnswer, message, err)
			c.last.Store(&err)
		}
	}
}

var errNoAnswer = errors.New("no answer")

// why says why there is no answer.
func (c *complaint) why() error {
	if last := c.last.Load(); last != nil {
		return *last
	}
	return errNoAnswer
}

// open returns a client that complains to c; it connects by itself. A record counts as sent when all replicas in sync
// have it, and a retry of the client neither doubles it nor changes its order.
func (k Cluster) open(c *complaint) (*kgo.Client, error) {
	opts := []kgo.Opt{
		kgo.SeedBrokers(k.Brokers...),
		kgo.WithLogger(c),
		kgo.ClientID("lunchgo"),
		kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)), // by the key, as Java's clients do
		kgo.AllowAutoTopicCreation(),
		kgo.ProducerLinger(0),
		kgo.RetryBackoffFn(func(fails int) time.Duration {
			return min(50*time.Millisecond<<min(fails, 10), maxRetryPause)
		}),
	}
	switch {
	case k.Dial != nil:
		opts = append(opts, kgo.Dialer(k.Dial))
	case k.TLS:
		opts = append(opts, kgo.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	if k.User != "" {
		mechanism := mechanisms[k.Mechanism]
		if mechanism == nil {
			return nil, fmt.Errorf("events: there is no mechanism %q", k.Mechanism)
		}
		opts = append(opts, mechanism(k.User, k.Password))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	return client, nil
}

// record is an event on the wire.
func (k Cluster) record(e events.Event) (*kgo.Record, error) {
	value, err := e.CloudEvent(k.Source)
	return &kgo.Record{Topic: e.Topic(), Key: []byte(e.Key), Value: value, Timestamp: e.At,
		Headers: []kgo.RecordHeader{{Key: "content-type",
			Value: []byte("application/cloudevents+json; charset=utf-8")}}}, err
}

// send sends events in their order and returns, when Kafka has answered for all, the error of each; nil for what it has
// stored. Until then it tries again and again. When ctx ends first it closes the client, so that nothing is sent later.
func (k Cluster) send(ctx context.Context, client *kgo.Client, list []events.Event) []error {
	type answer struct {
		index int
		err   error
	}
	answers := make(chan answer, len(list))
	for i, e := range list {
		record, err := k.record(e)
		if err != nil {
			answers <- answer{i, err}
			continue
		}
		client.Produce(ctx, record, func(_ *kgo.Record, err error) { answers <- answer{i, err} })
	}
	errs, ended := make([]error, len(list)), ctx.Done()
	for range list {
		select {
		case a := <-answers:
			errs[a.index] = a.err
		case <-ended:
			client.Close() // answers for whatever is open
			ended = nil
			a := <-answers
			errs[a.index] = a.err
		}
	}
	return errs
}

// acknowledged are the ids of the events that Kafka has stored, and the first error. Behind one that it has not, later
// ones of the same key count as not stored: they are sent again after it.
func acknowledged(list []events.Event, errs []error) (ids []int64, failed error) {
	type key struct{ topic, key string }
	behind := map[key]bool{}
	for i, e := range list {
		at := key{e.Topic(), e.Key}
		switch {
		case errs[i] != nil:
			behind[at] = true
			if failed == nil {
				failed = fmt.Errorf("event %d, %s: %w", e.ID, e.Type, errs[i])
			}
		case !behind[at]:
			ids = append(ids, e.ID)
		}
	}
	return ids, failed
}
