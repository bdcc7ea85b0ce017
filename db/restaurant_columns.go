package db

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/booking"
)

// restaurantColumns are the columns of a restaurant that are read, and that seeds, drafts and the documents of a set-up
// write: a field more is a line here, in columnsOf and in restaurant. JSON is text: PostgreSQL takes it as what the
// column is.
type restaurantColumns struct {
	NameKo           string `db:"name_ko"`
	NameEn           string `db:"name_en"`
	DescriptionKo    string `db:"description_ko"`
	DescriptionEn    string `db:"description_en"`
	AddressKo        string `db:"address_ko"`
	AddressEn        string `db:"address_en"`
	District         string `db:"district"`
	Cuisine          string `db:"cuisine"`
	PriceBand        int    `db:"price_band"`
	Picture          string `db:"picture"`
	TimeZone         string `db:"time_zone"`
	Capacity         int    `db:"capacity"`
	FireLimit        int    `db:"fire_limit"`
	SlotMinutes      int    `db:"slot_minutes"`
	DepositPerPerson int64  `db:"deposit_per_person"`
	HoldMinutes      int    `db:"hold_minutes"`
	PartyMin         int    `db:"party_min"`
	PartyMax         int    `db:"party_max"`
	LeadMinutes      int    `db:"lead_minutes"`
	HorizonDays      int    `db:"horizon_days"`
	Policy           string `db:"policy"`
	DepositTiers     string `db:"deposit_tiers"`
	ExtensionMinutes int    `db:"extension_minutes"`
	StayTiers        string `db:"stay_tiers"`
}

// columnsOf takes no phone number: that is written by the set-up only.
func columnsOf(r booking.Restaurant) (restaurantColumns, error) {
	policy, err := r.Policy.MarshalPolicy()
	if err != nil {
		return restaurantColumns{}, err
	}
	tiers, err := json.Marshal(append([]booking.DepositTier{}, r.DepositTiers...)) // never null
	if err != nil {
		return restaurantColumns{}, err
	}
	stays, err := json.Marshal(append([]booking.StayTier{}, r.StayTiers...))
	return restaurantColumns{
		NameKo: r.Name.Ko, NameEn: r.Name.En, DescriptionKo: r.Description.Ko, DescriptionEn: r.Description.En,
		AddressKo: r.Address.Ko, AddressEn: r.Address.En, District: r.District, Cuisine: r.Cuisine,
		PriceBand: r.PriceBand, Picture: r.Picture,
		TimeZone: r.Location.String(), Capacity: r.Capacity, FireLimit: r.FireLimit, SlotMinutes: r.SlotMinutes,
		DepositPerPerson: r.DepositPerPerson, HoldMinutes: r.HoldMinutes, PartyMin: r.PartyMin, PartyMax: r.PartyMax,
		LeadMinutes: r.LeadMinutes, HorizonDays: r.HorizonDays, Policy: string(policy), DepositTiers: string(tiers),
		ExtensionMinutes: r.ExtensionMinutes, StayTiers: string(stays),
	}, err
}

// restaurant is the reverse of columnsOf, but for the place of the time zone.
func (c restaurantColumns) restaurant() (booking.Restaurant, error) {
	policy, err := booking.ParsePolicy([]byte(c.Policy))
	if err != nil {
		return booking.Restaurant{}, err
	}
	r := booking.Restaurant{
		Name:             booking.Text{Ko: c.NameKo, En: c.NameEn},
		Description:      booking.Text{Ko: c.DescriptionKo, En: c.DescriptionEn},
		Address:          booking.Text{Ko: c.AddressKo, En: c.AddressEn},
		District:         c.District,
		Cuisine:          c.Cuisine,
		PriceBand:        c.PriceBand,
		Picture:          c.Picture,
		Capacity:         c.Capacity,
		FireLimit:        c.FireLimit,
		SlotMinutes:      c.SlotMinutes,
		DepositPerPerson: c.DepositPerPerson,
		HoldMinutes:      c.HoldMinutes,
		ExtensionMinutes: c.ExtensionMinutes,
		PartyMin:         c.PartyMin,
		PartyMax:         c.PartyMax,
		LeadMinutes:      c.LeadMinutes,
		HorizonDays:      c.HorizonDays,
		Policy:           policy,
	}
	if err := json.Unmarshal([]byte(c.DepositTiers), &r.DepositTiers); err != nil {
		return booking.Restaurant{}, err
	}
	return r, json.Unmarshal([]byte(c.StayTiers), &r.StayTiers)
}

// Statements whose parameters bindRestaurant knows by the names of columns.
var (
	insertRestaurant = `
	INSERT INTO restaurants (slug, shadow, ` + eachColumn("%") + `)
	VALUES (:slug, :shadow, ` + eachColumn(":%") + `)`

	upsertRestaurant = insertRestaurant + `
	ON CONFLICT ON CONSTRAINT restaurants_slug_unique DO UPDATE SET
		shadow = excluded.shadow, ` + eachColumn("% = excluded.%") + `
	RETURNING id`

	updateRestaurant = `
	UPDATE restaurants SET phone = :phone, ` + eachColumn("% = :%") + `
	WHERE slug = :slug AND shadow = :shadow`
)

// eachColumn lists restaurantColumns in a form, in which % is the column's name.
func eachColumn(form string) string {
	columns := reflect.TypeFor[restaurantColumns]()
	list := make([]string, columns.NumField())
	for i := range list {
		list[i] = strings.ReplaceAll(form, "%", columns.Field(i).Tag.Get("db"))
	}
	return strings.Join(list, ", ")
}

// bindRestaurant returns a statement with the arguments that its named parameters have for a restaurant.
func bindRestaurant(query string, r booking.Restaurant) (bound string, args []any, err error) {
	columns, err := columnsOf(r)
	if err != nil {
		return "", nil, err
	}
	return sqlx.BindNamed(sqlx.DOLLAR, query, struct {
		restaurantColumns
		Slug   string `db:"slug"`
		Shadow bool   `db:"shadow"`
		Phone  string `db:"phone"`
	}{columns, r.Slug, r.Shadow, r.Phone})
}
