package api

import (
	"encoding/json"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	workplaces "lunchgo/app/web/workplace"
)

func (a *API) teamRoutes() group {
	return group{"team", "Members, invitations, and the log of what staff did.", []operation{
		{route: "GET /staff/restaurants/{restaurant}/members", id: "listMembers",
			right: access.Staff(team.SeeTeam), run: answers(a.staff, a.listMembers),
			summary: "Who works at a restaurant, and its open invitations",
			says:    "Owners first, then by how long they work there; the newest invitation first."},
		{route: "PATCH /staff/restaurants/{restaurant}/members/{member}", id: "changeMember",
			right: access.Staff(team.ManageTeam), run: doesWith(a.staff, a.changeMember),
			summary: "Give a member another role",
			text:    "Who is no owner any more has no open invitations either.",
			says:    "The member has the role.", refuses: []string{"demo_account", "last_owner"}},
		{route: "DELETE /staff/restaurants/{restaurant}/members/{member}", id: "removeMember",
			right: access.Staff(team.ManageTeam), run: does(a.Places.Find, a.removeMember),
			summary: "Remove a member, or leave",
			text: "Owners remove members; everybody may leave. The person loses access at once, open event " +
				"streams included.",
			says: "They do not work there any more.", refuses: []string{"demo_account", "last_owner"}},
		{route: "POST /staff/restaurants/{restaurant}/invitations", id: "invite",
			right: access.Staff(team.ManageTeam), letters: true, run: takes(a.staff, a.invite),
			summary: "Invite an address to the team",
			text: "A letter with a link goes to the address, in the language of the request. Whoever signs in or " +
				"up with that address accepts it on the page behind the link, once, within 7 days. A later " +
				"invitation to the address replaces the earlier one. The answer is the same whether the address " +
				"has an account.",
			status: 201, says: "The invitation.", refuses: []string{"already_member", "too_many_invitations"}},
		{route: "DELETE /staff/restaurants/{restaurant}/invitations/{invitation}", id: "withdrawInvitation",
			right: access.Staff(team.ManageTeam), run: does(a.staff, a.withdrawInvitation),
			summary: "Withdraw an invitation",
			says:    "Its link works no more."},
		{route: "GET /staff/restaurants/{restaurant}/audit", id: "listAudit",
			right: access.Staff(team.SeeAuditLog), run: lists("entries", a.staff, a.listAudit),
			summary: "What was done at a restaurant",
			text:    "Nothing changes or deletes an entry. Owners and managers see them.",
			query: []parameter{
				{name: "userId", is: text, says: "Acts of one person only."},
				{name: "area", is: text, says: "Acts of one area only: what stands before the dot of " +
					"`action`."},
				{name: "date", is: day, says: "Acts of one day at the restaurant only."},
				{name: "reservationId", is: text, says: "Acts about one reservation only: its id, or its number " +
					"as guests read it."},
			},
			says: "The entries, the newest first."},
	}}
}

type teamAnswer struct {
	Members     []team.Member     `json:"members"`
	Invitations []team.Invitation `json:"invitations"`
}

func (a *API) listMembers(c *fiber.Ctx, w workplaces.Workplace) (teamAnswer, error) {
	members, invitations, err := a.Team.List(c.UserContext(), w.By, w.Restaurant.ID)
	return teamAnswer{orEmpty(members), orEmpty(invitations)}, err
}

type roleRequest struct {
	Role identity.Role `json:"role"`
}

func (a *API) changeMember(c *fiber.Ctx, w workplaces.Workplace, in roleRequest) error {
	return a.Team.ChangeRole(c.UserContext(), w.By, w.Restaurant.ID, param(c, "member"), in.Role)
}

// removeMember is for all who work there: everybody may leave.
func (a *API) removeMember(c *fiber.Ctx, w workplaces.Workplace) error {
	return a.Team.Remove(c.UserContext(), w.By, w.Restaurant.ID, param(c, "member"))
}

type invitationRequest struct {
	Email string        `json:"email"`
	Role  identity.Role `json:"role"`
}

// invite has the link in the letter only.
func (a *API) invite(c *fiber.Ctx, w workplaces.Workplace, in invitationRequest) (team.Invitation, error) {
	return a.Team.Invite(c.UserContext(), w.By, team.NewInvitation{RestaurantID: w.Restaurant.ID,
		Email: in.Email, Role: in.Role, Language: language(c)})
}

func (a *API) withdrawInvitation(c *fiber.Ctx, w workplaces.Workplace) error {
	return a.Team.Withdraw(c.UserContext(), w.By, w.Restaurant.ID, param(c, "invitation"))
}

// auditEntry is an entry of a restaurant's audit log.
type auditEntry struct {
	team.Entry
	// Of the slot; null where it is about none.
	Date          *booking.Date      `json:"date"`
	Time          *booking.TimeOfDay `json:"time"`
	ReservationID *string            `json:"reservationId"`
}

func newAuditEntry(e team.Entry) auditEntry {
	if e.Detail == nil {
		e.Detail = map[string]json.RawMessage{}
	}
	return auditEntry{e, orNull(e.SlotDate), orNull(e.SlotTime), orNull(e.ReservationID)}
}

// listAudit lists the newest first.
func (a *API) listAudit(c *fiber.Ctx, w workplaces.Workplace,
	page keyset.Request) (of keyset.Page[auditEntry], err error) {
	filter := team.LogFilter{By: strings.Clone(c.Query("userId")), Area: strings.Clone(c.Query("area")),
		Reservation: strings.Clone(c.Query("reservationId"))}
	if filter.Date, err = dateOf(c); err != nil {
		return of, err
	}
	return as(paged(newAuditEntry))(a.Team.Entries(c.UserContext(), w.By, w.Restaurant.ID, filter, page))
}
