package seed

import (
	"context"
	"fmt"
	"time"

	"lunchgo/app/booking"
)

// PastVisit is a visit of the last weeks, for the owner's reports: who came, or did not.
type PastVisit struct {
	ID         string            `json:"id"` // of the reservation
	Restaurant int64             `json:"restaurant"`
	Date       booking.Date      `json:"date"`
	Time       booking.TimeOfDay `json:"time"`
	Source     booking.Source    `json:"source"`
	UserID     *string           `json:"user_id"` // of a diner; null: staff wrote the guest down
	GuestName  *string           `json:"guest_name"`
	GuestPhone *string           `json:"guest_phone"`
	BookedBy   *string           `json:"booked_by"`
	Party      int               `json:"party"`
	NoShow     bool              `json:"no_show"`
	Deposit    int64             `json:"deposit"` // won, paid by a diner
	Minutes    int               `json:"minutes"` // from sitting down to leaving
	SeatIDs    []int64           `json:"seat_ids"`
}

// regulars are guests who call; some come again and again.
var regulars = []struct{ name, phone string }{
	{"정미경", "010-4100-0001"}, {"오세훈", "010-4100-0002"}, {"배지현", "010-4100-0003"}, {"문성호", "010-4100-0004"},
	{"Grace Lee", "010-4100-0005"}, {"차은영", "010-4100-0006"}, {"신동욱", "010-4100-0007"}, {"홍가람", "010-4100-0008"},
}

const (
	pastDays    = 35 // before today
	visitsADay  = 7
	oneOfNoShow = 13 // of that many who booked, one does not come
)

// pastVisits are those of the weeks before now at a restaurant: the same ones at every start of a day.
func pastVisits(ctx context.Context, stores Stores, r booking.Restaurant, who people, now time.Time) error {
	var all []PastVisit
	today := booking.DateOf(now, r.Location)
	for ago := 1; ago <= pastDays; ago++ {
		date := today.AddDays(-ago)
		times, taken := r.Times(date), map[booking.TimeOfDay]booking.TakenSeats{}
		day, _ := time.Parse(time.DateOnly, string(date))
		number := int(day.Unix() / (24 * 60 * 60)) // of the day: what a day saw does not change with the days after it
		for n := range visitsADay {
			if len(times) == 0 {
				break
			}
			v := who.visit(number*visitsADay + n)
			v.ID, v.Restaurant, v.Date = fmt.Sprintf("demo-past-%s-%s-%d", r.Slug, date, n), r.ID, date
			v.Time, v.Party = times[(n*5+number)%len(times)], max(r.PartyMin, min(v.Party, r.PartyMax))
			if v.Source == booking.Web {
				v.Deposit = r.DepositOf(v.Party).For(v.Party)
			}
			v.SeatIDs = append([]int64{}, r.Seats.Best(taken[v.Time], v.Party)...)
			taken[v.Time] = taken[v.Time].With(v.SeatIDs)
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return stores.Seeds.AddPastVisits(ctx, all)
}

// people are who comes to the demo's restaurants, and who writes them down.
type people struct {
	guests  []string // ids of diners
	staffID string
}

// visit is one of many, by its number: a diner's, of a guest who called, or of somebody at the door.
func (p people) visit(n int) PastVisit {
	v := PastVisit{Party: 1 + (n*7+n/5)%4, Minutes: 50 + 11*(n%6), NoShow: n%oneOfNoShow == 0}
	switch caller := regulars[n/5*3%len(regulars)]; n % 5 {
	case 0, 1, 2:
		v.Source, v.UserID = booking.Web, &p.guests[n*3%len(p.guests)]
	case 3:
		v.Source, v.GuestName, v.GuestPhone, v.BookedBy = booking.Phone, &caller.name, &caller.phone, &p.staffID
	default:
		name, none := "워크인", ""
		v.Source, v.GuestName, v.GuestPhone, v.BookedBy, v.NoShow = booking.WalkIn, &name, &none, &p.staffID, false
	}
	return v
}
