package e2e_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"lunchgo/db/dbtest"
)

// kafka returns the address of a Kafka with empty topics: one in the process, or the first of KAFKA_TEST_BROKERS, whose
// topics of these names it makes anew.
func kafka(t *testing.T) string {
	t.Helper()
	if known, _, _ := strings.Cut(os.Getenv("KAFKA_TEST_BROKERS"), ","); known != "" {
		emptyTopics(t, known)
		return known
	}
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(4, "lunchgo.reservations", "lunchgo.slots",
		"lunchgo.wallets", "lunchgo.payments"))
	dbtest.Must(t, err)
	t.Cleanup(cluster.Close)
	return cluster.ListenAddrs()[0]
}

func emptyTopics(t *testing.T, broker string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker))
	dbtest.Must(t, err)
	defer client.Close()
	names := []string{"lunchgo.reservations", "lunchgo.slots", "lunchgo.wallets", "lunchgo.payments"}
	remove := kmsg.NewPtrDeleteTopicsRequest()
	remove.TopicNames = names
	for _, name := range names {
		topic := kmsg.NewDeleteTopicsRequestTopic()
		topic.Topic = kmsg.StringPtr(name)
		remove.Topics = append(remove.Topics, topic)
	}
	_, err = remove.RequestWith(t.Context(), client)
	dbtest.Must(t, err)
	for _, name := range names {
		topic := kmsg.NewCreateTopicsRequestTopic()
		topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, 4, 1
		create := kmsg.NewPtrCreateTopicsRequest()
		create.Topics = []kmsg.CreateTopicsRequestTopic{topic}
		dbtest.Eventually(t, "the topic is made anew", func() bool {
			made, err := create.RequestWith(t.Context(), client)
			return err == nil && made.Topics[0].ErrorCode == 0
		})
	}
}

// eventCrowd books, pays and cancels at several instances, of which some may be gone.
type eventCrowd struct {
	at     []*product
	slot   slot
	booked atomic.Int64
	on     func(booked int64) // after each booking
}

// insist sends a request, to one instance after another, until it is answered.
func (c *eventCrowd) insist(d diner, i int, method, path string, in body) (status int, answer []byte) {
	key := rand.Text()
	again := time.NewTicker(lookEvery)
	defer again.Stop()
	for deadline := time.Now().Add(4 * patience); time.Now().Before(deadline); i++ {
		d.product = c.at[i%len(c.at)].in(d.t)
		var err error
		status, answer, err = d.try(method, path, in, "Idempotency-Key", key, "Prefer", "wait=10")
		if err == nil && status != http.StatusTooManyRequests && status < http.StatusInternalServerError {
			return status, answer
		}
		<-again.C
	}
	d.t.Errorf("%s %s is not answered: %d %s", method, path, status, answer)
	return status, answer
}

// play is what a diner does: two of three keep what they pay for.
func (c *eventCrowd) play(d diner, i int) {
	status, answer := c.insist(d, i, http.MethodPost, "/api/reservations", c.slot.order())
	var made struct{ ID string }
	if status != http.StatusCreated || json.Unmarshal(answer, &made) != nil {
		return // sold out
	}
	c.on(c.booked.Add(1))
	c.insist(d, i+1, http.MethodPost, "/api/reservations/"+made.ID+"/payment", body{"kind": "deposit"})
	if i%3 == 0 {
		c.insist(d, i+2, http.MethodDelete, "/api/reservations/"+made.ID, nil)
	}
}

// keptEvent is what a consumer stores of a key: the last state.
type keptEvent struct {
	Sequence string
	Data     map[string]any
}

