package rush

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// readBuffer is small: ten thousand diners have one each, and events are short.
	readBuffer = 1 << 10
	// answerTime bounds the wait for the head of an answer, silence the wait for a sign of life on a stream: the server
	// sends one at least every 15 s.
	answerTime = 30 * time.Second
	silence    = 45 * time.Second
)

// connection is a diner's connection to an instance, as a browser has it: used again while the server keeps it, and one
// goroutine each. The client of net/http takes three, and some 30 KB: too much for a load test that shares its
// machine with the server.
type connection struct {
	conn   net.Conn
	reader *bufio.Reader
	detach func() bool // undoes attach
}

// dial opens a connection that breaks when ctx ends. It comes from the address source; empty: the system chooses one.
func dial(ctx context.Context, s server, source string) (*connection, error) {
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var dialer net.Dialer
	if source != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(source)}
	}
	conn, err := dialer.DialContext(limited, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	if s.name != "" {
		secure := tls.Client(conn, &tls.Config{ServerName: s.name})
		if err := secure.HandshakeContext(limited); err != nil {
			_ = conn.Close()
			return nil, err
		}
		conn = secure
	}
	c := &connection{conn: conn, reader: bufio.NewReaderSize(conn, readBuffer)}
	c.attach(ctx)
	return c, nil
}

// attach makes the connection break when ctx ends.
func (c *connection) attach(ctx context.Context) {
	c.detach = context.AfterFunc(ctx, func() { _ = c.conn.Close() })
}

func (c *connection) close() {
	c.detach()
	_ = c.conn.Close()
}

// send writes a request that was encoded before and returns the head of its answer.
func (c *connection) send(request []byte) (*http.Response, error) {
	if err := c.expect(answerTime); err != nil {
		return nil, err
	}
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	return http.ReadResponse(c.reader, nil)
}

// expect bounds the wait for what comes next.
func (c *connection) expect(within time.Duration) error {
	return c.conn.SetDeadline(time.Now().Add(within))
}

// maxBody bounds an answer that is not a stream.
const maxBody = 1 << 20

// ask sends a request and reads the whole answer. Unless usable, the connection must not be used again.
func (c *connection) ask(request []byte) (response *http.Response, body []byte, usable bool, err error) {
	response, err = c.send(request)
	if err != nil {
		return nil, nil, false, err
	}
	body, usable, err = readAll(response)
	return response, body, usable, err
}

// readAll reads what an answer has behind its head. Unless usable, its connection must not be used again.
func readAll(response *http.Response) (body []byte, usable bool, err error) {
	body, err = readBody(response)
	return body, err == nil && !response.Close && len(body) < maxBody, err
}

func readBody(response *http.Response) ([]byte, error) {
	return io.ReadAll(io.LimitReader(response.Body, maxBody))
}

// cause is an error without the addresses that make each one look different.
func cause(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Op + ": " + op.Err.Error()
	}
	return err.Error()
}

// encode writes a request as it goes over the wire.
func encode(method, address, token string, body []byte, header http.Header) ([]byte, error) {
	request, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("encode a request: %w", err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", "lunchgo-rush")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	var wire bytes.Buffer
	err = request.Write(&wire)
	return wire.Bytes(), err
}
