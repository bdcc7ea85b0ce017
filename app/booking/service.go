package booking

import "slices"

// Service is a part of the day with a name, hours and stays of its own, such as lunch. Openings name it by its key.
type Service struct {
	// Lower-case letters, digits and hyphens.
	Key string `json:"key"`
	// English may be empty.
	Name Text `json:"name"`
	// For how long parties from a size on stay, by rising size; without, as the restaurant says.
	Stays []StayTier `json:"stays,omitempty"`
}

// In returns the service with the slots and the minutes of its stays, in slots of a length in minutes.
func (s Service) In(slotMinutes int) Service {
	s.Stays = slices.Clone(s.Stays)
	for i, tier := range s.Stays {
		s.Stays[i] = tier.In(slotMinutes)
	}
	return s
}

// Brief returns the service as documents tell it.
func (s Service) Brief(slotMinutes int) Service {
	s.Stays = slices.Clone(s.Stays)
	for i, tier := range s.Stays {
		s.Stays[i] = tier.Brief(slotMinutes)
	}
	return s
}

// ServiceHours are a span of a date, and the service that it belongs to.
type ServiceHours struct {
	Service // the zero service: to none
	Span
	// The last time at which a party can come: it stays within the hours. Empty where it never can.
	LastSeating TimeOfDay
}

// HoursOn returns the hours of a date for a party of a size, by time.
func (r Restaurant) HoursOn(date Date, party int) []ServiceHours {
	var all []ServiceHours
	r.eachSpan(date, func(span Span) (last bool) {
		all = append(all, ServiceHours{r.FindService(span.Service), span, r.lastSeating(date, span, party)})
		return false
	})
	slices.SortFunc(all, func(a, b ServiceHours) int { return a.From.Minutes() - b.From.Minutes() })
	return all
}

func (r Restaurant) lastSeating(date Date, span Span, party int) TimeOfDay {
	for n := r.slotsOf(span) - 1; n >= 0; n-- {
		slot := SlotKey{r.ID, date, timeOfDay(span.From.Minutes() + n*r.SlotMinutes)}
		_, err := r.Start(date, slot.Time)
		if err == nil {
			_, err = r.CheckStay(date, slot.Time, StayOf(r, slot, party, nil))
		}
		if err == nil {
			return slot.Time
		}
	}
	return ""
}

// FindService returns the service with a key; the zero service if there is none.
func (r Restaurant) FindService(key string) Service {
	at := slices.IndexFunc(r.Services, func(s Service) bool { return s.Key == key })
	if at < 0 {
		return Service{}
	}
	return r.Services[at]
}

// ServiceAt returns the service of a slot; the zero service if it is in none.
func (r Restaurant) ServiceAt(date Date, at TimeOfDay) (found Service) {
	if len(r.Services) == 0 {
		return found
	}
	r.eachSpan(date, func(span Span) (last bool) {
		if span.Has(at) {
			found = r.FindService(span.Service)
		}
		return found.Key != ""
	})
	return found
}

// HasServiceStays returns whether a service has stays of its own.
func (r Restaurant) HasServiceStays() bool {
	return slices.ContainsFunc(r.Services, func(s Service) bool { return len(s.Stays) > 0 })
}

// AllStays returns the stays of the restaurant and of its services.
func (r Restaurant) AllStays() []StayTier {
	all := slices.Clone(r.StayTiers)
	for _, service := range r.Services {
		all = append(all, service.Stays...)
	}
	return all
}
