// Package team is who works at a restaurant, and what each of them may do there. One table says which role may take
// which action; every use case of staff checks it, and the page of the team shows it.
package team

import (
	"lunchgo/app/identity"
)

// Action is something that staff do at their restaurant.
type Action string

// What staff can do.
const (
	SeeEvening       Action = "see_evening"
	BookForGuest     Action = "book_for_guest" // by phone or at the door, and correct who comes
	SeatOverPlan     Action = "seat_over_plan" // with a reason, within the fire limit
	MarkGuest        Action = "mark_guest"     // arrived, seated, completed, no-show, and their undo
	MoveGuest        Action = "move_guest"     // to another slot, other seats or another party size
	CancelWithRefund Action = "cancel_with_refund"
	GiveBack         Action = "give_back"       // money of a reservation that is not cancelled, or not refunded in full
	OpenCloseSlot    Action = "open_close_slot" // and pause, and the same for a day
	ChangeCapacity   Action = "change_capacity" // of a slot, and which seats it gives away
	SteerLine        Action = "steer_line"      // message, removal, the end of a stuck turn
	SeeGuests        Action = "see_guests"      // the history of a guest
	NoteGuests       Action = "note_guests"     // write notes about guests, and tag them

	DeleteGuestNotes Action = "delete_guest_notes"
	AnswerReviews    Action = "answer_reviews"

	ChangeStock  Action = "change_stock"
	ChangeMenu   Action = "change_menu"
	ChangeHours  Action = "change_hours"
	PlanOpening  Action = "plan_opening" // the moment at which a slot or day opens, and in which order
	SeeSettings  Action = "see_settings"
	SeeReports   Action = "see_reports"
	SeeAuditLog  Action = "see_audit_log"
	RunRehearsal Action = "run_rehearsal"
	StopBookings Action = "stop_bookings" // of the whole restaurant, and let them go on
	SeeTeam      Action = "see_team"

	ChangeSettings Action = "change_settings" // all documents but menu and hours
	Publish        Action = "publish"
	ManageTeam     Action = "manage_team"
	ManageWebhooks Action = "manage_webhooks" // to which programs events are sent, what is in them among it
)

// rights is the table of roles and actions: the lowest role that may take each action, in the order of the page that
// shows it. A host runs the evening, a manager decides what is sold besides, an owner decides on terms and people.
var rights = []struct {
	action Action
	lowest identity.Role
}{
	{SeeEvening, identity.RoleHost},
	{BookForGuest, identity.RoleHost},
	{SeatOverPlan, identity.RoleHost},
	{MarkGuest, identity.RoleHost},
	{MoveGuest, identity.RoleHost},
	{CancelWithRefund, identity.RoleHost},
	{OpenCloseSlot, identity.RoleHost},
	{ChangeCapacity, identity.RoleHost},
	{SteerLine, identity.RoleHost},
	{SeeGuests, identity.RoleHost},
	{NoteGuests, identity.RoleHost},

	{GiveBack, identity.RoleManager},
	{DeleteGuestNotes, identity.RoleManager},
	{AnswerReviews, identity.RoleManager},
	{ChangeStock, identity.RoleManager},
	{ChangeMenu, identity.RoleManager},
	{ChangeHours, identity.RoleManager},
	{PlanOpening, identity.RoleManager},
	{SeeSettings, identity.RoleManager},
	{SeeReports, identity.RoleManager},
	{SeeAuditLog, identity.RoleManager},
	{RunRehearsal, identity.RoleManager},
	{StopBookings, identity.RoleManager},
	{SeeTeam, identity.RoleManager},

	{ChangeSettings, identity.RoleOwner},
	{Publish, identity.RoleOwner},
	{ManageTeam, identity.RoleOwner},
	{ManageWebhooks, identity.RoleOwner},
}

// Actions are all of them, in the order of the table.
func Actions() []Action {
	actions := make([]Action, len(rights))
	for i, right := range rights {
		actions[i] = right.action
	}
	return actions
}

// Roles are all of them; each may do what the ones before it may.
func Roles() []identity.Role {
	return []identity.Role{identity.RoleHost, identity.RoleManager, identity.RoleOwner}
}

// rank is the place of a role among Roles; -1 for an unknown one.
func rank(role identity.Role) int {
	for i, known := range Roles() {
		if known == role {
			return i
		}
	}
	return -1
}

// May says whether a role allows an action; an unknown role allows none.
func May(role identity.Role, action Action) bool {
	for _, right := range rights {
		if right.action == action {
			return rank(role) >= rank(right.lowest)
		}
	}
	return false
}
