package setup

import (
	"context"
	"fmt"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/team"
)

// Bounds of a room.
const (
	MaxSeats     = 200
	MaxFixtures  = 50
	MaxPlaces    = 20    // at a table
	MaxLabel     = 8     // runes
	MinFloor     = 100   // centimetres of each side
	MaxFloor     = 5_000 // centimetres
	MinArea      = 20    // centimetres of each side of a seat or fixture
	maxNeighbors = 20    // partners of a seat
)

// FixtureKinds are the kinds of things in a room that nobody sits at; keys of the catalogue's section "fixture".
func FixtureKinds() []string { return []string{"bar", "entrance", "kitchen", "window"} }

// Room is the document of a restaurant's named seats, in the order in which they are given away. Without seats the
// restaurant sells covers.
type Room struct {
	Floor Floor `json:"floor"`
	// In the order in which they are given away, at most 200; none where the restaurant sells covers.
	Seats []Seat `json:"seats"`
}

// Floor is how large the room is, in centimetres, and what else stands in it.
type Floor struct {
	Width    int               `json:"width"` // centimetres; 0 without a map
	Height   int               `json:"height"`
	Fixtures []booking.Fixture `json:"fixtures"` // at most 50
}

// Seat is a table, or a seat at a counter.
type Seat struct {
	ID       int64            `json:"id,omitempty"` // not in the request for a new one
	Label    string           `json:"label"`
	Kind     booking.SeatKind `json:"kind"`
	Places   int              `json:"places"`   // 1 at a counter
	MinParty int              `json:"minParty"` // the smallest party that gets it
	Area     booking.Area     `json:"area"`     // in centimetres
	// Labels of the seats that one party can have together with it; each names the other.
	Partners []string `json:"partners"`
}

// HeldSeat is a seat that a coming reservation holds, and that a change would take away from it.
type HeldSeat struct {
	SeatID        int64             `json:"seatId"`
	Label         string            `json:"label"`
	ReservationID string            `json:"reservationId"`
	Date          booking.Date      `json:"date"`
	Time          booking.TimeOfDay `json:"time"`
	PartySize     int               `json:"partySize"`
}

// HeldSeatsError reports that coming reservations hold seats that a document leaves out or makes too small for their
// parties.
type HeldSeatsError struct {
	Held []HeldSeat `json:"heldSeats"`
}

// ErrSeatsHeld is what a *HeldSeatsError unwraps to.
var ErrSeatsHeld = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "seats_held",
	New: func() error { return new(HeldSeatsError) }, Text: "setup: coming reservations hold seats"})

func (e *HeldSeatsError) Unwrap() error { return ErrSeatsHeld }

func (e *HeldSeatsError) Error() string {
	return fmt.Sprintf("setup: coming reservations hold %d seats", len(e.Held))
}

// Room returns the room of a restaurant for who sees its settings.
func (c *Contents) Room(ctx context.Context, by team.Staff, restaurantID int64) (Room, error) {
	if err := by.Check(restaurantID, team.SeeSettings); err != nil {
		return Room{}, err
	}
	return c.Store.FindRoom(ctx, restaurantID)
}

// PutRoom replaces the room that has the tag, and returns it as stored. Returns the errors of ContentStore.PutRoom and
// *booking.InvalidError with every invalid field.
func (c *Contents) PutRoom(ctx context.Context, by team.Staff, w Write, room Room) (Room, error) {
	w, err := w.by(by, team.ChangeSettings)
	if err == nil {
		err = room.Check()
	}
	if err != nil {
		return Room{}, err
	}
	return c.Store.PutRoom(ctx, w, room)
}

// Check returns *booking.InvalidError with every invalid field.
func (r Room) Check() error {
	var f wrongs
	f.tooMany("seats", len(r.Seats), MaxSeats)
	f.tooMany("floor.fixtures", len(r.Floor.Fixtures), MaxFixtures)
	if len(f) > 0 {
		return f.err()
	}
	if len(r.Seats)+len(r.Floor.Fixtures) > 0 || r.Floor.Width != 0 || r.Floor.Height != 0 {
		f.within("floor.width", r.Floor.Width, MinFloor, MaxFloor)
		f.within("floor.height", r.Floor.Height, MinFloor, MaxFloor)
	}
	for i, fixture := range r.Floor.Fixtures {
		at := fmt.Sprintf("floor.fixtures[%d].", i)
		f.add(!slices.Contains(FixtureKinds(), fixture.Kind), at+"kind", "unknown")
		r.Floor.check(&f, at, fixture.Area)
	}
	ids := map[int64]bool{}
	for i, seat := range r.Seats {
		at := fmt.Sprintf("seats[%d].", i)
		f.add(seat.ID < 0, at+"id", "unknown")
		f.add(seat.ID > 0 && ids[seat.ID], at+"id", "duplicate")
		ids[seat.ID] = true
		seat.check(&f, at)
		r.Floor.check(&f, at+"area", seat.Area)
		r.checkPlace(&f, i)
		r.checkPartners(&f, i)
	}
	return f.err()
}

// check holds an area against the size of the room.
func (floor Floor) check(f *wrongs, at string, a booking.Area) {
	inside := a.X >= 0 && a.Y >= 0 && a.Width >= MinArea && a.Height >= MinArea && a.Width <= MaxFloor &&
		a.Height <= MaxFloor &&
		a.X <= floor.Width-a.Width && a.Y <= floor.Height-a.Height
	f.add(!inside, trimDot(at), "outside_room")
}

func trimDot(at string) string {
	if at[len(at)-1] == '.' {
		return at[:len(at)-1]
	}
	return at
}

func (s Seat) check(f *wrongs, at string) {
	f.add(f.readLine(at+"label", s.Label, MaxLabel) != s.Label, at+"label", "invalid_text")
	f.add(s.Label == "", at+"label", "required")
	switch s.Kind {
	case booking.CounterSeat:
		f.within(at+"places", s.Places, 1, 1)
	case booking.TableSeat:
		f.within(at+"places", s.Places, 1, MaxPlaces)
	default:
		f.add(true, at+"kind", "unknown")
	}
	f.within(at+"minParty", s.MinParty, 1, max(1, s.Places))
}

// checkPlace finds labels that come twice, and seats that stand on one another.
func (r Room) checkPlace(f *wrongs, i int) {
	at := fmt.Sprintf("seats[%d].", i)
	for _, other := range r.Seats[:i] {
		f.add(other.Label == r.Seats[i].Label && other.Label != "", at+"label", "duplicate")
		if overlap(other.Area, r.Seats[i].Area) {
			f.add(true, at+"area", "overlaps")
			return
		}
	}
}

func overlap(a, b booking.Area) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// checkPartners finds partners that are no other seats, or that do not name the seat in turn.
func (r Room) checkPartners(f *wrongs, i int) {
	seat, at := r.Seats[i], fmt.Sprintf("seats[%d].partners", i)
	f.tooMany(at, len(seat.Partners), maxNeighbors)
	for _, label := range seat.Partners {
		other := slices.IndexFunc(r.Seats, func(s Seat) bool { return s.Label == label })
		switch {
		case other < 0 || label == seat.Label:
			f.add(true, at, "unknown")
		case !slices.Contains(r.Seats[other].Partners, seat.Label):
			f.add(true, at, "not_mutual")
		default:
			continue
		}
		return
	}
}
