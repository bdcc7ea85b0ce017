package db

import (
	"slices"

	"lunchgo/app/booking"
)

// changedReservations are the reservations that a run changes, as they are after it, each once.
func (d decided) changedReservations() []changedReservation {
	var rows []changedReservation
	at := map[string]int{}
	for _, out := range d.outcomes {
		if out.Changed == nil {
			continue
		}
		row := d.changedReservation(out)
		if i, again := at[row.ID]; again {
			row.Seen = rows[i].Seen
			if !row.Reseated {
				row.Reseated, row.OverReason, row.FireLimit = rows[i].Reseated, rows[i].OverReason, rows[i].FireLimit
			}
			rows[i] = row
			continue
		}
		at[row.ID] = len(rows)
		rows = append(rows, row)
	}
	return rows
}

func (d decided) changedReservation(out booking.Outcome) changedReservation {
	c := *out.Changed
	row := changedReservation{
		ID:            c.ID,
		State:         string(c.State),
		Seen:          c.Was.Changes,
		Changes:       c.Changes,
		HoldExpiresAt: c.HoldExpiresAt,
		SlotIDs:       d.slots.idsOf(c.Slots()),
		RestaurantID:  c.RestaurantID,
		PartySize:     c.PartySize,
		DepositAmount: c.DepositAmount,
		MenuAmount:    c.MenuAmount,
		CouponID:      c.Discount.CouponID,
		DiscountUse:   string(c.Discount.Use),
		Discount:      c.Discount.Amount,
		PaidAmount:    c.PaidAmount,
		Policy:        c.Policy,
		Note:          c.Note,
		Allergies:     c.Allergies,
		Items:         []newItem{},
		Seats:         append([]booking.ReservedSeat{}, c.Seats...), // never null
		Lacks:         []lackedSeat{},
		Reseated:      c.Reseated,
	}
	for _, seat := range c.Lacks {
		slot := booking.SlotKey{RestaurantID: c.RestaurantID, Date: c.Slot.Date, Time: seat.Time}
		row.Lacks = append(row.Lacks, lackedSeat{d.slots.id(slot), seat.ID})
	}
	if c.Overridden {
		row.OverReason, row.FireLimit = out.Request.Override.Reason, d.fireLimit
	}
	if !c.SeenExpiresAt.IsZero() {
		row.SeenExpiresAt = &c.SeenExpiresAt
	}
	for i, it := range c.Items {
		row.Items = append(row.Items, newItem{it.MenuItemID, it.Name.Ko, it.Name.En, it.Quantity, it.UnitPrice,
			c.Lines[i].FromStock})
	}
	return row
}

// portions are what a run's changes give back to the stock, less what they take from it, once a dish and day.
func (d decided) portions() []portionRow {
	rows := []portionRow{}
	for _, out := range d.outcomes {
		if out.Changed == nil {
			continue
		}
		for _, p := range out.Changed.Portions {
			i := slices.IndexFunc(rows, func(row portionRow) bool {
				return row.MenuItemID == p.MenuItemID && row.ServiceDate == p.Date
			})
			if i < 0 {
				i, rows = len(rows), append(rows, portionRow{MenuItemID: p.MenuItemID, ServiceDate: p.Date})
			}
			rows[i].Quantity += p.Quantity
		}
	}
	return rows
}

// newChange is a row of reservation_changes.
type newChange struct {
	ID             string    `json:"id"`
	ReservationID  string    `json:"reservation_id"`
	Number         int       `json:"number"`
	UserID         string    `json:"user_id,omitempty"`  // null for a guest without an account
	StaffID        string    `json:"staff_id,omitempty"` // null for a change by the diner
	State          string    `json:"state"`
	FromSlotID     int64     `json:"from_slot_id"`
	ToSlotID       int64     `json:"to_slot_id"`
	FromSlots      int       `json:"from_slots"`
	ToSlots        int       `json:"to_slots"`
	FromParty      int       `json:"from_party"`
	ToParty        int       `json:"to_party"`
	FromItems      []itemRow `json:"from_items"`
	ToItems        []itemRow `json:"to_items"`
	FromDeposit    int64     `json:"from_deposit"`
	ToDeposit      int64     `json:"to_deposit"`
	FromMenu       int64     `json:"from_menu"`
	ToMenu         int64     `json:"to_menu"`
	FromCouponID   int64     `json:"from_coupon_id,omitempty"` // null for none
	ToCouponID     int64     `json:"to_coupon_id,omitempty"`
	FromDiscount   int64     `json:"from_discount"`
	ToDiscount     int64     `json:"to_discount"`
	FromPaid       int64     `json:"from_paid"`
	ToPaid         int64     `json:"to_paid"`
	Charged        int64     `json:"charged"`
	Refunded       int64     `json:"refunded"`
	Retained       int64     `json:"kept"`
	IdempotencyKey string    `json:"idempotency_key"`
	Ticket         string    `json:"ticket"`
	Arrival        int64     `json:"arrival"`
	Fence          int64     `json:"fence"`
}

// changes are the rows of a run for the histories of its reservations.
func (d decided) changes() []newChange {
	var rows []newChange
	for i, out := range d.outcomes {
		if out.Changed != nil {
			rows = append(rows, d.newChange(i, out))
		}
	}
	return rows
}

func (d decided) newChange(i int, out booking.Outcome) newChange {
	was, next := out.Changed.Was, out.Changed.Revision
	row := newChange{
		ID:             d.changeIDs[i],
		ReservationID:  next.ID,
		Number:         next.Changes,
		UserID:         next.UserID,
		State:          string(next.State),
		FromSlotID:     d.slots.id(was.Slot),
		ToSlotID:       d.slots.id(next.Slot),
		FromSlots:      len(was.Slots()),
		ToSlots:        len(next.Slots()),
		FromParty:      was.PartySize,
		ToParty:        next.PartySize,
		FromItems:      itemRows(was.Items),
		ToItems:        itemRows(next.Items),
		FromDeposit:    was.DepositAmount,
		ToDeposit:      next.DepositAmount,
		FromMenu:       was.MenuAmount,
		ToMenu:         next.MenuAmount,
		FromCouponID:   was.Discount.CouponID,
		ToCouponID:     next.Discount.CouponID,
		FromDiscount:   was.Discount.Amount,
		ToDiscount:     next.Discount.Amount,
		FromPaid:       was.PaidAmount,
		ToPaid:         next.PaidAmount,
		Charged:        next.Charge,
		Refunded:       next.Refund,
		Retained:       next.Retained,
		IdempotencyKey: out.Request.IdempotencyKey,
		Ticket:         out.Request.Ticket,
		Arrival:        out.Request.Arrival,
		Fence:          d.turn.Fence,
	}
	if out.Request.IsByStaff() {
		row.StaffID = out.Request.UserID
	}
	return row
}

func itemRows(items []booking.Item) []itemRow {
	rows := make([]itemRow, 0, len(items))
	for _, it := range items {
		rows = append(rows, itemRow{it.MenuItemID, it.Name.Ko, it.Name.En, it.Quantity, it.UnitPrice})
	}
	slices.SortFunc(rows, func(a, b itemRow) int { return int(a.MenuItemID - b.MenuItemID) })
	return rows
}
