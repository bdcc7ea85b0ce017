package seed

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/wallet"
)

// guestNames are of those who have tables in the coming days, so that slots look as they do in life. They never sign
// in.
var guestNames = []string{
	"박서연", "최민준", "정지우", "강도윤", "조은서", "윤시우", "장하은", "임준서",
	"한지민", "오예준", "서윤아", "신건우", "권나은", "황이준", "안소율", "송현우",
	"류다인", "문태오", "배수아", "노은우", "심가온", "곽리안", "도하린", "명재이",
}

// sellOutGuests are the last of the guests, who take the evening that is sold out, and nothing else: nobody has two
// tables at the same time.
const sellOutGuests = 8

// Guests pay deposits for dozens of tables, so their wallets are filled up on a day on which they are low.
const (
	guestCharges = 5 // of MaxCharge each
	guestLow     = guestCharges * wallet.MaxCharge / 2
)

func inviteGuests(ctx context.Context, stores Stores, now time.Time) ([]string, error) {
	var ids []string
	for i, name := range guestNames {
		guest := identity.User{
			Email: fmt.Sprintf("guest%02d@lunchgo.example", i+1), Name: name, Phone: fmt.Sprintf("010-3000-%04d", i+1),
		}
		id, err := createPerson(ctx, stores, guest, "")
		if err != nil {
			return nil, err
		}
		if err := fillWallet(ctx, stores, id, now); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func fillWallet(ctx context.Context, stores Stores, userID string, now time.Time) error {
	account, err := stores.Wallets.Find(ctx, userID)
	if err != nil || account.Balance >= guestLow {
		return err
	}
	for i := range guestCharges {
		key := fmt.Sprintf("demo-%s-%d", now.Format(time.DateOnly), i+1)
		if _, _, err := stores.Wallets.Charge(ctx,
			wallet.Charge{UserID: userID, Amount: wallet.MaxCharge, IdempotencyKey: key}); err != nil {
			return err
		}
	}
	return nil
}

// Days of which slots are booked, and how far ahead a slot is looked for that is sold out.
const (
	busyDays    = 3
	soldOutDays = 14
	soldOutSlug = "sushi-harugyeol"
	soldOutTime = booking.TimeOfDay("18:00")
)

// bookTables gives guests tables at the usual hours of the coming days, and all seats of one evening at the smallest
// restaurant.
func bookTables(ctx context.Context, stores Stores, places []place, guests []string, now time.Time) error {
	usual := len(guests) - sellOutGuests
	for _, p := range places {
		if p.restaurant.Slug == soldOutSlug {
			if err := sellOut(ctx, stores, p, guests[usual:], now); err != nil {
				return err
			}
		}
		for day := range busyDays {
			date := booking.DateOf(now, p.restaurant.Location).AddDays(day)
			for _, at := range p.restaurant.Times(date) {
				slot := booking.SlotKey{RestaurantID: p.restaurant.ID, Date: date, Time: at}
				seats := p.restaurant.Capacity * demand(p, slot) / 100
				if err := seat(ctx, stores, p, slot, guests[:usual], seats, now); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sellOut takes all seats of the next evening that can still be booked.
func sellOut(ctx context.Context, stores Stores, p place, guests []string, now time.Time) error {
	for day := range soldOutDays {
		date := booking.DateOf(now, p.restaurant.Location).AddDays(day)
		if p.restaurant.CheckBookable(date, soldOutTime, now) == nil {
			slot := booking.SlotKey{RestaurantID: p.restaurant.ID, Date: date, Time: soldOutTime}
			return seat(ctx, stores, p, slot, guests, p.restaurant.Capacity, now)
		}
	}
	return nil
}

// demand is the share of a slot's seats that guests take, in percent: most at the hours at which people like to eat,
// and the same whenever it is asked.
func demand(p place, slot booking.SlotKey) int {
	hash := chance(p, slot)
	switch slot.Time {
	case "12:00", "18:30", "19:00":
		return []int{20, 40, 60, 90}[hash%4]
	case "12:30", "18:00", "20:00":
		return []int{0, 0, 20}[hash%3]
	}
	return 0
}

// chance is a number that looks random and is the same for a slot in every installation.
func chance(p place, slot booking.SlotKey) int {
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, p.restaurant.Slug, slot.Date, slot.Time)
	return int(h.Sum32() >> 8)
}

// seat gives guests tables of 2 to 4 up to so many seats and lets them pay the deposit. A slot that diners have had a
// turn in is left as it is: the seed's turn has the lowest fence of all.
func seat(ctx context.Context, stores Stores, p place, slot booking.SlotKey, guests []string, seats int,
	now time.Time) error {
	run := parties(p, slot, guests, seats, now)
	if len(run) == 0 {
		return nil
	}
	slices.SortStableFunc(run, func(a, b booking.Request) int { return len(a.Stay) - len(b.Stay) })
	for stay := range booking.MaxStay {
		first, _ := slices.BinarySearchFunc(run, stay, func(req booking.Request, n int) int {
			return len(req.Stay) - n
		})
		last, _ := slices.BinarySearchFunc(run, stay+1, func(req booking.Request, n int) int {
			return len(req.Stay) - n
		})
		if err := seatRun(ctx, stores, p, run[first:last]); err != nil {
			return err
		}
	}
	return nil
}

// seatRun seats parties that all stay for as long.
func seatRun(ctx context.Context, stores Stores, p place, run []booking.Request) error {
	if len(run) == 0 {
		return nil
	}
	turn := booking.Turn{Slot: run[0].Slot, Stay: run[0].Stay, Capacity: p.restaurant.Capacity,
		Seats: p.restaurant.Seats}
	outcomes, _, err := stores.Slots.Serve(ctx, turn, run)
	if errors.Is(err, booking.ErrStaleFence) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, out := range outcomes {
		if !out.Reserves() && (out.Existing == nil || out.Existing.State != booking.Temporary) {
			continue
		}
		order := booking.PaymentOrder{
			ReservationID: out.ReservationID, UserID: out.Request.UserID, Kind: booking.Deposit,
			IdempotencyKey: "demo-" + out.ReservationID,
		}
		_, err := stores.Reservations.Pay(ctx, order)
		if err != nil && !isOver(err) {
			return err
		}
	}
	return nil
}

// isOver says whether a payment failed because the hold of an earlier start has ended, or because another instance has
// paid at this moment.
func isOver(err error) bool {
	return errors.Is(err, booking.ErrHoldExpired) || errors.Is(err, booking.ErrAlreadyPaid)
}

// parties are the party sizes of guests who take so many seats; none when the slot cannot be booked any more.
func parties(p place, slot booking.SlotKey, guests []string, seats int, now time.Time) []booking.Request {
	var run []booking.Request
	first := chance(p, slot)
	for i := 0; seats > 0 && i < len(guests); i++ {
		draft := booking.Draft{
			RestaurantID: p.restaurant.ID, Date: string(slot.Date), Time: string(slot.Time),
			PartySize: min(2+(first+i)%3, p.restaurant.PartyMax, seats),
			Note:      notes[(first+i)%len(notes)],
		}
		if menu := booking.ServedAt(p.menu, slot.Time); len(menu) > 0 {
			draft.Items = []booking.DraftItem{{MenuItemID: menu[(first+i)%len(menu)].ID, Quantity: 2}}
		}
		req, err := draft.Check(p.restaurant, p.menu, now)
		if err != nil {
			return run
		}
		req.UserID = guests[(first+i)%len(guests)]
		req.IdempotencyKey = fmt.Sprintf("demo-%d-%s-%s", slot.RestaurantID, slot.Date, slot.Time)
		run, seats = append(run, req), seats-req.PartySize
	}
	return run
}

var notes = []string{"", "창가 자리 부탁드려요.", "", "유아 의자가 하나 필요합니다.", "",
	"It is a birthday; a quiet corner would be lovely.", ""}
