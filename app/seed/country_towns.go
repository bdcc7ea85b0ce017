package seed

import (
	"context"
	"fmt"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
)

// CountrySlug is the restaurant of a country that the demo's member of staff owns.
const CountrySlug = "country-1-1"

// towns is how many towns a country has; each has people.
func (c Country) towns() int {
	return min((c.Restaurants+townRestaurants-1)/townRestaurants, c.Accounts)
}

// share is what a town has of so many over the whole country: the first one's number, and how many.
func (c Country) share(town, of int) (first, n int) {
	first = town * of / c.towns()
	return first, (town+1)*of/c.towns() - first
}

// open opens the restaurants of a town. The first one of all has the demo's member of staff as its owner.
func (c Country) open(ctx context.Context, store CountryStore, n int, zone *time.Location,
	staffID string) (Town, error) {
	town := Town{Surnames: surnames, GivenNames: givenNames, Times: favouriteTimes, Past: countryPast,
		Ahead: countryAhead}
	town.FirstPerson, town.People = c.share(n, c.Accounts)
	town.FirstVisit, town.Visits = c.share(n, c.Reservations)
	first, restaurants := c.share(n, c.Restaurants)
	for i := range restaurants {
		r, menu := countryRestaurant(n, i)
		r.Location = zone
		var staff map[string]identity.Role
		if first+i == 0 {
			staff = map[string]identity.Role{staffID: identity.RoleOwner}
		}
		id, err := store.AddRestaurant(ctx, r, menu, staff)
		if err != nil {
			return Town{}, err
		}
		r.ID = id
		town.Restaurants = append(town.Restaurants, r)
	}
	return town, nil
}

// countryRestaurant is the restaurant of a town at an index. Towns in the same area number their restaurants on, so
// that no two have the same name. The first ones of a town, which most people choose, are the largest.
func countryRestaurant(town, index int) (booking.Restaurant, []booking.MenuItem) {
	area := areas[town%len(areas)]
	number := town/len(areas)*townRestaurants + index
	kind := kinds[number%len(kinds)]
	word := words[number/len(kinds)%len(words)]
	ending := kind.endings[number/len(kinds)/len(words)%len(kind.endings)]
	street := 1 + number%97
	r := booking.Restaurant{
		DepositPerPerson: []int64{0, 10_000, 0, 20_000}[(number+number/len(kinds))%4],
		Policy:           standard,
		Hours: on(everyDay, booking.Span{From: "11:30", Last: "13:30"},
			booking.Span{From: "17:30", Last: "20:30"}),
		Settings: booking.Settings{Slug: fmt.Sprintf("country-%d-%d", town+1, index+1),
			District: area.district, Cuisine: kind.cuisine, Picture: kind.picture,
			Name: text(area.name.Ko+" "+word.Ko+ending.Ko, word.En+" "+ending.En+" "+area.name.En),
			Description: text(area.name.Ko+" 사람들이 자주 찾는 "+kind.dishes[0].Ko+" 집입니다.",
				"Where "+area.name.En+" goes for "+kind.dishes[0].En+"."),
			Address: text(fmt.Sprintf("%s %s로 %d", area.place.Ko, area.name.Ko, street),
				fmt.Sprintf("%d %s-ro, %s", street, area.name.En, area.place.En)),
			Capacity: max(40, 200-10*index), SlotMinutes: 60, HoldMinutes: 7, ExtensionMinutes: 7,
			PartyMin: 1, PartyMax: 8, LeadMinutes: 60, HorizonDays: 60, PriceBand: 1 + number%3},
	}
	var menu []booking.MenuItem
	for i, name := range kind.dishes {
		price := int64(9_000 + 1_000*(number%7) + 4_000*i)
		menu = append(menu, booking.MenuItem{Category: "main", Price: price, Name: name,
			Description: text("오늘의 재료로", "Of the day's produce")})
	}
	return r, menu
}
