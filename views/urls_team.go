package views

// InvitationURL is where the letter with an invitation to a team leads. The token is in the query, which no log holds.
// GET: team.Invitation, which asks.
func InvitationURL(token string) string { return withQuery(AcceptInvitationURL(), FieldToken, token) }

// AcceptInvitationURL accepts an invitation. POST: field Token; 303 to the restaurant, 409 renders team.Invitation.
func AcceptInvitationURL() string { return "/invitation" }
