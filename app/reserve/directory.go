package reserve

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/hangul"
	"lunchgo/app/keyset"
)

// Directory is what diners search: the listed restaurants by id, and what their words are looked up in. It is made when
// a restaurant has changed, so that a search costs what it shows. Nobody changes it, but for
// the ratings.
type Directory struct {
	Districts   []string // keys, in order
	Cuisines    []string // keys, in order
	PriceBands  []int    // in order
	MaxParty    int      // of the restaurant that takes the largest parties
	HorizonDays int      // of the restaurant that can be booked furthest ahead

	restaurants []booking.Restaurant
	texts       []string // what a word is looked up in, by restaurant

	ratings atomic.Pointer[map[int64]booking.Rating] // as of now: they change more often than restaurants

	mu    sync.Mutex
	times map[booking.Date][]time.Time // that any restaurant has on a date; of the dates that were asked for
}

// maxDates bounds the dates whose times a directory keeps.
const maxDates = 400

// NewDirectory indexes restaurants, which are in the order of their ids. dishes are the names on their menus, by
// restaurant. names returns the names of a district and a cuisine in all languages.
func NewDirectory(restaurants []booking.Restaurant, dishes map[int64][]booking.Text,
	names func(district, cuisine string) string) *Directory {
	d := &Directory{restaurants: restaurants, texts: make([]string, len(restaurants)),
		times: map[booking.Date][]time.Time{}}
	for i := range restaurants {
		r := &restaurants[i]
		d.MaxParty = max(d.MaxParty, r.PartyMax)
		d.HorizonDays = max(d.HorizonDays, r.HorizonDays)
		d.Districts, d.Cuisines = append(d.Districts, r.District), append(d.Cuisines, r.Cuisine)
		d.PriceBands = append(d.PriceBands, r.PriceBand)
		d.texts[i] = searchable(r, dishes[r.ID], names(r.District, r.Cuisine))
	}
	d.Districts, d.Cuisines = distinct(d.Districts), distinct(d.Cuisines)
	d.PriceBands = slices.DeleteFunc(distinct(d.PriceBands), func(band int) bool { return band == 0 })
	return d
}

// distinct returns each value once, in order.
func distinct[T cmp.Ordered](values []T) []T {
	slices.Sort(values)
	return slices.Clone(slices.Compact(values))
}

// searchable returns the texts of a restaurant in lower case, a line each: name, address, district, cuisine and menu,
// those also by the initial consonants of their syllables, and the description.
func searchable(r *booking.Restaurant, dishes []booking.Text, names string) string {
	var b strings.Builder
	for _, text := range append([]booking.Text{r.Name, r.Address}, dishes...) {
		b.WriteString(text.Ko + "\n" + text.En + "\n")
	}
	b.WriteString(names)
	b.WriteString("\n" + hangul.Initials(b.String()))
	b.WriteString("\n" + r.District + "\n" + r.Cuisine + "\n" + r.Description.Ko + "\n" + r.Description.En)
	return strings.ToLower(b.String())
}

// All are the restaurants, in the order of their ids.
func (d *Directory) All() iter.Seq[*booking.Restaurant] {
	return func(yield func(*booking.Restaurant) bool) {
		for i := range d.restaurants {
			if !yield(&d.restaurants[i]) {
				return
			}
		}
	}
}

// page returns a page of the restaurants that match a query: each of its words occurs in their texts. It looks no
// further than the page needs.
func (d *Directory) page(q Query, asked keyset.Request) keyset.Page[SearchResult] {
	words := strings.Fields(strings.ToLower(hangul.Apart(q.Words)))
	rows := make([]*booking.Restaurant, 0, asked.Rows())
	first, _ := slices.BinarySearchFunc(d.restaurants, asked.Above(),
		func(r booking.Restaurant, after keyset.Cursor) int { return cmp.Or(cursorOf(&r).Compare(after), -1) })
	for i := first; i < len(d.restaurants) && len(rows) < asked.Rows(); i++ {
		if r := &d.restaurants[i]; q.fits(r) && containsAll(d.texts[i], words) {
			rows = append(rows, r)
		}
	}
	ratings := d.ratings.Load()
	return keyset.Cut(asked, rows, cursorOf, func(r *booking.Restaurant) SearchResult {
		found := SearchResult{Restaurant: *r}
		if ratings != nil {
			found.Restaurant.Rating = (*ratings)[r.ID]
		}
		return found
	})
}

func cursorOf(r *booking.Restaurant) keyset.Cursor { return keyset.Cursor{Number: r.ID} }

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// Times returns the times that any restaurant has on a date, in order.
func (d *Directory) Times(date booking.Date) []time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	times, ok := d.times[date]
	if !ok {
		times = timesOf(d.restaurants, date)
		if len(d.times) < maxDates {
			d.times[date] = times
		}
	}
	return times
}

func timesOf(restaurants []booking.Restaurant, date booking.Date) []time.Time {
	seen := map[booking.TimeOfDay]time.Time{}
	for i := range restaurants {
		for _, at := range restaurants[i].Times(date) {
			if _, ok := seen[at]; ok {
				continue
			}
			if start, err := restaurants[i].Start(date, at); err == nil {
				seen[at] = start
			}
		}
	}
	times := make([]time.Time, 0, len(seen))
	for _, at := range seen { // sorted below
		times = append(times, at)
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}
