package views

import (
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
)

// OperatorSetup is the form that makes the first operator; the password is never rendered back.
// Component: pages.OperatorSetup(views.OperatorSetup).
type OperatorSetup struct {
	SignUp
	Token string // of the link that leads here
}

// Operators are all who publish restaurants. Component: pages.Operators(views.Operators).
type Operators struct {
	Layout
	Operators []identity.User
	Reader    string // id of who reads
	Link      string // just made, which makes one more; empty: none
	Hours     int    // for which it is good
}

// OperatorDrafts are restaurants that wait to be published. Component: pages.OperatorDrafts(views.OperatorDrafts).
type OperatorDrafts struct {
	Layout
	Zone   string                // the reader's, by which times are shown; empty: each restaurant's own
	Drafts []reserve.OpenedDraft // with times of Zone
	Pager  Pager
}

// OperatorReview is a draft as an operator judges it. Component: pages.OperatorReview(views.OperatorReview).
type OperatorReview struct {
	Layout
	ID        int64
	Zone      string     // the reader's, by which times are shown; empty: the restaurant's
	Diner     Restaurant // without its layout
	Checks    []SetupCheck
	Submitted string // when the owner asked for it to be published, in words; empty: not yet
	Changed   []OperatorChange
	Reason    string // as it was typed
	Errors    FieldErrors
}

// OperatorChange is a part of a draft that has changed since it was sent.
type OperatorChange struct {
	What  string
	When  string // last
	Times int
}

// OperatorRestaurants is the list of all restaurants. Component: pages.OperatorRestaurants(views.OperatorRestaurants).
type OperatorRestaurants struct {
	Layout
	Zone        string // the reader's, by which times are shown; empty: each restaurant's own
	Words       string // of the search, as they were typed
	Errors      FieldErrors
	Restaurants []OperatorRestaurant
	Pager       Pager
}

// States of a restaurant in the list of all.
const (
	StateDraft       = "draft"
	StatePublished   = "published"
	StateStopped     = "stopped"
	StateUnpublished = "unpublished"
)

// OperatorRestaurant is a restaurant in the list of all. Times are in words, where it is.
type OperatorRestaurant struct {
	ID          int64
	Name        string
	URL         string // the review of a draft, or the public page; empty: there is none
	State       string
	TimeZone    string
	Capacity    int
	Opened      string
	OwnerName   string
	OwnerEmail  string
	Published   string // last; empty: never, or by nobody
	PublishedBy string
	Unpublished string // empty: it is not
	Reason      string
}

// OperatorUnpublish is the form that takes a restaurant off the public pages. Component:
// pages.OperatorUnpublish(views.OperatorUnpublish).
type OperatorUnpublish struct {
	Layout
	ID     int64
	Name   string
	Reason string // as it was typed
	Most   int    // characters of the reason
	Errors FieldErrors
}
