package rush

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func alive() error { return nil }

func TestStream_ReadsEvents(t *testing.T) {
	t.Parallel()
	s := newStream(strings.NewReader("retry: 1500\n\n: ping\n\nid: 7\nevent: waiting\ndata: {\"position\":3}\n\n" +
		"event: nothing\n\ndata:two\r\ndata: lines\r\n\r\nevent: done\ndata:\n\nevent: cut off\ndata: x"))
	want := []event{
		{"waiting", []byte(`{"position":3}`)},
		{"message", []byte("two\nlines")},
		{"done", []byte("")},
	}
	for _, w := range want {
		got, err := s.next(alive)
		dbtest.Must(t, err)
		if got.name != w.name || string(got.data) != string(w.data) {
			t.Errorf("read %q %q, want %q %q", got.name, got.data, w.name, w.data)
		}
	}
	if got, err := s.next(alive); err != io.EOF {
		t.Errorf("after the last whole event: %+v, %v; want io.EOF", got, err)
	}
	if s.retry != 1500*time.Millisecond {
		t.Errorf("comes back after %v", s.retry)
	}
}

func TestStream_PassesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	s := newStream(io.MultiReader(strings.NewReader("event: waiting\n"), errorReader{broken}))
	if _, err := s.next(alive); !errors.Is(err, broken) {
		t.Errorf("a broken stream gives %v", err)
	}
	if _, err := newStream(strings.NewReader("data: x\n\n")).next(func() error { return broken }); !errors.Is(err,
		broken) {
		t.Errorf("a stream that may not be read gives %v", err)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }
