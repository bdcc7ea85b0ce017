package waiting

import (
	"errors"
	"io"
	"net"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// Away says whether an error of the room means that its Redis cannot be asked now: no connection, none free in time, or
// one that broke.
func Away(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrClosed) ||
		errors.Is(err, locks.ErrClientClosed) || errors.Is(err, locks.ErrAway) || errors.Is(err, io.EOF)
}
