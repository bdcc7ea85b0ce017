package db

import "lunchgo/db/pg"

// Guards of the core and of features.
const (
	LockSlots           pg.Guard = "lock the slots of a turn"
	ReadSlots           pg.Guard = "read the seats and lock the stock of locked slots"
	InsertReservations  pg.Guard = "insert the reservations of a turn"
	LockSlotsOf         pg.Guard = "lock the slots of a reservation whose seats are free"
	LockReservation     pg.Guard = "lock a reservation"
	UpdateState         pg.Guard = "change a reservation's state"
	CancelReservation   pg.Guard = "cancel a reservation"
	WithdrawOffer       pg.Guard = "withdraw another time that is offered"
	InsertRefund        pg.Guard = "note what staff give back"
	UpdateAttendance    pg.Guard = "mark a reservation, or take a mark back"
	ExpireHolds         pg.Guard = "expire holds"
	SeeHolds            pg.Guard = "note that holds are seen"
	LockSlotsOfChanges  pg.Guard = "lock the slots of a turn and those that its changes leave"
	LockChanging        pg.Guard = "lock the reservations that a turn changes"
	UpdateTerms         pg.Guard = "change reservations' terms"
	LockSlotsOfWaitlist pg.Guard = "lock the slots of a waitlist"
	InsertEntry         pg.Guard = "put a party on a waitlist"
	ClaimEntries        pg.Guard = "claim the entries of a waitlist"
	LockSteered         pg.Guard = "lock the slots that staff change"
	UpdateSteered       pg.Guard = "store what staff change of slots"
	StoreCompanions     pg.Guard = "store what companions say"

	UpdateStop       pg.Guard = "stop a restaurant"
	InsertBlocked    pg.Guard = "block seats"
	LockToBlockSeats pg.Guard = "lock the slots in which seats are blocked"
	MovesPayment     pg.Guard = "take a step of a payment"
	LockRefunding    pg.Guard = "lock a payment of which the provider has made a refund"
	ClaimPayments    pg.Guard = "claim the due steps of payments"
	LockPaidChanges  pg.Guard = "lock the payments of changes in a turn"
	LockToBlockDays  pg.Guard = "keep slots from being made while seats of their day are blocked"
)
