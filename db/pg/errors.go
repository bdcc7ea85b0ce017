package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"lunchgo/app/refusal"
)

// ErrAgain has a transaction tried again that returns it. After the last attempt its caller gets it as what it is:
// refusal.ErrUnavailable.
var ErrAgain = fmt.Errorf("%w: another transaction came between", refusal.ErrUnavailable)

// unavailableCodes are answers of the server that say "not now": of a lock or statement that took too long, of a
// deadlock that came back after every attempt, of a server that starts, stops or is full.
var unavailableCodes = []pqerror.Code{
	pqerror.LockNotAvailable, pqerror.QueryCanceled, pqerror.TRDeadlockDetected, pqerror.TRSerializationFailure,
	pqerror.AdminShutdown, pqerror.CrashShutdown, pqerror.CannotConnectNow, pqerror.IdleInTransactionSessionTimeout,
	pqerror.ReadOnlySQLTransaction,
}

// unavailableClasses are the classes of answers that say the same: 08 connection, 53 insufficient resources.
var unavailableClasses = []string{"08", "53"}

// MapError turns what the driver says into the errors of the schema and refusal.ErrUnavailable. Others pass,
// sql.ErrNoRows among them.
func (p *Pool) MapError(err error) error {
	var server *pq.Error
	switch {
	case err == nil || errors.Is(err, refusal.ErrUnavailable):
		return err
	case errors.As(err, &server):
		return p.mapServerError(server)
	case isConnectionError(err):
		return fmt.Errorf("%w: %w", refusal.ErrUnavailable, err)
	}
	return err
}

func (p *Pool) mapServerError(err *pq.Error) error {
	if known := p.config.Schema.Errors[err.Constraint]; known != nil {
		return fmt.Errorf("%w (%s)", known, err.Constraint)
	}
	if slices.Contains(unavailableCodes, err.Code) || slices.Contains(unavailableClasses, string(err.Code[:2])) {
		return fmt.Errorf("%w: %w", refusal.ErrUnavailable, err)
	}
	return fmt.Errorf("pg: %w", err)
}

// isConnectionError knows the ends of contexts and connections. A context that ends rolls its transaction back, after
// which database/sql says ErrTxDone.
func isConnectionError(err error) bool {
	ends := []error{
		context.DeadlineExceeded, context.Canceled, sql.ErrTxDone, sql.ErrConnDone, driver.ErrBadConn,
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	}
	if slices.ContainsFunc(ends, func(end error) bool { return errors.Is(err, end) }) {
		return true
	}
	var network net.Error
	return errors.As(err, &network)
}

func IsRetryable(err error) bool {
	return errors.Is(err, ErrAgain) ||
		pq.As(err, pqerror.TRDeadlockDetected, pqerror.TRSerializationFailure) != nil ||
		isStale(err) || isFull(err)
}

// isFull says whether the server has no connection to give.
func isFull(err error) bool { return pq.As(err, pqerror.TooManyConnections) != nil }

// isStale says whether a statement has to be prepared again: nothing of it was done.
func isStale(err error) bool { return isNotPrepared(err) || isChanged(err) }

// isNotPrepared says whether a server connection did not know a statement.
func isNotPrepared(err error) bool { return pq.As(err, pqerror.InvalidSQLStatementName) != nil }

// isChanged says whether a statement has other columns than when it was prepared: a migration changed them.
func isChanged(err error) bool {
	server := pq.As(err, pqerror.FeatureNotSupported)
	return server != nil && server.Routine == "RevalidateCachedQuery" // its text depends on the server's language
}

// RefusedError says that the data of a transaction were refused, not the transaction. Err is in the domain's terms
// already: it is not unwrapped, so MapError passes it on as it is.
type RefusedError struct {
	Err error
}

func (e *RefusedError) Error() string { return e.Err.Error() }

// Refused returns a *RefusedError if the server refused the data itself. Others pass.
func (p *Pool) Refused(err error) error {
	if isRefused(err) {
		return &RefusedError{p.MapError(err)}
	}
	return err
}

// isRefused says whether the server refused the data itself: class 22, values it cannot store; class 23, constraints.
func isRefused(err error) bool {
	var server *pq.Error
	return errors.As(err, &server) && (strings.HasPrefix(string(server.Code), "22") ||
		strings.HasPrefix(string(server.Code), "23"))
}

// OrNotFound returns notFound in place of sql.ErrNoRows.
func OrNotFound(err, notFound error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return notFound
	}
	return err
}
