package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"lunchgo/app/events"
	"lunchgo/db/outbox"
)

// eventsCommand prints kept events, and those that come, a line each.
func eventsCommand(ctx context.Context, c Config, args []string, out io.Writer) (err error) {
	follow, whole, err := parseEventsFlags(args, out)
	if err != nil {
		return badFlags(err)
	}
	b, err := openDatabase(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return follow.Run(ctx, outbox.NewStore(b.DB), func(e events.Event) error {
		if !whole {
			_, err := fmt.Fprintf(out, "%s %s %s %s\n", e.At.Format(time.RFC3339Nano), e.Type, e.Key, e.Data)
			return err
		}
		text, err := e.CloudEvent(c.site())
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	})
}

func parseEventsFlags(args []string, out io.Writer) (f events.Follow, whole bool, err error) {
	flags := newFlags(out, "events [flags]", "Prints the events of the last EVENTS_KEEP, a line each: time, type, "+
		"key and the state after it. Needs no Kafka:\nwhile --follow runs, events are written in any case.")
	from := flags.String("from", "",
		"the first: its id, or a time such as 2026-11-22T18:00:00+09:00; none: the first kept, with --follow now")
	addTopicFlag(flags, &f.Topics)
	flags.BoolVar(&f.Wait, "follow", false, "go on with events as they come, until it is ended")
	flags.BoolVar(&whole, "json", false, "print CloudEvents as Kafka gets them")
	if err := flags.Parse(args); err != nil {
		return f, whole, err
	}
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case *from != "":
		f.From, err = parseStart(*from)
	case f.Wait:
		f.From.At = time.Now()
	}
	if err != nil {
		fmt.Fprintln(out, err)
		flags.Usage()
	}
	return f, whole, err
}
