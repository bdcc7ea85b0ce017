package db

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
)

// holdingStates is booking.HoldingStates in SQL; written out, so that the partial indexes serve.
const holdingStates = `('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')`

// slotMinutes is how long a slot of a reservation r of a restaurant p lasts: what was agreed, whatever the restaurant
// has by now.
const slotMinutes = `COALESCE((r.policy ->> 'slotMinutes')::integer, p.slot_minutes)`

// reservationColumns are what reservationRow reads, of reservations r and slots s.
const reservationColumns = `
	r.id, r.restaurant_id, COALESCE(r.user_id, '') AS user_id, r.source, COALESCE(r.guest_name, '') AS own_name,
	COALESCE(r.guest_phone, '') AS own_phone, COALESCE(r.booked_by, '') AS booked_by, r.cancel_reason, r.party_size, r.state, r.hold_expires_at, r.seen_expires_at, r.extended_at IS NOT NULL AS extended,
	r.deposit_amount, r.menu_amount, r.coupon_id, r.discount_use, r.discount_amount,
	r.paid_amount, r.refund_amount, r.given_back, r.payment_kind, r.policy, r.note, r.allergies, r.arrived_at, r.seated_at, r.ended_at,
	r.idempotency_key, r.changes, r.created_at, r.confirmed_at,
	to_char(s.service_date, 'YYYY-MM-DD') AS service_date,
	to_char(s.service_time, 'HH24:MI') AS service_time,
	ARRAY(
		SELECT to_char(further.service_time, 'HH24:MI')
		FROM reservation_stays stay
		JOIN slots further ON further.id = stay.slot_id
		WHERE stay.reservation_id = r.id
		ORDER BY further.service_time
	) AS stay,
	COALESCE((r.policy ->> 'slotMinutes')::integer,
		(SELECT slot_minutes FROM restaurants WHERE id = r.restaurant_id)) AS slot_minutes,
	COALESCE((
		SELECT json_agg(json_build_object(
			'menuItemId', i.menu_item_id, 'ko', i.name_ko, 'en', i.name_en,
			'quantity', i.quantity, 'unitPrice', i.unit_price) ORDER BY i.menu_item_id)
		FROM reservation_items i
		WHERE i.reservation_id = r.id
	), '[]') AS items,
	COALESCE((
		SELECT json_agg(json_build_object(
			'id', n.seat_id, 'label', (SELECT label FROM seats WHERE id = n.seat_id), 'chosen', n.chosen) ORDER BY n.seat_id)
		FROM reservation_seats n
		WHERE n.reservation_id = r.id AND n.slot_id = r.slot_id
	), '[]') AS seats`

// slotIDs are the ids of the slots of a reservation r, in order.
const slotIDs = `
	r.slot_id || ARRAY(
		SELECT further.id
		FROM reservation_stays stay
		JOIN slots further ON further.id = stay.slot_id
		WHERE stay.reservation_id = r.id
		ORDER BY further.service_time
	)`

type reservationRow struct {
	ID             string         `db:"id"`
	RestaurantID   int64          `db:"restaurant_id"`
	UserID         string         `db:"user_id"`
	Source         string         `db:"source"`
	OwnName        string         `db:"own_name"`
	OwnPhone       string         `db:"own_phone"`
	BookedBy       string         `db:"booked_by"`
	CancelReason   string         `db:"cancel_reason"`
	PartySize      int            `db:"party_size"`
	State          string         `db:"state"`
	HoldExpiresAt  time.Time      `db:"hold_expires_at"`
	SeenExpiresAt  sql.NullTime   `db:"seen_expires_at"`
	Extended       bool           `db:"extended"`
	DepositAmount  int64          `db:"deposit_amount"`
	MenuAmount     int64          `db:"menu_amount"`
	CouponID       sql.NullInt64  `db:"coupon_id"`
	DiscountUse    string         `db:"discount_use"`
	DiscountAmount int64          `db:"discount_amount"`
	PaidAmount     int64          `db:"paid_amount"`
	RefundAmount   int64          `db:"refund_amount"`
	GivenBack      int64          `db:"given_back"`
	PaymentKind    string         `db:"payment_kind"`
	ArrivedAt      sql.NullTime   `db:"arrived_at"`
	SeatedAt       sql.NullTime   `db:"seated_at"`
	EndedAt        sql.NullTime   `db:"ended_at"`
	Policy         []byte         `db:"policy"`
	Note           string         `db:"note"`
	Allergies      string         `db:"allergies"`
	IdempotencyKey string         `db:"idempotency_key"`
	Changes        int            `db:"changes"`
	CreatedAt      time.Time      `db:"created_at"`
	ConfirmedAt    sql.NullTime   `db:"confirmed_at"`
	ServiceDate    string         `db:"service_date"`
	ServiceTime    string         `db:"service_time"`
	Stay           pq.StringArray `db:"stay"`
	SlotMinutes    int            `db:"slot_minutes"`
	Items          []byte         `db:"items"`
	Seats          []byte         `db:"seats"`
}

