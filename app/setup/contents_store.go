package setup

import (
	"context"

	"lunchgo/app/coupon"
)

// ContentStore keeps menus, uploaded pictures, rooms and the coupon campaigns of restaurants.
type ContentStore interface {
	// FindMenu returns the menu of a restaurant, its retired dishes last.
	FindMenu(ctx context.Context, restaurantID int64) (Menu, error)
	// PutMenu stores a checked menu and returns it as stored. Dishes that it leaves out are retired, or, if nobody has
	// ordered them, removed. Returns the errors of Write.Check, booking.ErrNotFound, and *booking.InvalidError for
	// dishes and uploaded pictures that the restaurant does not have, and the error of Menu.In.
	PutMenu(ctx context.Context, w Write, menu Menu) (Menu, error)

	// AddPicture stores an upload, if it is not there, and deletes those of the restaurant that nothing shows and that
	// are older than OrphanLife. Returns ErrTooManyPictures.
	AddPicture(ctx context.Context, u Upload) error
	// KeepPicture returns an upload that is stored already, without its JPEGs, and keeps it for another OrphanLife.
	// Returns booking.ErrNotFound.
	KeepPicture(ctx context.Context, u Upload) (Upload, error)
	// FindPicture returns an uploaded picture: the JPEG, or as its reader prefers the WebP, if it has one. Returns
	// booking.ErrNotFound.
	FindPicture(ctx context.Context, hash string, small, preferWebP bool) ([]byte, error)

	// FindRoom returns the room of a restaurant. Returns booking.ErrNotFound.
	FindRoom(ctx context.Context, restaurantID int64) (Room, error)
	// PutRoom stores a checked room and returns it as stored. Seats that it leaves out are retired. Returns the errors
	// of Write.Check, booking.ErrNotFound, *HeldSeatsError, and *booking.InvalidError for seats that the restaurant
	// does not have.
	PutRoom(ctx context.Context, w Write, room Room) (Room, error)

	// ListCampaigns returns the campaigns of a restaurant, those that are over last, the newest first, at most so many.
	ListCampaigns(ctx context.Context, restaurantID int64, most int) ([]coupon.Campaign, error)
	// AddCampaign stores a campaign of a restaurant. Returns *booking.InvalidError when it has MaxCampaigns already.
	AddCampaign(ctx context.Context, staffID string, c coupon.Campaign) (coupon.Campaign, error)
	// EndCampaign ends a campaign now: nobody gets another of its coupons; those that were given out stay. One that is
	// over stays so. Returns coupon.ErrNotFound for those of other restaurants too.
	EndCampaign(ctx context.Context, staffID string, restaurantID, id int64) (coupon.Campaign, error)
}
