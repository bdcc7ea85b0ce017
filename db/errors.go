package db

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

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	owner "lunchgo/app/setup"
	"lunchgo/app/wallet"
	"lunchgo/app/webhooks"
)

// ErrUnavailable says that the database cannot answer now: no connection, no free one, or no answer in time. Nothing
// was changed, or, when the connection was lost while committing, the change will be found by a repeat with the same
// key.
var ErrUnavailable = booking.ErrUnavailable

// constraintErrors says in the domain's terms what a broken constraint means.
var constraintErrors = map[string]error{
	"users_email_unique":            identity.ErrEmailTaken,
	"staff_members_user":            identity.ErrNotFound,
	"staff_members_restaurant":      booking.ErrNotFound,
	"slots_restaurant":              booking.ErrNotFound,
	"reservations_one_live":         booking.ErrDuplicate,
	"menu_stock_remaining":          &booking.OutOfStockError{}, // a turn sees it coming; the database makes sure
	"coupon_claims_one_a_person":    coupon.ErrAlreadyClaimed,
	"coupons_issued":                coupon.ErrSoldOut, // a turn sees it coming; the database makes sure
	"reservations_one_a_coupon":     booking.ErrCouponUsed,
	"reservations_own_coupon":       booking.ErrCouponUnknown, // a turn sees both coming; the database makes sure
	"reservations_user_key":         booking.ErrKeyReused,
	"reservations_staff_key":        booking.ErrKeyReused,
	"reservation_seats_one_holder":  &booking.SeatTakenError{}, // a turn sees it coming; the database makes sure
	"reservation_changes_user_key":  booking.ErrKeyReused,
	"reservation_changes_staff_key": booking.ErrKeyReused,
	"waitlist_user_key":             booking.ErrKeyReused,
	"waitlist_one_live":             booking.ErrAlreadyListed, // Join sees it coming; the database makes sure
	"ledger_entries_user_key":       wallet.ErrKeyReused,
	"ledger_entries_one_payment":    booking.ErrAlreadyPaid,
	"accounts_balance_not_negative": wallet.ErrBalanceTooLow,
	"webhook_endpoints_one_url":     webhooks.ErrSameURL,
	"restaurants_slug_unique":       owner.ErrSlugTaken,

	// A session is verified without a query, so it may be signed for a user that this database does not have.
	"reservations_user": identity.ErrInvalidSession,

	"reservations_booked_by":    identity.ErrInvalidSession,
	"reservation_changes_staff": identity.ErrInvalidSession,

	"accounts_user":       identity.ErrInvalidSession,
	"audit_log_staff":     identity.ErrInvalidSession,
	"coupon_claims_user":  identity.ErrInvalidSession,
	"waitlist_user":       identity.ErrInvalidSession,
	"user_sessions_user":  identity.ErrInvalidSession,
	"ended_sessions_user": identity.ErrInvalidSession,

	// A request that was under way when its person deleted their account.
	"users_deleted_do_nothing": identity.ErrInvalidSession,
}

// unavailableCodes are answers of the server that say "not now": of a lock or statement that took too long, of a
// deadlock that came back after every attempt, of a server that starts, stops or is full.
var unavailableCodes = []pqerror.Code{
	pqerror.LockNotAvailable, pqerror.QueryCanceled, pqerror.TRDeadlockDetected, pqerror.TRSerializationFailure,
	pqerror.AdminShutdown, pqerror.CrashShutdown, pqerror.CannotConnectNow, pqerror.IdleInTransactionSessionTimeout,
	pqerror.ReadOnlySQLTransaction,
}

// unavailableClasses are the classes of answers that say the same: 08 connection, 53 insufficient resources.
var unavailableClasses = []string{"08", "53"}

// mapError turns what the driver says into the domain's errors and ErrUnavailable. Domain errors and sql.ErrNoRows
// pass.
func mapError(err error) error {
	var server *pq.Error
	var refused *refusedError
	switch {
	case err == nil || errors.Is(err, ErrUnavailable) || errors.As(err, &refused):
		return err
	case errors.As(err, &server):
		return mapServerError(server)
	case isConnectionError(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

func mapServerError(err *pq.Error) error {
	if known := constraintErrors[err.Constraint]; known != nil {
		return fmt.Errorf("%w (%s)", known, err.Constraint)
	}
	if slices.Contains(unavailableCodes, err.Code) || slices.Contains(unavailableClasses, string(err.Code[:2])) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return fmt.Errorf("db: %w", err)
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

func isRetryable(err error) bool {
	return errors.Is(err, errListMoved) ||
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

// isRefused says whether the server refused the data itself: class 22, values it cannot store; class 23, constraints.
func isRefused(err error) bool {
	var server *pq.Error
	return errors.As(err, &server) && (strings.HasPrefix(string(server.Code), "22") ||
		strings.HasPrefix(string(server.Code), "23"))
}

// orNotFound returns notFound in place of sql.ErrNoRows.
func orNotFound(err, notFound error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return notFound
	}
	return err
}
