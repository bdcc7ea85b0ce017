package respond

import (
	"time"

	"lunchgo/app/waiting"
	"lunchgo/views"
)

// Steering is what a restaurant has set of a line, with its opening in the restaurant's zone.
func Steering(s waiting.Steering, zone *time.Location, now time.Time) views.Steering {
	shown := views.Steering{Paused: s.Paused, Reason: s.Reason, Notice: s.Notice, Draw: s.Draw, Now: now}
	if !s.OpensAt.IsZero() {
		shown.OpensAt = s.OpensAt.In(zone)
	}
	return shown
}
