package kafka_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"lunchgo/app/events"
	"lunchgo/app/events/kafka"
	"lunchgo/db/dbtest"
)

func TestRelay_SendsEachKeyInOrder(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for i := range 40 {
		h.Write(t, fmt.Sprint("r", i%4), 20)
	}
	h.relay(t, h.Store)
	all := h.consumer(t).await(t, have(800))
	if repeats, lost := late(all); len(all) != 800 || repeats+lost != 0 {
		t.Errorf("%d events, %d repeats, %d out of order", len(all), repeats, lost)
	}
	e := all[0]
	if e.SpecVersion != "1.0" || e.Type != "lunchgo.reservation.changed" || e.DataContentType != "application/json" ||
		e.Time.IsZero() || e.Data.Number != 1 {
		t.Errorf("%+v", e)
	}
	h.awaitNothingWaits(t)
}

func (h *harness) awaitNothingWaits(t *testing.T) {
	t.Helper()
	await(t, "no event waits", func() bool { return h.Count(t, `SELECT count(*) FROM outbox WHERE kafka`) == 0 })
}

// await waits until something is so: longer than others, since Kafka's client pauses between its tries.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	dbtest.Within(t, time.Minute, what, is)
}

// dying is the store of a process that dies before it marks what it has sent.
type dying struct {
	events.Store
	die func()
}

func (d dying) MarkSent(context.Context, []int64) error {
	d.die()
	return context.Canceled
}

// marksFirst is the store of a process that marks events before it sends them.
type marksFirst struct{ events.Store }

func (m marksFirst) ListWaiting(ctx context.Context, w events.Waiting) ([]events.Event, error) {
	list, err := m.Store.ListWaiting(ctx, w)
	var ids []int64
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	if err == nil {
		err = m.Store.MarkSent(ctx, ids)
	}
	return list, err
}

func TestRelay_RepeatsWhatADeadOneSent(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Write(t, "a", 10)
	died := make(chan struct{})
	stop := h.relay(t, dying{h.Store, func() {
		select {
		case <-died:
		default:
			close(died)
		}
	}})
	<-died
	stop()
	h.Write(t, "a", 5)
	h.relay(t, h.Store)
	h.awaitNothingWaits(t)
	all := h.consumer(t).await(t, have(15))
	if repeats, lost := late(all); lost != 0 || repeats+len(distinct(all)) < 10 {
		t.Errorf("%d events, %d repeats, %d out of order", len(all), repeats, lost)
	}
}

// Control: one that marks first loses what it has not sent.
func TestRelay_LosesWhatItMarksFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.cable.pull(true)
	h.Write(t, "a", 10)
	stop := h.relay(t, marksFirst{h.Store})
	h.awaitNothingWaits(t)
	stop()
	h.cable.pull(false)
	h.Write(t, "b", 1)
	h.relay(t, h.Store)
	if all := h.consumer(t).await(t, have(1)); distinct(all)["a"] != 0 || distinct(all)["b"] != 1 {
		t.Errorf("nothing is lost without the guard: %v", distinct(all))
	}
}

// pausing is the store of a process that stops for a while between reading events and sending them.
type pausing struct {
	events.Store
	paused, goOn chan struct{}
	lease        time.Duration // what the database gives it; 0: what it asks for
}

func (p pausing) Hold(ctx context.Context, lease events.Lease) (bool, error) {
	if p.lease > 0 {
		lease.For = p.lease
	}
	select {
	case <-p.paused: // it does not run
		<-p.goOn
	default:
	}
	return p.Store.Hold(ctx, lease)
}

func (p pausing) ListWaiting(ctx context.Context, w events.Waiting) ([]events.Event, error) {
	list, err := p.Store.ListWaiting(ctx, w)
	if len(list) > 0 {
		select {
		case <-p.paused:
		default:
			close(p.paused)
			<-p.goOn
		}
	}
	return list, err
}

// pause has one relay stop with events in its hands until another has sent them, and more. It returns what a consumer
// reads.
func pause(t *testing.T, guarded bool) []received {
	t.Helper()
	h := setup(t)
	h.Write(t, "a", 10)
	p := pausing{Store: h.Store, paused: make(chan struct{}), goOn: make(chan struct{}), lease: paces.Lease}
	h.relay(t, p, func(c *kafka.Config) {
		if !guarded { // it believes for long that it has the lease
			c.Paces.Lease = time.Hour
		}
	})
	<-p.paused
	c := h.consumer(t)
	h.relay(t, h.Store)
	c.await(t, have(10))
	h.Write(t, "a", 5)
	c.await(t, have(15))
	h.awaitNothingWaits(t)
	close(p.goOn)
	if guarded { // the first goes on, and does not send; another event shows that all before it were read
		h.Write(t, "a", 1)
		return c.await(t, have(16))
	}
	return c.await(t, func(all []received) bool { return len(all) > 15 })
}

