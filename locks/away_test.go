package locks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// replyText is an error reply as the client returns it.
type replyText string

func (r replyText) Error() string { return string(r) }
func (replyText) RedisError()     {}

// A Redis that answers, but with errors, is away for scripts and commands that write; and not after it has recovered.
func TestIsAway_RepliesOfARealRedis(t *testing.T) {
	t.Parallel()
	for _, fault := range dbtest.RedisFaults() {
		t.Run(fault.Reply, func(t *testing.T) {
			t.Parallel()
			server := dbtest.PrivateRedis(t)
			h := newHarnessAt(t, server.URL)
			rdb := h.impatientClient("", nil)
			write := redis.NewScript(`return redis.call('HSET', KEYS[1], 'field', ARGV[1])`)
			attempts := map[string]func(ctx context.Context) error{
				"command": func(ctx context.Context) error { return rdb.Set(ctx, h.prefix+"a", 1, time.Minute).Err() },
				"script":  func(ctx context.Context) error { return write.Run(ctx, rdb, []string{h.prefix + "b"}, 1).Err() },
				"pipeline": func(ctx context.Context) error {
					_, err := rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
						pipe.HSet(ctx, h.prefix+"c", "field", 1)
						pipe.PExpire(ctx, h.prefix+"c", time.Minute)
						return nil
					})
					return err
				},
			}
			attempt := func(check func(name string, err error)) {
				for name, write := range attempts {
					check(name, write(h.ctx()))
				}
			}
			attempt(func(name string, err error) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			})
			mend := fault.Begin(t, server)
			attempt(func(name string, err error) {
				if !IsAway(err) || !IsAway(fmt.Errorf("line: %w", err)) {
					t.Errorf("%s: %v is not taken for a Redis that is away", name, err)
				}
				denied := fault.Reply == "WRONGPASS" || fault.Reply == "NOPERM"
				if IsDenied(err) != denied {
					t.Errorf("%s: denied is %t for %v", name, !denied, err)
				}
			})
			mend()
			eventually(t, "writes are taken again", func() bool {
				well := true
				attempt(func(_ string, err error) { well = well && err == nil })
				return well
			})
		})
	}
}

// Errors that say something about the command, or the caller, do not mean that Redis is away.
func TestIsAway_OtherErrors(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.rdb.Set(h.ctx(), h.prefix+"text", "x", time.Minute)
	gone, cancel := context.WithCancel(h.ctx())
	cancel()
	for name, err := range map[string]error{
		"no error":      nil,
		"nothing there": h.rdb.Get(h.ctx(), h.prefix+"none").Err(),
		"no script":     h.rdb.EvalSha(h.ctx(), strings.Repeat("0", 40), nil).Err(),
		"wrong type":    h.rdb.HGet(h.ctx(), h.prefix+"text", "a").Err(),
		"a script that fails": h.rdb.Eval(h.ctx(), `return redis.call('HGET', KEYS[1], 'OOM ')`,
			[]string{h.prefix + "text"}).Err(),
		"a script that complains": h.rdb.Eval(h.ctx(), `return redis.error_reply('STALE turn')`, nil).Err(),
		"the caller gave up":      h.rdb.Get(gone, h.prefix+"none").Err(),
		"a text like a reply":     errors.New("OOM command not allowed"),
	} {
		if name != "no error" && err == nil {
			t.Errorf("%s: no error", name)
		}
		if IsAway(err) {
			t.Errorf("%s: %v is taken for a Redis that is away", name, err)
		}
	}
}

// What a test cannot bring about quickly: other versions, a cluster, the network.
func TestIsAway_OtherReplies(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		replyText(
			"ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed when " +
				"used memory > 'maxmemory'."),
		replyText("CLUSTERDOWN The cluster is down"),
		replyText("TRYAGAIN Multiple keys request during rehashing of slot"),
		replyText("NOAUTH Authentication required."), replyText("DENIED Redis is running in protected mode"),
		replyText("ERR The user executing the script can't access at least one of the keys mentioned in the command"),
		io.EOF, os.ErrDeadlineExceeded, context.DeadlineExceeded, ErrAway, ErrClientClosed, redis.ErrPoolTimeout,
	} {
		if !IsAway(err) {
			t.Errorf("%v is not taken for a Redis that is away", err)
		}
	}
}
