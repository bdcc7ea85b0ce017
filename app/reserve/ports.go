package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// Catalog reads the restaurants that are published, and their menus, which rarely change. A draft does not exist for
// it.
type Catalog interface {
	// FindRestaurant returns ErrNotFound if there is none with that id. It finds shadow and unpublished ones too.
	FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error)
	// FindRestaurantBySlug returns ErrNotFound if there is none.
	FindRestaurantBySlug(ctx context.Context, slug string) (booking.Restaurant, error)
	// ListMenu returns a restaurant's items in menu order, without the retired ones.
	ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error)
}

// CatalogStore is a Catalog that can be listed as a whole.
type CatalogStore interface {
	Catalog
	// Version returns a text that differs after any change of what the others return, ListRatings excepted.
	Version(ctx context.Context) (string, error)
	// ListRestaurants returns all restaurants that diners see, by id.
	ListRestaurants(ctx context.Context) ([]booking.Restaurant, error)
	// ListDishes returns the names of what is on their menus, by restaurant.
	ListDishes(ctx context.Context) (map[int64][]booking.Text, error)
	// ListRatings returns what restaurants are rated, of those that are.
	ListRatings(ctx context.Context) (map[int64]booking.Rating, error)
}

// SlotStore keeps slots and decides who gets seats in them.
type SlotStore interface {
	// Serve decides a run of requests for the slots of a turn, new reservations and changes alike, in one transaction:
	// it creates missing slot rows with the turn's capacity, locks the rows in order, those that changes leave among
	// them, refuses a fence of the turn's slots below one that was served before (ErrStaleFence), calls booking.Decide,
	// and stores the outcomes: it takes what is new, frees what is old, and moves the difference of a change in its
	// diner's wallet. The outcomes are in the order of the run; the occupancies are those after the run, in the order
	// of Turn.Slots. Every request must be for exactly the slots of the turn. Of a change the outcome may have
	// wallet.ErrBalanceTooLow as well.
	Serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome, []booking.Occupancy, error)
	// ListOccupancy returns the slots of a restaurant that have a row, for the dates from first to last.
	ListOccupancy(ctx context.Context, restaurantID int64,
		first, last booking.Date) (map[booking.SlotKey]booking.Occupancy, error)
	// CheckHolds returns the error of booking.Limits.CheckHolds for a request, as things are now; nil if nothing speaks
	// against it, or if its diner has a reservation in its slot, which Serve answers.
	CheckHolds(ctx context.Context, req booking.Request) error

	// What staff set of slots; the store writes down who did it.

	// ChangeSlots changes slots on behalf of a member of staff, all or none, and returns whom that touches, Waiting
	// excepted. Returns *booking.BelowSoldError, and changes nothing, when more seats are held than the new capacity.
	ChangeSlots(ctx context.Context, change SlotsChange) (Affected, error)
	// SetStopped stops a restaurant or lets it go on, and returns whom that touches, Waiting excepted, and its slots to
	// come. Returns ErrUnpublished while an operator keeps it off the public pages.
	SetStopped(ctx context.Context, stop Stop) (Affected, []booking.SlotKey, error)
	// BlockSeats blocks and unblocks seats, in all slots or none. Returns *booking.SeatsInUseError when somebody has
	// one.
	BlockSeats(ctx context.Context, block SeatBlock) error
	// ListBlocked returns the seats that are blocked in the slots of a day, ascending.
	ListBlocked(ctx context.Context, restaurantID int64, date booking.Date) (map[booking.TimeOfDay][]BlockedSeat, error)

	// NamesOf returns the names of some users, by id; those who are gone are missing.
	NamesOf(ctx context.Context, ids []string) (map[string]string, error)
	// NoteLineAct writes down what a member of staff does to the line of a slot.
	NoteLineAct(ctx context.Context, act LineAct) error
}

