// Package db stores the data of the product in PostgreSQL: it implements the stores that the use cases ask for.
// No other part knows SQL, but the designs in app/rush/against with which a rush compares.
//
// Writes of several statements go through one short READ COMMITTED transaction (InTx of db/pg). Constraints carry the
// rules and have names, of which constraintErrors says the meaning. What the database cannot answer now is
// refusal.ErrUnavailable.
package db

import (
	"context"
	"embed"
	"io/fs"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	owner "lunchgo/app/setup"
	"lunchgo/app/wallet"
	"lunchgo/app/webhooks"
	"lunchgo/db/pg"
)

// The migrations of the database. Numbers that are missing were never released.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

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

// Open opens a pool of connections to a database of the product.
func Open(ctx context.Context, config pg.Config) (*pg.Pool, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, err
	}
	config.Schema = pg.Schema{Migrations: files, Errors: constraintErrors}
	return pg.Open(ctx, config)
}
