package webhooks

import (
	"encoding/json"
	"fmt"
	"time"
)

// TypeTest is the type of the event that an owner sends to see whether an endpoint answers.
const TypeTest = "lunchgo.webhook.test"

// TestData is the data of that event.
type TestData struct {
	RestaurantID int64  `json:"restaurantId"`
	WebhookID    string `json:"webhookId"`
}

// Types returns the types of events that an endpoint can ask for. Those of wallets are not among them: they concern
// diners only.
func Types() []string {
	return []string{
		"lunchgo.reservation.held", "lunchgo.reservation.confirmed", "lunchgo.reservation.changed",
		"lunchgo.reservation.expired", "lunchgo.reservation.cancelled", "lunchgo.reservation.refunded",
		"lunchgo.reservation.arrived", "lunchgo.reservation.seated", "lunchgo.reservation.completed",
		"lunchgo.reservation.no_show",
		"lunchgo.slot.sold_out", "lunchgo.slot.reopened", "lunchgo.slot.closed", "lunchgo.slot.paused",
		"lunchgo.slot.capacity_changed",
	}
}

// Message is what is sent: one event, the same bytes and the same id at every try.
type Message struct {
	ID   string // webhook-id
	Type string
	At   time.Time // when it happened
	Data json.RawMessage
}

// timestamp is how the time of an event is written: all six digits of a second's fraction, so that such texts sort as
// the times do, and no program has to read them.
const timestamp = "2006-01-02T15:04:05.000000Z07:00"

// Body returns the JSON that is signed and sent: type, timestamp and data.
func (m Message) Body() ([]byte, error) {
	body, err := json.Marshal(struct {
		Type      string          `json:"type"`
		Timestamp string          `json:"timestamp"`
		Data      json.RawMessage `json:"data"`
	}{m.Type, m.At.UTC().Format(timestamp), m.Data})
	if err != nil {
		return nil, fmt.Errorf("webhooks: body of %s: %w", m.ID, err)
	}
	return body, nil
}
