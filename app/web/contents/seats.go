package contents

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	pages "lunchgo/views/contents"
)

// seats answers GET …/setup/seats.
func (p *Pages) seats(c *fiber.Ctx, w workplace.Workplace) error {
	room, err := p.Contents.Room(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	page := views.ContentsSeats{}
	if page.Version, err = setup.Tag(room); err != nil {
		return err
	}
	page.Values = roomValues(room)
	return p.showSeats(c, w, page, room)
}

// showSeats draws the room of the form.
func (p *Pages) showSeats(c *fiber.Ctx, w workplace.Workplace, page views.ContentsSeats, room setup.Room) error {
	page.StaffShell = p.Places.Shell(c, w, views.SectionSetup)
	page.Path, page.ReadOnly = views.ContentsSeatsURL(w.Restaurant.ID), !w.By.May(team.ChangeSettings)
	page.Room.Floor = booking.Floor(room.Floor)
	for i, seat := range room.Seats {
		page.Rows = append(page.Rows, i)
		page.Room.Seats = append(page.Room.Seats, views.Seat{State: booking.SeatFree, Seat: booking.Seat{ID: int64(i + 1),
			Label: seat.Label, Kind: seat.Kind, Places: seat.Places, Area: seat.Area}})
	}
	for i := range room.Floor.Fixtures {
		page.Fixtures = append(page.Fixtures, i)
	}
	status := fiber.StatusOK
	switch {
	case len(page.Held) > 0:
		status = fiber.StatusConflict
	case len(page.Errors) > 0:
		status = fiber.StatusUnprocessableEntity
	}
	return respond.Render(c, status, pages.Seats(page))
}

// roomValues are the answers of the form for a room.
func roomValues(room setup.Room) map[string]string {
	v := map[string]string{"width": strconv.Itoa(room.Floor.Width), "height": strconv.Itoa(room.Floor.Height)}
	put := func(name string, row, n int) { v[fmt.Sprint(name, "-", row)] = strconv.Itoa(n) }
	for i, s := range room.Seats {
		put("id", i, int(s.ID))
		v[fmt.Sprint("label-", i)], v[fmt.Sprint("kind-", i)] = s.Label, string(s.Kind)
		v[fmt.Sprint("partners-", i)] = strings.Join(s.Partners, ", ")
		put("places", i, s.Places)
		put("min", i, s.MinParty)
		put("x", i, s.Area.X)
		put("y", i, s.Area.Y)
		put("w", i, s.Area.Width)
		put("h", i, s.Area.Height)
	}
	for i, f := range room.Floor.Fixtures {
		v[fmt.Sprint("fkind-", i)] = f.Kind
		put("fx", i, f.X)
		put("fy", i, f.Y)
		put("fw", i, f.Width)
		put("fh", i, f.Height)
	}
	return v
}

// roomOf reads the room of a form, without the rows that are to go. What is no number is -1, which no room takes.
func roomOf(c *fiber.Ctx) setup.Room {
	read := func(name string) int {
		n, err := number(respond.FormValue(c, name), 0)
		if err != nil {
			return -1
		}
		return n
	}
	row := func(name string, i int) int { return read(fmt.Sprint(name, "-", i)) }
	room := setup.Room{Floor: setup.Floor{Width: read("width"), Height: read("height"), Fixtures: []booking.Fixture{}},
		Seats: []setup.Seat{}}
	for i := range min(max(read("seats"), 0), setup.MaxSeats+1) {
		if respond.FormValue(c, fmt.Sprint("remove-", i)) != "" {
			continue
		}
		seat := setup.Seat{ID: int64(row("id", i)), Label: respond.FormValue(c, fmt.Sprint("label-", i)),
			Kind: booking.SeatKind(respond.FormValue(c, fmt.Sprint("kind-", i))), Places: row("places", i),
			MinParty: row("min", i), Area: booking.Area{X: row("x", i), Y: row("y", i), Width: row("w", i),
				Height: row("h", i)},
			Partners: []string{}}
		for partner := range strings.SplitSeq(respond.FormValue(c, fmt.Sprint("partners-", i)), ",") {
			if partner = strings.TrimSpace(partner); partner != "" {
				seat.Partners = append(seat.Partners, partner)
			}
		}
		room.Seats = append(room.Seats, seat)
	}
	for i := range min(max(read("fixtures"), 0), setup.MaxFixtures+1) {
		if respond.FormValue(c, fmt.Sprint("fremove-", i)) == "" {
			room.Floor.Fixtures = append(room.Floor.Fixtures,
				booking.Fixture{Kind: respond.FormValue(c, fmt.Sprint("fkind-", i)),
					Area: booking.Area{X: row("fx", i), Y: row("fy", i), Width: row("fw", i), Height: row("fh", i)}})
		}
	}
	return room
}

// saveSeats answers POST …/setup/seats: it stores the room, or draws the form again with a thing more, or with what is
// wrong.
func (p *Pages) saveSeats(c *fiber.Ctx, w workplace.Workplace) error {
	room := roomOf(c)
	page := views.ContentsSeats{Version: respond.FormValue(c, views.FieldVersion)}
	if added, ok := room.With(respond.FormValue(c, views.FieldAction)); ok {
		page.Values = roomValues(added)
		return p.showSeats(c, w, page, added)
	}
	write := setup.Write{RestaurantID: w.Restaurant.ID, Tag: page.Version}
	_, err := p.Contents.PutRoom(c.UserContext(), w.By, write, room)
	if err == nil {
		return respond.RedirectSaying(c, views.ContentsSeatsURL(w.Restaurant.ID), views.FlashSuccess,
			"flash.seats_saved")
	}
	page.Values = roomValues(room)
	lang := respond.Lang(c)
	var held *setup.HeldSeatsError
	switch {
	case errors.As(err, &held):
		page.Held = []string{respond.Sentence(lang, respond.ProblemOf(err))}
		for _, h := range held.Held {
			page.Held = append(page.Held, fmt.Sprint(h.Label, " · ", h.Date, " ", h.Time, " · ", h.PartySize))
		}
	case errors.Is(err, setup.ErrChanged):
		page.Held = []string{respond.Sentence(lang, respond.ProblemOf(err))}
	default:
		if page.Errors, _ = faultsOf(lang, err, seatField); page.Errors == nil {
			return err
		}
	}
	return p.showSeats(c, w, page, room)
}

var seatPath = regexp.MustCompile(`^(seats|floor\.fixtures)\[(\d+)\](?:\.(\w+))?$`)

// seatField is the field of the form for one of the document.
func seatField(name string) string {
	parts := seatPath.FindStringSubmatch(name)
	switch {
	case name == "floor.width", name == "floor.height":
		return strings.TrimPrefix(name, "floor.")
	case parts == nil:
		return views.FieldForm
	case parts[1] != "seats":
		return "fx-" + parts[2]
	case parts[3] == "area":
		return "x-" + parts[2]
	case parts[3] == "minParty":
		return "min-" + parts[2]
	case slices.Contains([]string{"label", "kind", "places", "partners"}, parts[3]):
		return parts[3] + "-" + parts[2]
	}
	return "label-" + parts[2]
}
