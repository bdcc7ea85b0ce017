// Package booking is the domain of seats: restaurants, their slots and menus, reservations and their states, and the
// rules that decide who gets a table. It imports only the standard library; storage, the line and the web are adapters
// that import it.
//
// Money is integer won. Instants are time.Time; a slot is named by a local date and time in the restaurant's zone.
package booking
