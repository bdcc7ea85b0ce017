package setup

import (
	"cmp"
	"fmt"
	"strconv"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// services puts the services into the fields.
func (v values) services(services []booking.Service, slotMinutes int) {
	for i, service := range services {
		v[at("services", i, "key")] = service.Key
		v[at("services", i, "name.ko")], v[at("services", i, "name.en")] = service.Name.Ko, service.Name.En
		v.stays(staysOf(i), service.Stays, slotMinutes)
	}
}

// staysOf is the list of the stays of a service.
func staysOf(service int) string { return fmt.Sprintf("services[%d].stays", service) }

// newServiceKey returns a key that no service has.
func (v values) newServiceKey() string {
	used := map[string]bool{}
	for i := range v.rows("services") {
		used[v[at("services", i, "key")]] = true
	}
	key := ""
	for number := 1; key == "" || used[key]; number++ {
		key = "service-" + strconv.Itoa(number)
	}
	return key
}

// serviceName is what the form calls a service.
func (b builder) serviceName(i int) string {
	name := booking.Text{Ko: b.values[at("services", i, "name.ko")], En: b.values[at("services", i, "name.en")]}
	return cmp.Or(name.In(b.lang), b.t("service_new"))
}

// readServices reads the services. One whose fields are all empty is removed.
func readServices(in *reader) []booking.Service {
	for i := range in.rows("services") {
		in.compact(staysOf(i), "fromParty", "minutes")
	}
	in.compact("services", "name.ko", "name.en", "stays[0].fromParty", "stays[0].minutes")
	var services []booking.Service
	for i := range in.rows("services") {
		name := booking.Text{Ko: in.values[at("services", i, "name.ko")], En: in.values[at("services", i, "name.en")]}
		services = append(services, booking.Service{Key: in.values[at("services", i, "key")], Name: name,
			Stays: in.stays(staysOf(i))})
	}
	return services
}

// drawServices is a group that adds services, and one for each with its names and its stays.
func drawServices(b builder) []views.SetupGroup {
	groups := []views.SetupGroup{{Legend: b.t("group_services"), Hint: b.t("services_hint"),
		Buttons: []views.SetupButton{{Action: "add:services", Label: b.t("add_service")}}}}
	for i := range b.rows("services") {
		of := views.SetupGroup{Legend: b.t("group_service", "Name", b.serviceName(i)), Hint: b.t("service_hint"),
			Rows: []views.SetupRow{row(b.field(at("services", i, "key"), "hidden"), b.serviceText(i, "ko"),
				b.serviceText(i, "en"))}}
		for j := range min(b.rows(staysOf(i))+1, booking.MaxTiers) { // with one to fill in
			of.Rows = append(of.Rows,
				row(b.count(at(staysOf(i), j, "fromParty")), b.count(at(staysOf(i), j, "minutes"))))
		}
		groups = append(groups, of)
	}
	return groups
}

func (b builder) serviceText(i int, lang string) views.SetupField {
	f := b.text(at("services", i, "name."+lang))
	f.Label, f.Hint = b.t("field_service_name_"+lang), ""
	return f
}

// serviceOf adds the choice of a service to the fields of a span, where there are services.
func (b builder) serviceOf(name string, fields ...views.SetupField) []views.SetupField {
	if b.rows("services") == 0 {
		return fields
	}
	choices := []views.Choice{{Value: "", Label: b.t("service_none")}}
	for i := range b.rows("services") {
		choices = append(choices, views.Choice{Value: b.values[at("services", i, "key")], Label: b.serviceName(i)})
	}
	return append(fields, b.choice(name, choices))
}
