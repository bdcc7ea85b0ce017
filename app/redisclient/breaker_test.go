package redisclient

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// server stands for a Redis that answers, refuses, or is silent for as long as it is waited for.
type server struct {
	mu    sync.Mutex
	now   state
	calls int
}

// state is what a server does with calls.
type state struct {
	err   error
	takes time.Duration
}

func (s *server) process(context.Context, redis.Cmder) error {
	s.mu.Lock()
	s.calls++
	now := s.now
	s.mu.Unlock()
	time.Sleep(now.takes) // of a clock that the test bubble moves
	return now.err
}

func (s *server) become(now state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
}

func (s *server) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

var errRefused = errors.New("connection refused")

func TestCircuitBreaker_OpensWhenNothingIsAnswered(t *testing.T) {
	t.Parallel()
	for name, down := range map[string]state{
		"refused": {err: errRefused},
		"silent":  {err: context.DeadlineExceeded, takes: timeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				call := hooked(s)
				for range 100 {
					dbtest.Must(t, call())
				}
				time.Sleep(time.Hour) // nobody asks
				s.become(down)
				for begun := time.Now(); time.Since(begun) < openAfter; {
					if err := call(); errors.Is(err, openError{}) {
						t.Fatal("open before it was given a while")
					}
					time.Sleep(10 * time.Millisecond)
				}
				_ = call()
				before, begun := s.asked(), time.Now()
				for range 1000 {
					if err := call(); err == nil {
						t.Fatal("answered by a server that is down")
					}
					time.Sleep(time.Millisecond)
				}
				tries := int(time.Since(begun)/probeEvery) + 1
				if asked := s.asked() - before; asked == 0 || asked > tries {
					t.Errorf("%d calls in %s were let through, want a try every %s", asked, time.Since(begun),
						probeEvery)
				}
				s.become(state{})
				time.Sleep(timeout + probeEvery)
				_ = call() // asks for a sign
				time.Sleep(probeEvery)
				for range 100 {
					if err := call(); err != nil {
						t.Fatalf("after it is back: %v", err)
					}
				}
			})
		})
	}
}

func TestCircuitBreaker_StaysClosedWhileSomethingIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		call := hooked(s)
		for i := range 1000 {
			s.become(state{})
			if i%10 > 0 {
				s.become(state{err: []error{errRefused, context.Canceled, redis.ErrClosed}[i%3]})
			}
			if err := call(); errors.Is(err, openError{}) {
				t.Fatalf("open at call %d", i)
			}
			time.Sleep(openAfter / 20)
		}
		s.become(state{err: context.Canceled})
		for range 1000 {
			if err := call(); !errors.Is(err, context.Canceled) {
				t.Fatalf("callers who give up blow it: %v", err)
			}
			time.Sleep(openAfter / 20)
		}
	})
}

// hooked returns what calls the server through a circuit breaker.
func hooked(s *server) func() error {
	process := s.breaker().ProcessHook(s.process)
	return func() error { return process(context.Background(), redis.NewCmd(context.Background(), "get")) }
}

// breaker is one before the server.
func (s *server) breaker() *circuitBreaker {
	return &circuitBreaker{ping: func(ctx context.Context) error { return s.process(ctx, nil) }}
}

// Nobody's call waits for a server that was found silent, also not to see whether it is back; then calls pass again.
// The control is a breaker that does not know that the server was silent: it lets a call through, which waits.
func TestCircuitBreaker_NoCallWaitsForASilentServer(t *testing.T) {
	t.Parallel()
	for name, knows := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{now: state{err: context.DeadlineExceeded, takes: timeout}}
				b := s.breaker()
				process := b.ProcessHook(s.process)
				call := func() (took time.Duration, err error) {
					begun := time.Now()
					err = process(t.Context(), redis.NewCmd(t.Context(), "get"))
					return time.Since(begun), err
				}
				_, _ = call()
				waited := time.Duration(0)
				for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(10 * time.Millisecond) {
					b.mu.Lock()
					b.silent = b.silent && knows
					b.mu.Unlock()
					took, _ := call()
					waited += took
				}
				if knows != (waited == 0) {
					t.Errorf("calls waited %s", waited)
				}
				s.become(state{})
				time.Sleep(timeout + probeEvery)
				_, _ = call() // asks for a sign
				time.Sleep(probeEvery)
				if _, err := call(); err != nil {
					t.Errorf("after it is back: %v", err)
				}
			})
		})
	}
}

func TestCircuitBreaker_OpenMeansRedisIsAway(t *testing.T) {
	t.Parallel()
	away := dbtest.PrivateRedis(t)
	rdb, err := Open(away.URL)
	dbtest.Must(t, err)
	defer rdb.Close()
	dbtest.Must(t, rdb.Ping(t.Context()).Err())
	away.Kill()
	dbtest.Eventually(t, "the circuit breaker opens",
		func() bool { return errors.Is(rdb.Ping(t.Context()).Err(), openError{}) })
	_, err = rdb.Pipelined(t.Context(), func(pipe redis.Pipeliner) error {
		pipe.Ping(t.Context())
		return nil
	})
	for _, err := range []error{rdb.Ping(t.Context()).Err(), err} {
		if !locks.IsAway(err) {
			t.Errorf("%v is not taken for a Redis that is away", err)
		}
	}
	dbtest.Must(t, away.Revive(t.Context()))
	dbtest.Eventually(t, "the circuit breaker closes", func() bool { return rdb.Ping(t.Context()).Err() == nil })
}

// Error replies that mean that Redis is away open a circuit breaker; a reply about the command itself does not.
func TestCircuitBreaker_OpensForARedisThatRefuses(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	rdb, err := Open(server.URL)
	dbtest.Must(t, err)
	defer rdb.Close()
	write := func() error { return rdb.Set(t.Context(), "key", "text", time.Minute).Err() }
	dbtest.Must(t, write())
	for begun := time.Now(); time.Since(begun) < 2*openAfter; {
		if err := rdb.EvalSha(t.Context(), "none", nil).Err(); errors.Is(err, openError{}) {
			t.Fatal("a script that is not there opens it")
		}
	}
	mend := dbtest.RedisFaults()[0].Begin(t, server)
	dbtest.Eventually(t, "the circuit breaker opens", func() bool { return errors.Is(write(), openError{}) })
	mend()
	dbtest.Eventually(t, "the circuit breaker closes", func() bool { return write() == nil })
}
