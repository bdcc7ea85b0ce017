package respond

import (
	"bufio"
	"io"
	"net"
	"strings"
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
	s := &Stream{w: bufio.NewWriterSize(server, 64), conn: server}
	if err := s.Send("board", "1", "small"); err != nil {
		t.Fatal(err)
	}
	if err := server.SetWriteDeadline(time.Now().Add(-time.Second)); err != nil { // the silence was longer than the deadline
		t.Fatal(err)
	}
	large := strings.Repeat("x", 1000)
	if err := s.Send("board", "2", large); err != nil {
		t.Fatalf("the stream broke: %v", err)
	}
	server.Close()
	if got := <-read; !strings.HasSuffix(got, "id: 2\nevent: board\ndata: "+large+"\n\n") {
		t.Errorf("the client got %q", got)
	}
}
