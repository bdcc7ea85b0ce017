package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"lunchgo/app/events"
	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	dboutbox "lunchgo/db/outbox"
	dbseed "lunchgo/db/seed"
)

// eventful is an installation with the events of three wallets that were sent before, and one that waits; and a Kafka.
func eventful(t *testing.T) Config {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, events.Topics()...))
	dbtest.Must(t, err)
	t.Cleanup(cluster.Close)
	c := installation(t)
	c.Kafka.Brokers, c.Kafka.Mechanism = cluster.ListenAddrs(), "PLAIN"
	b, err := openDatabase(t.Context(), c, newLog(c))
	dbtest.Must(t, err)
	defer func() { _ = b.Close() }()
	dbtest.Must(t, b.DB.Migrate(t.Context()))
	outbox := dboutbox.NewStore(b.DB)
	if _, err := outbox.Hold(t.Context(),
		events.Lease{Holder: "test", For: time.Minute, Wanted: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if _, err := seed.Diners(t.Context(), dbseed.NewStore(b.DB), 3); err != nil {
		t.Fatal(err)
	}
	waiting, err := outbox.ListWaiting(t.Context(), events.Waiting{Kind: "lunchgo.wallet", Limit: 10})
	if err != nil || len(waiting) != 3 {
		t.Fatalf("%v, %v", waiting, err)
	}
	dbtest.Must(t, outbox.MarkSent(t.Context(), []int64{waiting[0].ID, waiting[1].ID}))
	return c
}

func TestReplayCommand_SendsWhatWasSent(t *testing.T) {
	t.Parallel()
	c := eventful(t)
	for _, test := range []struct{ args, want string }{
		{"--from 2", "sent 1 events again"},
		{"--from 2020-01-01T00:00:00Z --topic lunchgo.wallets", "sent 2 events again"},
		{"--from 1 --topic lunchgo.slots", "sent 0 events again"},
		{"--from 2099-01-01T00:00:00Z", "sent 0 events again"},
	} {
		var out bytes.Buffer
		if err := replayCommand(t.Context(), c, strings.Fields(test.args), &out); err != nil ||
			!strings.Contains(out.String(), test.want) {
			t.Errorf("%s: %v\n%s", test.args, err, out.String())
		}
	}
	consumer, err := kgo.NewClient(kgo.SeedBrokers(c.Kafka.Brokers...), kgo.ConsumeTopics("lunchgo.wallets"))
	dbtest.Must(t, err)
	defer consumer.Close()
	var values []string
	for len(values) < 3 {
		consumer.PollFetches(t.Context()).EachRecord(func(r *kgo.Record) { values = append(values, string(r.Value)) })
	}
	if values[0] != values[2] || values[1] == values[2] || !strings.Contains(values[1], `"id":"0000000000000000001"`) {
		t.Errorf("not the same events again: %v", values)
	}
}

func TestReplayCommand_Usage(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, args := range []string{"", "--from yesterday", "--from 0", "--from 1 --topic lunchgo.mails",
		"--from 1 now"} {
		out.Reset()
		if err := replayCommand(t.Context(), Config{}, strings.Fields(args), &out); !errors.Is(err, errUsage) ||
			!strings.Contains(out.String(), "Usage: lunchgo replay") {
			t.Errorf("%q: %v\n%s", args, err, out.String())
		}
	}
	if err := replayCommand(t.Context(), Config{}, []string{"--help"}, &out); err != nil {
		t.Errorf("--help: %v", err)
	}
	if err := replayCommand(t.Context(), Config{}, []string{"--from", "1"}, &out); err == nil ||
		errors.Is(err, errUsage) {
		t.Errorf("without KAFKA_BROKERS: %v", err)
	}
}
