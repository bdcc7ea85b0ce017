package views

import "time"

// OperatorSetup is the form that makes the first operator; the password is never rendered back.
// Component: pages.OperatorSetup(views.OperatorSetup).
type OperatorSetup struct {
	SignUp
	Token string // of the link that leads here
}

// OperatorDrafts are restaurants that wait to be published. Component: pages.OperatorDrafts(views.OperatorDrafts).
type OperatorDrafts struct {
	Layout
	Drafts []OperatorDraft
	Pager  Pager
}

// OperatorDraft is a restaurant that is not published yet.
type OperatorDraft struct {
	ID         int64
	Name       string
	TimeZone   string
	Capacity   int
	OpenedAt   time.Time
	OwnerName  string
	OwnerEmail string
}
