package views

import (
	"time"

	"lunchgo/app/booking"
)

// Rush is the page of a demo on which a visitor joins a crowd in line. Component: pages.Rush(views.Rush).
type Rush struct {
	Layout
	Restaurant     *booking.Restaurant
	People         int       // who come
	OpensAt        time.Time // when the line is served, in the restaurant's zone; zero while nobody has begun
	Waiting        int       // parties that stand there now
	LineURL        string    // of the line as staff see it; empty while nobody has begun
	Staff          DemoAccount
	IdempotencyKey string
}
