package staff

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// portionsText says how many portions of the day are left.
func portionsText(lang string, d views.StaffDish) string {
	if !d.Limited {
		return i18n.T(lang, "staff.portions_any")
	}
	return i18n.T(lang, "staff.portions_left", "Count", d.Left, "Of", d.Offered)
}

// portionsField asks for the portions that guests can still order. Each form of the page has its own.
func portionsField(d dishOf) components.Field {
	value := d.dish.Typed
	if value == "" && d.dish.Limited && d.dish.Error == "" {
		value = strconv.Itoa(d.dish.Left)
	}
	return components.Field{
		Name: views.FieldPortions, Of: strconv.FormatInt(d.dish.ID, 10), Value: value, Error: d.dish.Error,
		Label: d.menu.T("staff.portions", "Name", d.dish.Name),
		Attributes: templ.Attributes{
			"type": "number", "inputmode": "numeric", "required": true, "min": "0",
			"max": strconv.Itoa(d.menu.MaxPortions),
		},
	}
}

func menuDays(m views.StaffMenu) days {
	return days{m.Layout, m.Date, m.Today, func(day time.Time) string {
		return views.StaffMenuURL(m.RestaurantID, day)
	}}
}
