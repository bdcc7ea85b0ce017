package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/events"
	"lunchgo/app/events/kafka"
	"lunchgo/db/outbox"
)

// replayCommand sends events that were sent before to Kafka again, under the same ids.
func replayCommand(ctx context.Context, c Config, args []string, out io.Writer) (err error) {
	replay, err := parseReplayFlags(args, out)
	if err != nil {
		return badFlags(err)
	}
	if len(c.Kafka.Brokers) == 0 {
		return errors.New("replay needs KAFKA_BROKERS")
	}
	c.statementTime = longStatements
	b, err := openDatabase(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	sent, err := replay.Run(ctx, outbox.NewStore(b.DB), c.kafka())
	if err == nil {
		fmt.Fprintf(out, "sent %d events again\n", sent)
	}
	return err
}

func parseReplayFlags(args []string, out io.Writer) (r kafka.Replay, err error) {
	flags := newFlags(out, "replay --from TIME|ID [flags]",
		"Sends events that Kafka had before to it again, in their order and with the same ids, from a time or an event "+
			"on.\nThey are kept for EVENTS_KEEP. Exits 1 when Kafka does not take them.")
	from := flags.String("from", "", "the first: its id, or a time such as 2026-11-22T18:00:00+09:00")
	addTopicFlag(flags, &r.Topics)
	if err := flags.Parse(args); err != nil {
		return r, err
	}
	r.From, err = parseStart(*from)
	if flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(out, err)
		flags.Usage()
	}
	return r, err
}

// addTopicFlag adds the flag that names topics of events.
func addTopicFlag(flags *flag.FlagSet, topics *[]string) {
	flags.Func("topic", "only this `topic`, one of "+strings.Join(events.Topics(), ", ")+"; may be repeated",
		func(topic string) error {
			if !slices.Contains(events.Topics(), topic) {
				return errors.New("there is no such topic")
			}
			*topics = append(*topics, topic)
			return nil
		})
}

// parseStart reads an event's id, or a time.
func parseStart(text string) (from events.Start, err error) {
	if from.ID, err = strconv.ParseInt(text, 10, 64); err == nil && from.ID > 0 {
		return from, nil
	}
	if from.At, err = time.Parse(time.RFC3339, text); err == nil {
		return events.Start{At: from.At}, nil
	}
	return events.Start{}, fmt.Errorf("--from is an event's id, or a time such as 2026-11-22T18:00:00+09:00, not %q",
		text)
}
