package team

import (
	"context"

	"lunchgo/app/booking"
)

// IsOperator returns whether a user runs the site: publishes restaurants and decides about reviews.
type IsOperator func(ctx context.Context, userID string) (bool, error)

// Check returns booking.ErrForbidden for who does not run the site.
func (is IsOperator) Check(ctx context.Context, userID string) error {
	operator, err := is(ctx, userID)
	if err == nil && !operator {
		err = booking.ErrForbidden
	}
	return err
}
