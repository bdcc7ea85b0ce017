package kafka_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"lunchgo/app/events/kafka"
	"lunchgo/db/dbtest"
)

// picky gives a harness a Kafka of its own, whose refusals a test arranges, and returns it with what is logged.
func picky(t *testing.T, opts ...kfake.Opt) (*harness, *kfake.Cluster, *journal) {
	t.Helper()
	cluster, err := kfake.NewCluster(append(opts, kfake.NumBrokers(1), kfake.SeedTopics(3, topic))...)
	dbtest.Must(t, err)
	t.Cleanup(cluster.Close)
	h := setup(t)
	h.kafka.Brokers = cluster.ListenAddrs()
	return h, cluster, &journal{}
}

func logging(log *journal) func(*kafka.Config) {
	return func(c *kafka.Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) }
}

// waiting returns how many events of a key wait.
func (h *harness) waiting(t *testing.T, key string) int {
	t.Helper()
	return h.Count(t, `SELECT count(*) FROM outbox WHERE kafka AND key = '`+key+`'`)
}

// A whole batch of events at the head that may not be sent, or whose topic is not there, does not keep those of another
// topic. They are sent as soon as they may be.
func TestRelay_RefusedTopicKeepsNoOther(t *testing.T) {
	t.Parallel()
	h, cluster, log := picky(t)
	dbtest.Must(t, cluster.CreateTopic("lunchgo.wallets", 1, nil))
	forbidden := cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Metadata}, Topic: "lunchgo.wallets",
		Err: kerr.TopicAuthorizationFailed, Count: -1})
	h.WriteOf(t, "lunchgo.wallet.charged", "w", 600)
	h.WriteOf(t, "lunchgo.slot.closed", "s", 600)
	h.Write(t, "a", 10)
	h.relay(t, h.Store, logging(log))
	await(t, "events of the other topic are sent", func() bool { return h.waiting(t, "a") == 0 })
	await(t, "the log says why", func() bool {
		return log.count("TOPIC_AUTHORIZATION_FAILED") > 0 && log.count("UNKNOWN_TOPIC_OR_PARTITION") > 0
	})
	h.Write(t, "a", 1)
	await(t, "more of them are sent", func() bool { return h.waiting(t, "a") == 0 })
	if w, s := h.waiting(t, "w"), h.waiting(t, "s"); w != 600 || s != 600 {
		t.Errorf("%d events of a topic that is forbidden wait, and %d of one that is not there", w, s)
	}
	forbidden.Remove()
	dbtest.Must(t, cluster.CreateTopic("lunchgo.slots", 1, nil))
	h.awaitNothingWaits(t)
}

// noise is text that compression makes little of.
func noise(n int) string {
	var text strings.Builder
	for text.Len() < n {
		text.WriteString(rand.Text())
	}
	return text.String()
}

// An event that is too large keeps those of its key, and no other.
func TestRelay_RefusedEventKeepsItsKeyOnly(t *testing.T) {
	t.Parallel()
	h, cluster, log := picky(t, kfake.BrokerConfigs(map[string]string{"message.max.bytes": "3000"}))
	h.WriteOf(t, "lunchgo.reservation."+noise(8_000), "large", 1)
	h.Write(t, "large", 5)
	for i := range 20 {
		h.Write(t, fmt.Sprint("r", i), 5)
	}
	h.relay(t, h.Store, logging(log))
	await(t, "events of other keys are sent", func() bool {
		return h.Count(t, `SELECT count(*) FROM outbox WHERE kafka`) == 6
	})
	await(t, "the log says why", func() bool {
		return log.count("MESSAGE_TOO_LARGE") > 0 && log.count("Kafka refuses an event") > 0
	})
	if n := h.waiting(t, "large"); n != 6 {
		t.Errorf("%d events of its key wait", n)
	}
	if err := cluster.DeleteTopic(topic); err != nil { // and make it anew, for larger ones: the client has to find out
		t.Fatal(err)
	}
	dbtest.Must(t, cluster.CreateTopic(topic, 2, map[string]string{"max.message.bytes": "1000000"}))
	h.awaitNothingWaits(t)
	if _, lost := late(h.consumer(t).await(t, have(6))); lost != 0 {
		t.Errorf("%d out of order", lost)
	}
}

// A partition that does not answer keeps the keys that go there, and no others.
func TestRelay_AwayPartitionKeepsNoOther(t *testing.T) {
	t.Parallel()
	h, cluster, log := picky(t)
	away := cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: topic, Partitions: []int32{0},
		Err: kerr.NotEnoughReplicas, Count: -1})
	for i := range 600 {
		h.Write(t, fmt.Sprint("r", i), 1)
	}
	patient := func(c *kafka.Config) { c.Paces.GiveUp, c.Paces.Refused = 300*time.Millisecond, time.Second }
	h.relay(t, h.Store, logging(log), patient)
	await(t, "the events of two partitions of three are sent", func() bool {
		n := h.Count(t, `SELECT count(*) FROM outbox WHERE kafka`)
		return n > 100 && n < 240
	})
	h.Write(t, "r0", 1)
	away.Remove()
	h.awaitNothingWaits(t)
	if _, lost := late(h.consumer(t).await(t, have(601))); lost != 0 {
		t.Errorf("%d out of order", lost)
	}
}
