package respond

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A large event after a long silence: what does not fit into the buffer is written before it is flushed, and must not
// run into the deadline of the event before.
func TestSendAfterSilence(t *testing.T) {
	t.Parallel()
	server, client := net.Pipe()
	read := make(chan string)
	go func() {
		all, _ := io.ReadAll(client) // it ends with the other side
		read <- string(all)
	}()
	s := &Stream{conn: server}
	send := func(id, data string) {
		t.Helper()
		if err := errors.Join(s.Send("board", id, data), s.flush()); err != nil {
			t.Fatalf("the stream broke: %v", err)
		}
	}
	send("1", "small")
	// the silence was longer than the deadline
	if err := server.SetWriteDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", 1000)
	send("2", large)
	server.Close()
	if got := <-read; !strings.HasSuffix(got, "id: 2\nevent: board\ndata: "+large+"\n\n") {
		t.Errorf("the client got %q", got)
	}
}

// Streams that one server ends must not all be opened again at the same moment: each is sent a pause of its own.
func TestReconnect_SpreadsReconnects(t *testing.T) {
	t.Parallel()
	server, client := net.Pipe()
	pauses := make(chan map[int]bool)
	go func() {
		seen := map[int]bool{}
		for lines := bufio.NewScanner(client); lines.Scan(); {
			if ms, ok := strings.CutPrefix(lines.Text(), "retry: "); ok {
				n, _ := strconv.Atoi(ms)
				seen[n] = true
			}
		}
		pauses <- seen
	}()
	const streams = 100
	for range streams {
		s := &Stream{conn: server}
		if err := errors.Join(s.Reconnect(), s.flush()); err != nil {
			t.Fatal(err)
		}
	}
	server.Close()
	seen := <-pauses
	for ms := range seen {
		if ms < 2000 || ms > 4000 {
			t.Errorf("a pause of %d ms", ms)
		}
	}
	if len(seen) < streams*9/10 { // a hundred of 2,001 values: two or three meet
		t.Errorf("%d streams have %d different pauses", streams, len(seen))
	}
}

// Streams take their buffers from one pool. What one of them sends must never reach the viewer of another.
func TestStreams_ShareNoBufferWhileTheyUseIt(t *testing.T) {
	t.Parallel()
	const rounds = 100
	var streams [2]*Stream
	buffers, got, want := new(sync.Pool), [2]chan string{}, [2]string{}
	for i := range streams {
		server, client := net.Pipe()
		streams[i], got[i] = &Stream{conn: server, buffers: buffers}, make(chan string, 1)
		go func() {
			all, _ := io.ReadAll(client)
			got[i] <- string(all)
		}()
	}
	for range rounds {
		for _, i := range []int{1, 0} { // both give a buffer back, and each may take the other's
			if err := streams[i].flush(); err != nil {
				t.Fatal(err)
			}
		}
		for i, s := range streams {
			if err := s.Send("waiting", "", "own"+strconv.Itoa(i)); err != nil {
				t.Fatal(err)
			}
			want[i] += "event: waiting\ndata: own" + strconv.Itoa(i) + "\n\n"
		}
	}
	for i, s := range streams {
		if err := errors.Join(s.flush(), s.conn.Close()); err != nil {
			t.Fatal(err)
		}
		if <-got[i] != want[i] {
			t.Errorf("stream %d sent other than its own events", i)
		}
	}
}
