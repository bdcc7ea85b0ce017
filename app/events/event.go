// Package events tells other systems what happens to reservations, slots and wallets. Triggers of the database write
// the events into its outbox (db/migrations/00039_events.sql); package kafka sends them; docs/events.md says what each
// means.
package events

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Event is a row of the outbox.
type Event struct {
	ID   int64  // rises with each event of one key
	Type string // lunchgo.reservation.held and others
	Key  string // what it is about: a reservation, a slot or an account
	At   time.Time
	Data json.RawMessage // the state after it, a JSON object
}

// Topics are where events are sent to, by the first two words of their type.
var topics = map[string]string{
	"lunchgo.reservation": "lunchgo.reservations",
	"lunchgo.slot":        "lunchgo.slots",
	"lunchgo.wallet":      "lunchgo.wallets",
	"lunchgo.payment":     "lunchgo.payments",
}

// Topic is the Kafka topic of an event; empty for a type that there is not.
func (e Event) Topic() string { return TopicOf(e.Type[:max(strings.LastIndexByte(e.Type, '.'), 0)]) }

// TopicOf is the topic of a kind of events.
func TopicOf(kind string) string { return topics[kind] }

// Kinds are what the types of events begin with, such as lunchgo.reservation, in order.
func Kinds() []string { return slices.Sorted(maps.Keys(topics)) }

// Topics are all that events are sent to, in the order of their names.
func Topics() []string { return slices.Sorted(maps.Values(topics)) }

// cloudEvent is CloudEvents 1.0 in JSON. The sequence is the extension of that name: it sorts as text.
type cloudEvent struct {
	SpecVersion     string          `json:"specversion"`
	ID              string          `json:"id"`
	Source          string          `json:"source"`
	Type            string          `json:"type"`
	Subject         string          `json:"subject"`
	Time            time.Time       `json:"time"`
	Sequence        string          `json:"sequence"`
	DataContentType string          `json:"datacontenttype"`
	Data            json.RawMessage `json:"data"`
}

// CloudEvent is the event as other systems read it. The source is the address of the installation. The id stays the
// same however often it is sent.
func (e Event) CloudEvent(source string) ([]byte, error) {
	id := fmt.Sprintf("%019d", e.ID)
	return json.Marshal(cloudEvent{SpecVersion: "1.0", ID: id, Source: source, Type: e.Type, Subject: e.Key,
		Time: e.At.UTC(), Sequence: id, DataContentType: "application/json", Data: e.Data})
}
