package rush

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// maxLine bounds a line of an event stream.
const maxLine = 64 << 10

// stream reads server-sent events (WHATWG HTML, section 9.2) as a browser does.
type stream struct {
	lines *bufio.Scanner
	retry time.Duration // how soon to come back, once the server said so
}

type event struct {
	name string
	data []byte // valid until the next event
}

func newStream(body io.Reader) *stream {
	s := &stream{lines: bufio.NewScanner(body)}
	s.lines.Buffer(make([]byte, 0, readBuffer), maxLine)
	return s
}

// next returns the next event. Before each line it calls alive. Returns io.EOF when the server has ended the stream in
// order.
func (s *stream) next(alive func() error) (event, error) {
	e := event{name: "message"}
	for {
		if err := alive(); err != nil {
			return event{}, err
		}
		if !s.lines.Scan() {
			return event{}, s.end()
		}
		line := s.lines.Bytes()
		if len(line) == 0 {
			if e.data != nil {
				return e, nil
			}
			e.name = "message" // an event without data is none
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.name = string(value)
		case "data":
			if e.data != nil {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
			if e.data == nil {
				e.data = []byte{}
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				s.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

func (s *stream) end() error {
	if err := s.lines.Err(); err != nil {
		return err
	}
	return io.EOF
}
