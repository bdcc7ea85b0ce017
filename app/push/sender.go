package push

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
	"lunchgo/app/mail"
	"lunchgo/app/webhooks"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

const (
	// TryTimeout is how long one try takes at most: less than the first lease.
	TryTimeout  = 5 * time.Second
	sendsAtOnce = 32
	maxAttempts = 8           // over 20 minutes
	lastCall    = time.Minute // before a hold ends
	mostShown   = 300         // runes of a restaurant's message

	keptAfterVisit = time.Hour      // for how long at least a message is pushed
	bookingsTime   = 24 * time.Hour // for how long those that were made are
)

// Sender sends pushes that are due.
type Sender struct {
	Store    Queue
	Composer mail.Composer // of links without an address
	Keys     Keys
	Client   *webhooks.Client
	Site     string // address of the installation, by which push services find who pushes
	Now      func() time.Time
	Log      *slog.Logger
}

// sending is what a Sender has under way.
type sending struct {
	Sender
	places  chan struct{}
	done    chan struct{} // a place came free
	running sync.WaitGroup
}

// Jobs returns the job that sends pushes. An instance takes pushes for itself for a while.
func (s Sender) Jobs(every time.Duration) []jobs.Job {
	w := &sending{Sender: s, places: make(chan struct{}, sendsAtOnce), done: make(chan struct{}, 1)}
	return []jobs.Job{
		{Name: "send pushes", Every: every, Wake: w.done, Run: jobs.Always(w.take), End: w.running.Wait},
	}
}

// take begins to send what is due, as much as there are places for.
func (w *sending) take(ctx context.Context) error {
	free := cap(w.places) - len(w.places)
	if free == 0 {
		return nil
	}
	pushes, err := w.Store.TakePushes(ctx, free)
	for _, p := range pushes {
		w.places <- struct{}{}
		w.running.Go(func() {
			w.send(ctx, p)
			<-w.places
			select {
			case w.done <- struct{}{}:
			default:
			}
		})
	}
	return err
}

// send sends a push once. No transaction is open meanwhile: the lease keeps others away.
func (w *sending) send(ctx context.Context, p Push) {
	err := w.settle(ctx, p)
	if err != nil && ctx.Err() == nil {
		w.Log.WarnContext(ctx, "send push failed", "letter", p.ID, "attempt", p.Attempts, "error", err)
	}
}

func (w *sending) settle(ctx context.Context, p Push) error {
	if p.Attempts > maxAttempts || p.isOutdated(w.Now()) {
		return w.Store.DeletePush(ctx, p)
	}
	key, ok := w.Keys.find(p.To)
	if !ok {
		return w.Store.Unsubscribe(ctx, p.To.ID)
	}
	try, err := w.try(ctx, p, key)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // what was sent is noted, also by a process that ends
	last := p.Reservation.HoldExpiresAt.Add(-lastCall)
	switch {
	case isGone(try):
		return w.Store.Unsubscribe(ctx, p.To.ID)
	case try.Delivered() && p.Kind == mail.Turn && w.Now().Before(last):
		return w.Store.PostponePush(ctx, p, last)
	case !isRetried(try):
		err = w.Store.DeletePush(ctx, p)
	}
	if !try.Delivered() {
		// not where: the address is what lets others push
		w.Log.InfoContext(ctx, "push not taken", "letter", p.ID, "attempt", p.Attempts, "status", try.Status,
			"failure", try.Failure)
	}
	return err
}

// isOutdated says whether a push is worth nothing any more.
func (p Push) isOutdated(now time.Time) bool {
	if p.Bookings.Count > 0 {
		return now.Sub(p.CreatedAt) > bookingsTime
	}
	return p.IsOutdated(now)
}

// isGone says whether a subscription is over: its browser has ended it, the push service does not take our key for it,
// or its endpoint is not where a push service can be.
func isGone(t webhooks.Try) bool {
	switch t.Status {
	case http.StatusNotFound, http.StatusGone, http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	return t.Failure == webhooks.FailurePrivate
}

func isRetried(t webhooks.Try) bool {
	return t.Failure != "" || t.Status == http.StatusTooManyRequests || t.Status >= http.StatusInternalServerError
}

// Message is what the service worker shows, static/js/sw.js.
type Message struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	URL   string `json:"url"` // path of the page that it opens
	// to be answered in one press; nil if it asks nothing
	Answer *views.Answer `json:"answer,omitempty"`
	Tag    string        `json:"tag"` // of two notifications with the same one the later takes the place of the other
}

// TagOf returns the tag of all notifications about a slot: a diner has one reservation in it.
func TagOf(slot booking.SlotKey) string {
	return fmt.Sprintf("%d %s %s", slot.RestaurantID, slot.Date, slot.Time)
}