// ReservationStore keeps reservations. Every change is a compare-and-set on the old state, by the database's clock.
type ReservationStore interface {
	// Find returns ErrNotFound if there is none with that id.
	Find(ctx context.Context, id string) (booking.Reservation, error)
	// FindByTicket returns the reservation that a ticket of the line made, or ErrNotFound.
	FindByTicket(ctx context.Context, ticket string) (booking.Reservation, error)
	// FindReserved returns the reservations that some submissions made, in any state. Others are left out.
	FindReserved(ctx context.Context, asked []booking.Submission) (map[booking.Submission]booking.Reservation, error)
	// ListByUser returns a page of a diner's reservations, latest slot first.
	ListByUser(ctx context.Context, userID string, page keyset.Request) (keyset.Page[booking.Reservation], error)
	// ListUpcoming returns a page of those that hold seats, the soonest slot first, from the day before yesterday on.
	ListUpcoming(ctx context.Context, userID string, page keyset.Request) (keyset.Page[booking.Reservation], error)
	// RestaurantsOf returns, by reservation, the restaurants of some of a diner's reservations.
	RestaurantsOf(ctx context.Context, userID string, ids []string) (map[string]int64, error)
	// ListGuests returns a page of the reservations of parties that arrive in a slot, or stay in it, in the order in
	// which they were made; those that are expired, cancelled or refunded come last.
	ListGuests(ctx context.Context, slot booking.SlotKey, page keyset.Request) (keyset.Page[Guest], error)
	// FindGuest returns ErrNotFound if there is no reservation with that id.
	FindGuest(ctx context.Context, id string) (Guest, error)
	// ListSeated returns, by named seat, the names of the parties that hold the seats of a slot.
	ListSeated(ctx context.Context, slot booking.SlotKey) (map[int64]string, error)
	// Pay takes the money from the diner's wallet and confirms the reservation, both or neither. A repeat with the same
	// key returns the reservation as it is. After the hold has expired it takes the seats and dishes again if they are
	// free; else it returns the money in the same transaction, and returns ErrReturned with the reservation. Returns
	// the errors of PaymentFor and wallet.ErrBalanceTooLow.
	Pay(ctx context.Context, order booking.PaymentOrder) (booking.Reservation, error)
	// Extend extends a hold, once. Returns ErrNotFound when it is not the diner's, and the errors of CheckExtension.
	Extend(ctx context.Context, id, userID string) (booking.Reservation, error)
	// Cancel takes the step that CancellationFor decides. Returns ErrNotFound when it is not the diner's, and
	// *RefundChangedError, cancelling nothing, when the refund is less than quoted.
	Cancel(ctx context.Context, id string, by Canceller) (booking.Reservation, error)
	// AddCompanion stores what one who comes along has said. Returns ErrNotFound, and the errors of
	// booking.Reservation.AddCompanion.
	AddCompanion(ctx context.Context, id string, c booking.Companion) error
	// RemoveCompanion takes back what one who comes along has said, if it was said. Returns ErrNotFound.
	RemoveCompanion(ctx context.Context, id string, c booking.Companion) error
	// NoteComing stores that the diner has said that the party comes. Returns ErrNotFound, and ErrWrongState of a
	// reservation that does not wait for its party.
	NoteComing(ctx context.Context, id string) error
	// SeeHolds notes that diners have seen their holds: those of them that last still, and were unseen, last in full.
	SeeHolds(ctx context.Context, ids []string) error
	// WriteToUnseen writes, once each, to those who have not seen their holds for so long after they were made.
	WriteToUnseen(ctx context.Context, after time.Duration) error
	// ExpireHolds expires up to limit reservations whose hold has ended and returns their slots. Several instances may
	// call it at once.
	ExpireHolds(ctx context.Context, limit int) ([]booking.SlotKey, error)
	// SettleRefunds pays out up to limit pending refunds and returns their slots. Several instances may call it at
	// once.
	SettleRefunds(ctx context.Context, limit int) ([]booking.SlotKey, error)

	// What staff do with their guests; the store writes down who did it.

	// CancelByStaff takes the step that CancellationByStaff decides. The reason, which may be empty, is for the diner.
	CancelByStaff(ctx context.Context, id, staffID, reason string) (booking.Reservation, error)
	// GiveBack gives back a part of what was paid, once for the key of the member of staff. Returns the errors of
	// booking.Reservation.CheckGiveBack, and booking.ErrKeyReused.
	GiveBack(ctx context.Context, g booking.GiveBack) (booking.Reservation, error)
	// ChangeDetails corrects who comes, all or nothing. Returns the errors of booking.Reservation.WithDetails; of tags,
	// guests.ErrNoConsent, and *booking.InvalidError for nobody whom the restaurant would know again.
	ChangeDetails(ctx context.Context, id, staffID string, d booking.Details) (booking.Reservation, error)
	// Waive confirms a reservation without the deposit that staff had asked for. Returns the errors of
	// booking.Reservation.Waive.
	Waive(ctx context.Context, id, staffID string) (booking.Reservation, error)
	// Postpone gives a guest more time for the deposit, and writes to them again. Returns the errors of
	// booking.Reservation.Postpone.
	Postpone(ctx context.Context, id, staffID string, within booking.PayWithin) (booking.Reservation, error)
	// Mark marks what became of a party. Returns the errors of CheckMark.
	Mark(ctx context.Context, id string, state booking.State, staffID string) (booking.Reservation, error)
	// Undo takes a mark back, and with it the seats that it freed. Returns the errors of Reservation.Undo, and
	// ErrSeatsGiven when the seats are gone.
	Undo(ctx context.Context, id string, mark booking.State, staffID string) (booking.Reservation, error)
	// UndoTo takes the marks back that have followed an earlier state of a reservation, as it was seen. Returns the
	// errors of Reservation.UndoTo, ErrWrongState when it has changed since, and ErrSeatsGiven.
	UndoTo(ctx context.Context, seen booking.Reservation, state booking.State, staffID string) (booking.Reservation,
		error)
	// CompleteStays completes up to limit reservations of parties that are there and whose stay has ended, of those
	// that were seated once booking.OverstayGrace is over too or somebody else sits at their table, and returns their
	// slots. Several instances may call it at once.
	CompleteStays(ctx context.Context, limit int) ([]booking.SlotKey, error)
	// ListOverstayed returns the named seats of a restaurant at which parties sit whose stay has ended, ascending.
	ListOverstayed(ctx context.Context, restaurantID int64) ([]int64, error)

	// How reservations were changed; SlotStore.Serve changes them.

	// FindChange returns a diner's change by its idempotency key, or ErrNotFound.
	FindChange(ctx context.Context, userID, key string) (booking.PastChange, error)
	// FindChangeByStaff returns a change that a member of staff made, by its idempotency key, or ErrNotFound.
	FindChangeByStaff(ctx context.Context, staffID, key string) (booking.PastChange, error)
	// FindChangeByTicket returns the change that a ticket of the line made, or ErrNotFound.
	FindChangeByTicket(ctx context.Context, ticket string) (booking.PastChange, error)
	// FindChanged returns the ids of the reservations that some submissions changed. Others are left out.
	FindChanged(ctx context.Context, asked []booking.Submission) (map[booking.Submission]string, error)
	// FindMoveOffer returns the latest other time that staff have offered the diner of a reservation. Returns
	// booking.ErrNoMoveOffer if there is none, or the reservation has another time by now, or does not wait for its
	// party; booking.ErrOfferWithdrawn, which is one of those, if staff have withdrawn it.
	FindMoveOffer(ctx context.Context, reservationID string) (booking.MoveOffer, error)
	// DeclineMoveOffer notes that the diner keeps the reservation as it is, whatever was offered.
	DeclineMoveOffer(ctx context.Context, reservationID string) error
	// WithdrawMoveOffer takes back whatever staff have offered the diner of a reservation, so that it cannot be taken
	// any more. A repeat changes nothing. Returns booking.ErrNoMoveOffer.
	WithdrawMoveOffer(ctx context.Context, reservationID, staffID string) (booking.Reservation, error)
	// CancelOffered does what CancelByStaff does, while a full refund is offered. Returns booking.ErrNoMoveOffer too.
	CancelOffered(ctx context.Context, reservationID, staffID string) (booking.Reservation, error)
	// ListChanges returns a page of the changes of a reservation, oldest first.
	ListChanges(ctx context.Context, reservationID string, page keyset.Request) (keyset.Page[booking.PastChange], error)
}

// Canceller is the diner who cancels.
type Canceller struct {
	UserID string
	Quoted int64 // won to refund as quoted to the diner
}

// Guest is a reservation with the name and phone number of who comes: of its diner, or those that staff wrote down.
type Guest struct {
	booking.Reservation
	Name     string
	Phone    string
	Override string   // why staff seated the party over the plan; empty: it is in the plan
	Tags     []string // of the guest
}

// Availability caches the occupancy of slots. It may be a moment old, so nothing gives a seat away by it.
type Availability interface {
	// List returns the occupancy of a restaurant's slots of a date that have a row.
	List(ctx context.Context, restaurantID int64, date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error)
	// Changed refreshes the day of a slot; callers call it after every commit that changed the slot. It returns at once.
	Changed(slot booking.SlotKey)
	// Served refreshes the slots of a turn, when nothing else of their day has changed. It returns at once.
	Served(slots []booking.SlotKey)
}

// Lines returns how many diners wait in the lines of some slots, in the given order.
type Lines interface {
	Lengths(ctx context.Context, slots []booking.SlotKey) ([]int, error)
}

// Clock returns the present time; time.Now outside tests.
type Clock func() time.Time
