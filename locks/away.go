package locks

import (
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// refusals begin the error replies of a Redis that answers and cannot work: it loads its data, is or follows another
// master, may not or cannot write, is occupied, or does not know its client. Such a reply says nothing about the
// command; NOSCRIPT, WRONGTYPE and the errors of scripts do.
var refusals = []string{
	"LOADING ", "MASTERDOWN ", "CLUSTERDOWN ", "TRYAGAIN ", // not ready
	"READONLY ", "MISCONF ", "OOM ", "NOREPLICAS ", // no writes
	"BUSY ", "max number of clients reached", // occupied
}

// denials begin the replies to a client that Redis does not know, or does not let do its work. Within a script the
// second has no code.
var denials = []string{"NOAUTH ", "WRONGPASS ", "NOPERM ", "DENIED ", "The user executing the script can't "}

// IsAway reports whether an error of a Redis client, or of this package, means that Redis is away: it cannot be
// reached, does not answer in time, or answers each command of its kind with an error (see refusals and denials).
func IsAway(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrClosed) ||
		errors.Is(err, ErrClientClosed) || errors.Is(err, ErrAway) || errors.Is(err, io.EOF) ||
		repliesWith(err, refusals) || IsDenied(err)
}

// IsDenied reports whether Redis answers and does not let this client work: its password is wrong or missing, or its
// user may not do what is asked. Redis is away then, and waiting for it does not bring it back.
func IsDenied(err error) bool { return repliesWith(err, denials) }

// repliesWith reports whether an error is a reply of Redis that begins with one of some codes. Redis 6 puts its own
// text before the code of a command that failed in a script.
func repliesWith(err error, codes []string) bool {
	var reply redis.Error
	if !errors.As(err, &reply) {
		return false
	}
	text := strings.TrimPrefix(reply.Error(), "ERR ")
	_, inScript, _ := strings.Cut(text, ": -")
	return slices.ContainsFunc(codes, func(code string) bool {
		return strings.HasPrefix(text, code) || strings.HasPrefix(inScript, code)
	})
}
