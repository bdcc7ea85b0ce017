package components

import (
	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// follow are the attributes of a bar that a stream keeps up to date.
func follow(b views.WaitBar) templ.Attributes {
	if !b.Live {
		return nil
	}
	return templ.Attributes{"hx-ext": "sse,morph", "sse-connect": views.WaitsEventsURL(), "sse-close": "done"}
}

var waitWays = map[views.WaitState]string{
	views.WaitOpen: "waits.back", views.WaitHeld: "waits.pay", views.WaitDone: "waits.see",
	views.WaitRefused: "waits.see",
}

func waitIcon(state views.WaitState) string {
	switch state {
	case views.WaitOpen:
		return "people"
	case views.WaitRefused:
		return "info"
	}
	return "check"
}

// WaitHeadline says in a few words where a place in a line stands.
func WaitHeadline(lang string, p views.WaitPlace) string {
	switch {
	case p.State == views.WaitHeld:
		return i18n.T(lang, "waits.held", "Time", i18n.Time(lang, p.Deadline))
	case p.State == views.WaitDone && p.IsCoupon():
		return i18n.T(lang, "waits.coupon")
	case p.State == views.WaitDone:
		return i18n.T(lang, "waits.changed")
	case p.State == views.WaitRefused:
		return p.Reason
	case p.Position == 1:
		return i18n.T(lang, "waiting.nobody_ahead")
	case p.Position > 0:
		return i18n.T(lang, "waits.position", "Position", i18n.Number(p.Position), "Ordinal",
			i18n.Ordinal(lang, p.Position))
	}
	return i18n.T(lang, "waiting.title")
}

// waitSubject is what a place in a line is for.
func waitSubject(lang string, p views.WaitPlace) string {
	if p.IsCoupon() {
		return p.Name
	}
	return p.Name + " · " + i18n.Span(lang, p.At, p.Until)
}

// WaitResult is what a screen reader hears when something came of a wait.
func WaitResult(lang string, p views.WaitPlace) string {
	return WaitHeadline(lang, p) + " " + waitSubject(lang, p)
}
