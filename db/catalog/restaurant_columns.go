package catalog

import (
	"database/sql/driver"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// restaurantFields are the fields of a restaurant that are read, and that seeds, drafts and the documents of a set-up
// write. The column of name.ko is name_ko.
var restaurantFields = []string{"name.ko", "name.en", "description.ko", "description.en", "story.ko", "story.en",
	"address.ko", "address.en", "directions.ko", "directions.en", "phone", "district", "cuisine",
	"price_band", "picture", "photos", "time_zone", "capacity", "fire_limit", "arrivals_per_slot", "slot_minutes",
	"deposit_per_person", "hold_minutes", "party_min", "party_max", "lead_minutes", "horizon_days", "policy",
	"deposit_tiers", "extension_minutes", "stay_tiers", "opening_rule", "services"}

// Statements whose parameters BindRestaurant knows.
var (
	// InsertRestaurant takes an ending, such as RETURNING.
	InsertRestaurant = `
	INSERT INTO restaurants (slug, shadow, ` + eachColumn("%") + `)
	VALUES (:slug, :shadow, ` + eachColumn(":@") + `)`

	// UpsertRestaurant replaces the one with the slug, and returns its id.
	UpsertRestaurant = InsertRestaurant + `
	ON CONFLICT ON CONSTRAINT restaurants_slug_unique DO UPDATE SET
		shadow = excluded.shadow, ` + eachColumn("% = excluded.%") + `
	RETURNING id`

	// UpdateRestaurant goes by the id.
	UpdateRestaurant = `
	UPDATE restaurants SET slug = :slug, ` + eachColumn("% = :@") + `
	WHERE id = :id AND shadow = :shadow`
)

// eachColumn lists restaurantFields in a form, in which @ is the field and % its column.
func eachColumn(form string) string {
	list := make([]string, len(restaurantFields))
	for i, field := range restaurantFields {
		list[i] = strings.NewReplacer("@", field, "%", strings.ReplaceAll(field, ".", "_")).Replace(form)
	}
	return strings.Join(list, ", ")
}

// BindRestaurant returns a statement with the arguments that its named parameters have for a restaurant.
func BindRestaurant(db *pg.Pool, query string, r booking.Restaurant) (bound string, args []any, err error) {
	stays := []booking.StayTier{} // never null
	for _, tier := range r.StayTiers {
		stays = append(stays, tier.In(r.SlotMinutes))
	}
	return db.SQL().BindNamed(query, struct {
		booking.Restaurant
		TimeZone                                                       string
		Policy, DepositTiers, StayTiers, Photos, OpeningRule, Services driver.Valuer
	}{r, r.Location.String(), pg.JSON(r.Policy), pg.JSON(append([]booking.DepositTier{}, r.DepositTiers...)),
		pg.JSON(stays), pg.JSON(append([]string{}, r.Photos...)), pg.JSON(r.OpeningRule),
		pg.JSON(append([]booking.Service{}, r.Services...))})
}
