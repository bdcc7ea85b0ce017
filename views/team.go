package views

import (
	"time"

	"lunchgo/app/team"
)

// FieldRole is the role that a form gives.
const FieldRole = "role"

// Team is who works at a restaurant. Component: team.Team(views.Team).
type Team struct {
	StaffShell
	Members     []team.Member
	Invitations []team.Invitation
	Reader      string // user id
	CanManage   bool   // the reader invites, changes roles and removes
	CanSeeLog   bool

	Email  string // the invitation form as typed
	Role   string
	Errors FieldErrors
}

// TeamQuestion asks before somebody is removed, or leaves. Component: team.Question(views.TeamQuestion).
type TeamQuestion struct {
	StaffShell
	Member  team.Member
	Leaving bool
	Last    bool // nobody else owns the restaurant: it cannot be done
}

// TeamInvited is the page behind the link of an invitation. Component: team.Invited(views.TeamInvited).
type TeamInvited struct {
	Layout
	team.Invitation
	Token  string
	Reader string // address of who reads, empty for nobody signed in
	Over   bool   // it cannot be accepted any more; the invitation is empty
}

// TeamLog is the audit log of a restaurant. Component: team.Log(views.TeamLog).
type TeamLog struct {
	StaffShell
	Filter  LogFilter
	People  []Choice
	Areas   []Choice
	Entries []LogEntry
	Pager   Pager
	Errors  FieldErrors
}

// LogFilter is the form above the log, as typed.
type LogFilter struct {
	Person string
	Area   string
	Date   string // YYYY-MM-DD
	Code   string // number of a reservation
}

// IsEmpty says whether it chooses all entries.
func (f LogFilter) IsEmpty() bool { return f == LogFilter{} }

// Fields of the form above the log.
const (
	FieldPerson = "person"
	FieldArea   = "area"
	FieldCode   = "code"
)

// LogEntry is an act in the reader's language.
type LogEntry struct {
	At       time.Time
	Sentence string
	About    string // the slot or reservation that it is about; empty for none
	URL      string // of that; empty for none
	Changes  []LogChange
	Reason   string
}

// LogChange is a value before and after; one of them may be empty.
type LogChange struct {
	Label string // empty where there is one value only
	Was   string
	Is    string
}