// consume reads a topic until it has seen so many events, and returns the last of each key and how many were repeats.
func consume(t *testing.T, broker, topic string, n int) (last map[string]keptEvent, repeats int) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(broker), kgo.ConsumeTopics(topic))
	dbtest.Must(t, err)
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	last = map[string]keptEvent{}
	for seen := map[string]bool{}; len(seen) < n; {
		fetched := client.PollFetches(ctx)
		if ctx.Err() != nil {
			t.Fatalf("%d of %d events are in the topic", len(seen), n)
		}
		fetched.EachRecord(func(r *kgo.Record) {
			var e keptEvent
			dbtest.Must(t, json.Unmarshal(r.Value, &e))
			if seen[e.Sequence] {
				repeats++
			}
			seen[e.Sequence] = true
			if e.Sequence > last[string(r.Key)].Sequence {
				last[string(r.Key)] = e
			}
		})
	}
	return last, repeats
}

// present has the database say what the state of reservations is now, as an event would.
func (p *product) present(ids []string) map[string]map[string]any {
	p.t.Helper()
	tx, err := p.db.BeginTx(p.t.Context(), nil)
	dbtest.Must(p.t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(p.t.Context(), `
		SELECT write_reservation_events(restaurant_id, array_agg(id), array_agg('now'::text))
		FROM reservations
		WHERE id = ANY ($1)
		GROUP BY restaurant_id`, pq.Array(ids))
	dbtest.Must(p.t, err)
	rows, err := tx.QueryContext(p.t.Context(), `SELECT key, data FROM outbox WHERE type = 'now'`)
	dbtest.Must(p.t, err)
	defer func() { _ = rows.Close() }()
	states := map[string]map[string]any{}
	for rows.Next() {
		var key string
		var data []byte
		dbtest.Must(p.t, rows.Scan(&key, &data))
		var state map[string]any
		dbtest.Must(p.t, json.Unmarshal(data, &state))
		states[key] = state
	}
	dbtest.Must(p.t, rows.Err())
	return states
}

// TestSoak_Events lets a crowd book, pay and cancel at three instances, of which two are killed in the middle. From the
// topic alone a consumer knows the state of each reservation.
func TestSoak_Events(t *testing.T) {
	skipUnlessSoak(t)
	broker := kafka(t)
	first := newProduct(t, "KAFKA_BROKERS="+broker)
	second, third := first.beside(), first.beside()
	s := first.freeSlot("sotbul", 2)
	first.setCapacity(s, tables*s.party)
	c := &eventCrowd{at: []*product{first, second, third}, slot: s, on: func(booked int64) {
		switch booked {
		case tables / 5:
			first.kill()
		case tables / 2:
			second.kill()
		}
	}}
	var crowds sync.WaitGroup
	began := time.Now()
	for i, token := range third.seedDiners(crowd) {
		crowds.Go(func() { c.play(diner{product: third, token: token}, i) })
	}
	crowds.Wait()
	dbtest.Eventually(t, "refunds are paid and all events sent", func() bool {
		return third.number(`SELECT (SELECT count(*) FROM reservations WHERE state = 'refund_pending')
			+ (SELECT count(*) FROM outbox WHERE kafka) + (SELECT count(*) FROM touched_days)`) == 0
	})
	last, repeats := consume(t, broker, "lunchgo.reservations",
		int(third.number(`SELECT count(*) FROM outbox WHERE type LIKE 'lunchgo.reservation.%'`)))
	var ids []string
	for id := range last { // in any order
		ids = append(ids, id)
	}
	states := third.present(ids)
	for id, e := range last {
		if !reflect.DeepEqual(e.Data, states[id]) {
			t.Errorf("the topic says\n%v\nthe database\n%v", e.Data, states[id])
		}
	}
	if n := int(c.booked.Load()); n < tables || len(last) < n {
		t.Errorf("%d bookings, %d of them in the topic, want %d or more", n, len(last), tables)
	}
	slots, _ := consume(t, broker, "lunchgo.slots", 1)
	for key, e := range slots {
		if strings.HasSuffix(key, s.date+"/"+s.time) && e.Data["capacity"] != float64(tables*s.party) {
			t.Errorf("of the slot: %v", e.Data)
		}
	}
	t.Logf(
		"%d bookings of a crowd of %d in %s, two of three instances killed: %d reservations rebuilt from the topic, %d repeats", c.booked.Load(), crowd, time.Since(began).Round(time.Second), len(last), repeats)
}
