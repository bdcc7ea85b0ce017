package testkit

import (
	"testing"

	"lunchgo/app/messages"
	"lunchgo/db/dbtest"
	dbmessages "lunchgo/db/messages"
)

// Writing is a restaurant whose staff write to guests.
type Writing struct {
	*Harness
	Store *dbmessages.Store
	Staff string
}

// NewWriting returns the restaurant of a test.
func NewWriting(t *testing.T) Writing {
	t.Helper()
	h := Setup(t)
	return Writing{h, dbmessages.NewStore(h.Pool), h.Diners(t, 1, 0)[0]}
}

// Message is a message of the staff to an audience of the restaurant.
func (w Writing) Message(key string, to messages.Audience) messages.Message {
	to.RestaurantID = w.Restaurant.ID
	return messages.Message{Audience: to, StaffID: w.Staff, Key: key, Text: "주방이 30분 늦습니다.\nSorry!"}
}

// MustSend sends a message.
func (w Writing) MustSend(t *testing.T, m messages.Message) messages.Message {
	t.Helper()
	sent, err := w.Store.Send(t.Context(), m)
	dbtest.Must(t, err)
	return sent
}