type itemRow struct {
	MenuItemID int64  `json:"menuItemId"`
	Ko         string `json:"ko"`
	En         string `json:"en"`
	Quantity   int    `json:"quantity"`
	UnitPrice  int64  `json:"unitPrice"`
}

func (r reservationRow) reservation() (booking.Reservation, error) {
	policy, err := booking.ParsePolicy(r.Policy)
	if err != nil {
		return booking.Reservation{}, fmt.Errorf("db: reservation %s: %w", r.ID, err)
	}
	items, err := parseItems(r.Items)
	if err != nil {
		return booking.Reservation{}, fmt.Errorf("db: reservation %s: %w", r.ID, err)
	}
	seats, err := parseReservedSeats(r.Seats)
	if err != nil {
		return booking.Reservation{}, fmt.Errorf("db: reservation %s: %w", r.ID, err)
	}
	return booking.Reservation{
		ID:           r.ID,
		RestaurantID: r.RestaurantID,
		Slot:         slotKey(r.RestaurantID, r.ServiceDate, r.ServiceTime),
		Stay:         timesOf(r.Stay),
		SlotMinutes:  r.SlotMinutes,
		UserID:       r.UserID,
		Source:       booking.Source(r.Source),
		GuestName:    r.OwnName,
		GuestPhone:   r.OwnPhone,
		BookedBy:     r.BookedBy,
		CancelReason: r.CancelReason,
		PartySize:    r.PartySize,
		State:        booking.State(r.State),
		Items:        items,
		Seats:        seats,
		Attendance: booking.Attendance{ArrivedAt: r.ArrivedAt.Time, SeatedAt: r.SeatedAt.Time,
			EndedAt: r.EndedAt.Time},
		PaymentKind:   booking.PaymentKind(r.PaymentKind),
		DepositAmount: r.DepositAmount,
		MenuAmount:    r.MenuAmount,
		Discount: booking.Discount{CouponID: r.CouponID.Int64, Use: booking.DiscountUse(r.DiscountUse),
			Amount: r.DiscountAmount},
		PaidAmount:     r.PaidAmount,
		RefundAmount:   r.RefundAmount,
		GivenBack:      r.GivenBack,
		HoldExpiresAt:  r.HoldExpiresAt,
		SeenExpiresAt:  r.SeenExpiresAt.Time,
		Extended:       r.Extended,
		Policy:         policy,
		Note:           r.Note,
		Allergies:      r.Allergies,
		IdempotencyKey: r.IdempotencyKey,
		Changes:        r.Changes,
		CreatedAt:      r.CreatedAt,
		ConfirmedAt:    r.ConfirmedAt.Time,
	}, nil
}

func timesOf(times pq.StringArray) []booking.TimeOfDay {
	var stay []booking.TimeOfDay
	for _, at := range times {
		stay = append(stay, booking.TimeOfDay(at))
	}
	return stay
}

func parseItems(b []byte) ([]booking.Item, error) {
	var rows []itemRow
	if err := json.Unmarshal(b, &rows); err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	items := make([]booking.Item, 0, len(rows))
	for _, row := range rows {
		items = append(items, booking.Item{
			MenuItemID: row.MenuItemID,
			Name:       booking.Text{Ko: row.Ko, En: row.En},
			Quantity:   row.Quantity,
			UnitPrice:  row.UnitPrice,
		})
	}
	return items, nil
}

func slotKey(restaurantID int64, date, at string) booking.SlotKey {
	return booking.SlotKey{RestaurantID: restaurantID, Date: booking.Date(date), Time: booking.TimeOfDay(at)}
}