func TestRelay_PausedHolderSendsNoMore(t *testing.T) {
	t.Parallel()
	if repeats, lost := late(pause(t, true)); repeats+lost != 0 {
		t.Errorf("%d repeats and %d others come late", repeats, lost)
	}
}

// Control: one that does not look at its lease repeats old events after newer ones. A consumer knows them by their
// sequence.
func TestRelay_WithoutLeaseRepeatsLate(t *testing.T) {
	t.Parallel()
	if repeats, lost := late(pause(t, false)); repeats == 0 || lost != 0 {
		t.Errorf("%d repeats and %d others come late", repeats, lost)
	}
}

func TestRelay_WaitsWhileKafkaIsAway(t *testing.T) {
	t.Parallel()
	h := setup(t)
	m, log := &meter{}, &journal{}
	h.relay(t, h.Store, func(c *kafka.Config) { c.Meter, c.Log = m, slog.New(slog.NewTextHandler(log, nil)) })
	h.Write(t, "a", 10)
	c := h.consumer(t)
	c.await(t, have(10))
	h.cable.pull(true)
	h.Write(t, "a", 10)
	await(t, "it is noticed that Kafka is away", func() bool { return m.failures.Load() > 0 })
	h.cable.pull(false)
	if repeats, lost := late(c.await(t, have(20))); lost != 0 {
		t.Errorf("%d repeats, %d out of order", repeats, lost)
	}
	h.awaitNothingWaits(t)
	await(t, "the log says that Kafka is away, and at last that it is back", func() bool {
		text := log.String()
		return strings.LastIndex(text, "events wait") < strings.LastIndex(text, "events are sent")
	})
	silent := log.count(`error="no answer"`) // before the reason is known
	away, sent := log.count("events wait"), log.count("events are sent")
	if away == 0 || away-silent > sent || sent > away+1 {
		t.Errorf("it says %d times that events wait, %d times that they are sent: want one after the other", away, sent)
	}
}

// Whoever has to sign in does; with a wrong password the events wait.
func TestRelay_SignsIn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, topic), kfake.EnableSASL(),
				kfake.Superuser(name, "lunchgo", "a password"))
			dbtest.Must(t, err)
			t.Cleanup(cluster.Close)
			h := setup(t)
			h.kafka.Brokers, h.kafka.User, h.kafka.Password, h.kafka.Mechanism = cluster.ListenAddrs(), "lunchgo",
				"wrong", name
			h.Write(t, "a", 1)
			var let atomic.Bool
			// as Apache Kafka answers
			cluster.ControlKey(int16(kmsg.SASLAuthenticate), func(r kmsg.Request) (kmsg.Response, error, bool) {
				cluster.KeepControl()
				refusal := r.ResponseKind().(*kmsg.SASLAuthenticateResponse)
				refusal.ErrorCode = kerr.SaslAuthenticationFailed.Code
				return refusal, nil, !let.Load()
			})
			h.awaitRefusal(t, "SASL_AUTHENTICATION_FAILED")
			let.Store(true)
			h.awaitRefusal(t, "connection initialization failed")
			h.kafka.Password = "a password"
			h.relay(t, h.Store)
			h.awaitNothingWaits(t)
		})
	}
}

// awaitRefusal has a relay try to send, until the log says why it cannot and the failure is counted. The event still
// waits.
func (h *harness) awaitRefusal(t *testing.T, why string) {
	t.Helper()
	m, log := &meter{}, &journal{}
	stop := h.relay(t, h.Store, func(c *kafka.Config) { c.Meter, c.Log = m, slog.New(slog.NewTextHandler(log, nil)) })
	await(t, "the log says: "+why,
		func() bool { return m.failures.Load() > 0 && log.count("events wait") > 0 && log.count(why) > 0 })
	stop()
	if n := h.Count(t, `SELECT count(*) FROM outbox WHERE kafka`); n != 1 {
		t.Errorf("%d events wait", n)
	}
}