// try encrypts a push and sends it. A push service keeps it for a browser that is not there until it is worth nothing.
func (w *sending) try(ctx context.Context, p Push, key Key) (webhooks.Try, error) {
	message, until, err := w.compose(ctx, p)
	if err != nil {
		return webhooks.Try{}, err
	}
	urgency := webpush.UrgencyHigh
	if p.Kind == mail.Reminder || p.Bookings.Count > 0 {
		urgency = webpush.UrgencyNormal
	}
	client := tryClient{client: w.Client}
	to := webpush.Subscription{Endpoint: p.To.Endpoint, Keys: webpush.Keys{P256dh: p.To.P256dh, Auth: p.To.Auth}}
	response, err := webpush.SendNotificationWithContext(ctx, message, &to, &webpush.Options{
		HTTPClient: &client, Subscriber: w.Site, TTL: int(until.Sub(w.Now()).Seconds()), Urgency: urgency,
		VAPIDPublicKey: key.public, VAPIDPrivateKey: key.private})
	if err == nil {
		_ = response.Body.Close()
	}
	return client.try, err
}

// compose says what the letter says: its title, but for a hold that is about to end, and its subject, which names the
// restaurant and the time; of a message of the restaurant the subject and its words.
func (w *sending) compose(ctx context.Context, p Push) (message []byte, until time.Time, err error) {
	if p.Bookings.Count > 0 {
		message, err = w.composeBookings(ctx, p)
		return message, p.CreatedAt.Add(bookingsTime), err
	}
	r := p.Reservation
	letter, err := w.Composer.Compose(ctx, p.Note)
	if err != nil {
		return nil, time.Time{}, err
	}
	if p.Kind == mail.Door {
		message, err = json.Marshal(Message{Title: letter.Title, Body: letter.Subject, URL: letter.URL,
			Tag: "door " + p.Door.PartyID})
		return message, p.CreatedAt.Add(mail.CallTime), err
	}
	place, err := w.Composer.Catalog.FindRestaurant(ctx, r.RestaurantID)
	if err != nil {
		return nil, time.Time{}, err
	}
	if until, err = w.worthUntil(p.Note, place); err != nil {
		return nil, time.Time{}, err
	}
	if p.Kind == mail.Message {
		message, err = json.Marshal(Message{Title: letter.Subject, Body: shortened(p.Message), URL: letter.URL,
			Tag: fmt.Sprintf("message %d", p.ID)})
		return message, until, err
	}
	if p.Kind == mail.Turn && until.Sub(w.Now()) <= lastCall {
		letter.Title = i18n.T(p.Language, "notify.last_call")
	}
	shown := Message{Title: letter.Title, Body: letter.Subject, URL: letter.URL, Tag: TagOf(r.Slot)}
	if letter.Answer.URL != "" {
		shown.Answer = &letter.Answer
	}
	message, err = json.Marshal(shown)
	return message, until, err
}

// composeBookings says what was booked: when, and for how many people, and nothing of who they are. It leads to the
// evening of the first.
func (w *sending) composeBookings(ctx context.Context, p Push) ([]byte, error) {
	b, lang := p.Bookings, p.Language
	place, err := w.Composer.Catalog.FindRestaurant(ctx, b.RestaurantID)
	if err != nil {
		return nil, err
	}
	first, err := place.Start(b.First.Date, b.First.Time)
	if err != nil {
		return nil, err
	}
	last, err := place.Start(b.Last.Date, b.Last.Time)
	if err != nil {
		return nil, err
	}
	board := views.EveningAddress{RestaurantID: place.ID, Day: first, Tab: views.TabGuests}
	return json.Marshal(Message{Title: i18n.T(lang, "notify.bookings", "Count", b.Count),
		Body: i18n.T(lang, "notify.bookings_body", "Restaurant", place.Name.In(lang), "When", when(lang, first, last),
			"Party", i18n.Party(lang, b.People)),
		URL: board.URL(), Tag: fmt.Sprintf("bookings %d", b.IDs[0])})
}

// when says in which time bookings are: of more than one in less detail.
func when(lang string, first, last time.Time) string {
	switch from := i18n.Date(lang, first); {
	case first.Equal(last):
		return i18n.DateTime(lang, first)
	case from == i18n.Date(lang, last):
		return from
	default:
		return from + " – " + i18n.Date(lang, last)
	}
}

// worthUntil returns until when a push service keeps a push for a browser that is not there.
func (w *sending) worthUntil(n mail.Note, place booking.Restaurant) (until time.Time, err error) {
	r := n.Reservation
	switch n.Kind {
	case mail.Confirmed, mail.Reminder:
		return place.Start(r.Slot.Date, r.Slot.Time)
	case mail.Message:
		if until, err = place.LeaveAt(r.Slot, r.Stay, r.Policy); until.Before(w.Now().Add(keptAfterVisit)) {
			until = w.Now().Add(keptAfterVisit)
		}
		return until, err
	}
	return r.HoldExpiresAt, nil
}

// shortened is as much of a text as a notification shows.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > mostShown {
		return string(runes[:mostShown]) + "…"
	}
	return text
}

// tryClient sends the request of a push by the guarded client.
type tryClient struct {
	client *webhooks.Client
	try    webhooks.Try
}

// Do implements webpush.HTTPClient.
func (c *tryClient) Do(request *http.Request) (*http.Response, error) {
	c.try = c.client.Do(request)
	return &http.Response{StatusCode: c.try.Status, Body: http.NoBody}, nil
}
