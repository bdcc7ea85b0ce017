package rush

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
)

// boards are open pages of staff, who look at their shadow restaurant while the diners rush to it. What they show is
// read and dropped.
type boards struct {
	connections []*connection
	reading     sync.WaitGroup
	closing     atomic.Bool
	bytes       atomic.Int64 // that came over all streams
	ended       atomic.Int64 // streams that did not last until the end
}

// boardTabs and boardLanguages are the ways to look at an evening. Boards take them in turn.
var (
	boardTabs      = [...]string{"guests", "room", "slots", "line"}
	boardLanguages = [...]string{"ko", "en"}
)

// openBoards opens a board for each member of all restaurants' staff, and returns when each has shown something. Close
// them.
func openBoards(ctx context.Context, stage Stage, servers []server) (*boards, error) {
	b := &boards{}
	opening, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	for i, r := range stage.Restaurants {
		for j, who := range r.Staff {
			// Restaurants with few boards begin with different tabs.
			if err := b.open(opening, servers[(i+j)%len(servers)], boardRequest(r, who, i+j)); err != nil {
				b.close()
				return nil, fmt.Errorf("open a board: %w", err)
			}
		}
	}
	for _, c := range b.connections {
		c.detach()
		c.attach(ctx)
	}
	return b, nil
}

// boardRequest asks for the stream of a board in the i-th way to look at an evening.
func boardRequest(r Restaurant, who Diner, i int) *http.Request {
	query := url.Values{"date": {r.Slots[0].Date}, "tab": {boardTabs[i%len(boardTabs)]}}
	return &http.Request{
		Method: http.MethodGet,
		URL: &url.URL{Path: fmt.Sprintf("/staff/restaurants/%d/events", r.ID),
			RawQuery: query.Encode()},
		Header: http.Header{
			"Accept":          {"text/event-stream"},
			"Accept-Language": {boardLanguages[i/len(boardTabs)%len(boardLanguages)]},
			"Authorization":   {"Bearer " + who.Token},
		},
	}
}

func (b *boards) open(ctx context.Context, s server, r *http.Request) error {
	request, err := encode(r.Method, s.base+r.URL.String(), "", nil, r.Header)
	if err != nil {
		return err
	}
	c, err := dial(ctx, s, "")
	if err != nil {
		return err
	}
	b.connections = append(b.connections, c)
	response, err := c.send(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		body, _ := readBody(response)
		return unexpected(response.StatusCode, body)
	}
	shown := make(chan struct{})
	b.reading.Go(func() { b.read(c, response.Body, sync.OnceFunc(func() { close(shown) })) })
	<-shown
	return nil
}

// read reads a stream to its end. It calls shown when the first bytes are there, or none will come.
func (b *boards) read(c *connection, body io.Reader, shown func()) {
	defer shown()
	buffer := make([]byte, 4*readBuffer)
	for {
		err := c.expect(silence)
		if err == nil {
			var n int
			n, err = body.Read(buffer)
			b.bytes.Add(int64(n))
		}
		if err != nil {
			if !b.closing.Load() {
				b.ended.Add(1)
			}
			return
		}
		shown()
	}
}

// close ends all streams. It may be called again.
func (b *boards) close() {
	b.closing.Store(true)
	for _, c := range b.connections {
		c.close()
	}
	b.reading.Wait()
}

// setBoards fills in what the boards were shown.
func (r *Report) setBoards(b *boards) {
	r.BoardBytes = b.bytes.Load()
	ended := int(b.ended.Load())
	r.HTTPErrors += ended
	r.note(ended, "on the staff, and the board ended before the rush did")
}
