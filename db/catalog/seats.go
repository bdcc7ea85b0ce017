package catalog

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// RestaurantSeats are the seats that restaurant p names, with the partners of each.
const RestaurantSeats = `(
			SELECT json_agg(json_build_object(
				'id', n.id, 'label', n.label, 'kind', n.kind, 'places', n.places, 'minParty', n.min_party,
				'area', json_build_object('x', n.map_x, 'y', n.map_y, 'width', n.map_width, 'height', n.map_height),
				'partners', COALESCE((
					SELECT json_agg(pair.id ORDER BY pair.id)
					FROM (
						SELECT partner_id AS id FROM seat_partners WHERE seat_id = n.id AND restaurant_id = p.id
						UNION ALL
						SELECT seat_id FROM seat_partners WHERE partner_id = n.id AND restaurant_id = p.id
					) pair
				), '[]')) ORDER BY n.position, n.id)
			FROM seats n
			WHERE n.restaurant_id = p.id AND NOT n.retired
		)`

// putSeats stores the floor and the seats of a restaurant. A label retains its id; seats that are no longer
// there are retired. Partners are named by the ids that the seats have in r.
func putSeats(ctx context.Context, t *pg.Tx, restaurantID int64, r booking.Restaurant) error {
	if err := PutFloor(ctx, t, restaurantID, r.Floor); err != nil {
		return err
	}
	var labels, labelsOfPairs, partners pq.StringArray
	for i, seat := range r.Seats {
		labels = append(labels, seat.Label)
		if err := PutSeat(ctx, t, restaurantID, i+1, seat); err != nil {
			return err
		}
		for _, id := range seat.Partners {
			if partner, ok := r.Seats.Find(id); ok {
				labelsOfPairs, partners = append(labelsOfPairs, seat.Label), append(partners, partner.Label)
			}
		}
	}
	if _, err := t.Exec(ctx, `UPDATE seats SET retired = true WHERE restaurant_id = $1 AND NOT label = ANY ($2)`,
		restaurantID, labels); err != nil {
		return err
	}
	return PutPartners(ctx, t, restaurantID, labelsOfPairs, partners)
}

// PutFloor stores the floor of a restaurant.
func PutFloor(ctx context.Context, t *pg.Tx, restaurantID int64, floor booking.Floor) error {
	return t.Run(ctx, `UPDATE restaurants SET floor = $2::jsonb WHERE id = $1`, restaurantID, pg.JSON(floor))
}

// PutSeat stores a seat without its partners at a position, 1 and up, in place of the one with its label, which retains
// its id and is retired no more.
func PutSeat(ctx context.Context, t *pg.Tx, restaurantID int64, position int, seat booking.Seat) error {
	return t.Run(ctx, `
		INSERT INTO seats (restaurant_id, position, label, kind, places, min_party, map_x, map_y, map_width, map_height)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT ON CONSTRAINT seats_label DO UPDATE SET
			position = excluded.position, kind = excluded.kind, places = excluded.places, min_party = excluded.min_party,
			map_x = excluded.map_x, map_y = excluded.map_y, map_width = excluded.map_width, map_height = excluded.map_height,
			retired = false`,
		restaurantID, position, seat.Label, string(seat.Kind), seat.Places, max(seat.MinParty, 1),
		seat.Area.X, seat.Area.Y, seat.Area.Width, seat.Area.Height)
}

// PutPartners replaces the pairs of a restaurant's seats: the n-th label and the n-th partner are a pair.
func PutPartners(ctx context.Context, t *pg.Tx, restaurantID int64, labels, partners pq.StringArray) error {
	if _, err := t.Exec(ctx, `DELETE FROM seat_partners WHERE restaurant_id = $1`, restaurantID); err != nil {
		return err
	}
	return t.Run(ctx, `
		INSERT INTO seat_partners (restaurant_id, seat_id, partner_id)
		SELECT DISTINCT $1::bigint, least(a.id, b.id), greatest(a.id, b.id)
		FROM unnest($2::text[], $3::text[]) AS pair (label, partner)
		JOIN seats a ON a.restaurant_id = $1 AND a.label = pair.label
		JOIN seats b ON b.restaurant_id = $1 AND b.label = pair.partner`, restaurantID, labels, partners)
}
