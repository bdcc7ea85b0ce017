package views

import "net/url"

// InvitationURL is where the letter with an invitation to a team leads. The token is in the query, which no log holds.
// GET: team.Invitation, which asks.
func InvitationURL(token string) string { return withQuery(AcceptInvitationURL(), FieldToken, token) }

// AcceptInvitationURL accepts an invitation. POST: field Token; 303 to the restaurant, 409 renders team.Invitation.
func AcceptInvitationURL() string { return "/invitation" }

// TeamURL is who works at a restaurant. GET: team.Team.
func TeamURL(restaurant int64) string { return StaffSectionURL(restaurant, SectionTeam) }

// TeamInviteURL invites an address. POST: fields Email, Role; 303 to the team, 422 and 409 render team.Team again.
func TeamInviteURL(restaurant int64) string { return TeamURL(restaurant) + "/invitations" }

// TeamWithdrawURL withdraws an invitation. POST: 303 to the team.
func TeamWithdrawURL(restaurant int64, invitation string) string {
	return TeamInviteURL(restaurant) + "/" + url.PathEscape(invitation) + "/withdraw"
}

// TeamRoleURL gives a member another role. POST: field Role; 303 to the team.
func TeamRoleURL(restaurant int64, member string) string {
	return TeamURL(restaurant) + "/members/" + url.PathEscape(member) + "/role"
}

// TeamRemoveURL removes a member. GET: team.Question; POST: 303 to the team.
func TeamRemoveURL(restaurant int64, member string) string {
	return TeamURL(restaurant) + "/members/" + url.PathEscape(member) + "/remove"
}

// TeamLeaveURL is where members leave. GET: team.Question; POST: 303 to the choice of restaurant.
func TeamLeaveURL(restaurant int64) string { return TeamURL(restaurant) + "/leave" }

// TeamLogURL is what was done at a restaurant. The query is person=, area=, date=, code= and after=. GET: team.Log.
func TeamLogURL(restaurant int64) string { return TeamURL(restaurant) + "/log" }
