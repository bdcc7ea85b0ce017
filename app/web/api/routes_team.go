package api

import (
	"lunchgo/app/team"
	"lunchgo/app/web/access"
)

func (a *API) teamRoutes() group {
	return group{name: "team", about: "Members, invitations, and the log of what staff did.",
		operations: []operation{
			{route: "GET /staff/restaurants/{restaurant}/members", id: "listMembers",
				summary: "Who works at a restaurant, and its open invitations",
				right:   access.Staff(team.SeeTeam),
				gives: answer{200, teamAnswer{}, "Owners first, then by how long they work there; the newest invitation " +
					"first."},
				run: a.listMembers,
			},
			{route: "PATCH /staff/restaurants/{restaurant}/members/{member}", id: "changeMember",
				summary: "Give a member another role",
				text:    "Who is no owner any more has no open invitations either.",
				right:   access.Staff(team.ManageTeam), takes: roleRequest{},
				gives:   answer{204, nil, "The member has the role."},
				refuses: []string{"demo_account", "last_owner"},
				run:     a.changeMember,
			},
			{route: "DELETE /staff/restaurants/{restaurant}/members/{member}", id: "removeMember",
				summary: "Remove a member, or leave",
				text: "Owners remove members; everybody may leave. The person loses access at once, open event streams " +
					"included.",
				right:   access.Staff(team.ManageTeam),
				gives:   answer{204, nil, "They do not work there any more."},
				refuses: []string{"demo_account", "last_owner"},
				run:     a.removeMember,
			},
			{route: "POST /staff/restaurants/{restaurant}/invitations", id: "invite",
				summary: "Invite an address to the team",
				text: "A letter with a link goes to the address, in the language of the request. Whoever signs in or up " +
					"with that address accepts it on the page behind the link, once, within 7 days. A later invitation " +
					"to the address replaces the earlier one. The answer is the same whether the address has an account.",
				right: access.Staff(team.ManageTeam), letters: true, takes: invitationRequest{},
				gives:   answer{201, invitation{}, "The invitation."},
				refuses: []string{"already_member", "too_many_invitations"},
				run:     a.invite,
			},
			{route: "DELETE /staff/restaurants/{restaurant}/invitations/{invitation}", id: "withdrawInvitation",
				summary: "Withdraw an invitation",
				right:   access.Staff(team.ManageTeam),
				gives:   answer{204, nil, "Its link works no more."},
				run:     a.withdrawInvitation,
			},
			{route: "GET /staff/restaurants/{restaurant}/audit", id: "listAudit",
				summary: "What was done at a restaurant",
				text:    "Nothing changes or deletes an entry. Owners and managers see them.",
				right:   access.Staff(team.SeeAuditLog), paged: true,
				query: []parameter{
					{name: "userId", is: text, says: "Acts of one person only."},
					{name: "area", is: text, says: "Acts of one area only: what stands before the dot of " +
						"`action`."},
					{name: "date", is: day, says: "Acts of one day at the restaurant only."},
					{name: "reservationId", is: text, says: "Acts about one reservation only: its id, or its number " +
						"as guests read it."},
				},
				gives: answer{200, page{"entries", act{}}, "The entries, the newest first."},
				run:   a.listAudit,
			},
		}}
}
