package kafka

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"lunchgo/app/events"
	"lunchgo/app/jobs"
)

// maxRefused is how many keys of a topic can wait for an event that Kafka refuses before the whole topic waits.
const maxRefused = 1_000

// sender sends the events of one topic. Each topic has one of its own: events of a topic that Kafka refuses, or does
// not answer for, wait without keeping those of others.
type sender struct {
	*Relay
	kind, topic string
	hints       chan struct{}
	state       string // that was logged last
	client      *kgo.Client
	complaint   *complaint
	alone       bool               // each event goes by itself: Kafka refused one, and its partition with it
	refused     map[string]refusal // by key
}

// refusal says that an event is not sent again for a while, and so none of its key.
type refusal struct {
	event int64
	until time.Time
}

// run sends events until ctx ends. It rests at least as long as it took to find some: that is long where very many of
// another topic wait.
func (s *sender) run(ctx context.Context) {
	defer s.hangUp()
	for pause := s.Paces.Poll; ctx.Err() == nil; {
		began := time.Now()
		list, err := s.look(ctx)
		looked, sent := time.Since(began), 0
		if err == nil && len(list) > 0 {
			sent, err = s.send(ctx, list)
		}
		switch {
		case err != nil:
			pause = min(2*max(pause, s.Paces.Poll), maxRetryPause)
		case sent == batch:
			pause = 0
		case sent > 0:
			pause = s.Paces.Poll
		default:
			pause = min(max(2*pause, s.Paces.Poll), s.Paces.Idle)
		}
		jobs.Rest(ctx, s.hints, pause)
		if looked > s.Paces.Poll {
			jobs.Rest(ctx, nil, looked)
		}
	}
}

// look returns the first events that wait, those of refused keys excepted.
func (s *sender) look(ctx context.Context) ([]events.Event, error) {
	var except []string
	for key, refusal := range s.refused { // in any order
		if time.Now().Before(refusal.until) {
			except = append(except, key)
		}
	}
	if len(except) >= maxRefused {
		return nil, nil
	}
	return s.Store.ListWaiting(ctx, events.Waiting{Kind: s.kind, Except: except, Limit: batch})
}

var errNotLeading = errors.New("kafka: the lease is over")

// send sends events and marks those that Kafka has stored. It returns how many those are.
func (s *sender) send(ctx context.Context, list []events.Event) (int, error) {
	if !s.leads() {
		return 0, errNotLeading
	}
	if err := s.connect(); err != nil {
		s.note("no client", "events are not sent", "error", err)
		return 0, err
	}
	watch := s.watch()
	errs := s.tryAll(ctx, list)
	watch.end()
	ids, failed := acknowledged(list, errs)
	switch {
	case failed == nil:
		s.note("sending", "events are sent to Kafka")
	case ctx.Err() == nil:
		s.failed(failed)
		s.refuse(list, errs)
	}
	s.alone = !s.alone && slices.ContainsFunc(errs, isOfEvent)
	if failed != nil {
		s.hangUp() // a new client knows nothing old of the topic, such as that it is not there
	}
	if len(ids) == 0 {
		return 0, failed
	}
	// What is stored is marked, also when the process is about to end.
	marking, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Paces.Lease)
	defer cancel()
	return len(ids), errors.Join(failed, s.Store.MarkSent(marking, ids))
}

// tryAll sends events and returns the error of each. What has no answer after a while is given up for now.
func (s *sender) tryAll(ctx context.Context, list []events.Event) []error {
	sending, cancel := context.WithTimeout(ctx, s.Paces.GiveUp)
	defer cancel()
	var errs []error
	if s.alone {
		errs = s.tryEach(sending, list)
	} else {
		errs = s.Kafka.send(sending, s.client, list)
	}
	if sending.Err() != nil && ctx.Err() == nil {
		for i, err := range errs {
			if err != nil && !isOfEvent(err) {
				errs[i] = s.complaint.why()
			}
		}
	}
	return errs
}

// tryEach sends each event by itself, those of a key until one fails.
func (s *sender) tryEach(ctx context.Context, list []events.Event) []error {
	errs, ofKey := make([]error, len(list)), map[string]error{}
	for i, e := range list {
		switch {
		case ofKey[e.Key] != nil:
			errs[i] = ofKey[e.Key]
		case !s.leads():
			errs[i] = errNotLeading
		default:
			errs[i] = s.Kafka.send(ctx, s.client, list[i:i+1])[0]
			ofKey[e.Key] = errs[i]
		}
	}
	return errs
}

// isOfEvent says whether Kafka refuses an event for what it is.
func isOfEvent(err error) bool {
	return errors.Is(err, kerr.MessageTooLarge) || errors.Is(err, kerr.RecordListTooLarge) ||
		errors.Is(err, kerr.InvalidRecord) || errors.Is(err, kerr.InvalidTimestamp)
}

// refuse has the keys wait of events that Kafka refuses for what they are, and of those without an answer while others
// had one: they go to a partition that is away.
func (s *sender) refuse(list []events.Event, errs []error) {
	some := slices.Contains(errs, nil)
	for i, e := range list {
		err := errs[i]
		if err == nil {
			delete(s.refused, e.Key)
		}
		if !(isOfEvent(err) && s.alone) && !(errors.Is(err, errNoAnswer) && some) {
			continue
		}
		was, known := s.refused[e.Key]
		if known && time.Now().Before(was.until) {
			continue // for one before it
		}
		s.refused[e.Key] = refusal{event: e.ID, until: time.Now().Add(s.Paces.Refused)}
		if was.event != e.ID && isOfEvent(err) {
			s.Log.Warn("Kafka refuses an event: those of its key wait, others are sent", "event", e.ID, "topic",
				s.topic, "key", e.Key, "error", err)
		}
	}
}

func (s *sender) connect() (err error) {
	if s.client == nil {
		s.complaint = &complaint{}
		s.client, err = s.Kafka.open(s.complaint)
	}
	return err
}

func (s *sender) hangUp() {
	if s.client != nil {
		s.client.Close()
		s.client = nil
	}
}
