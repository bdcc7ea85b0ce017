package web_test

import (
	"lunchgo/app/identity"
	"lunchgo/app/team"
)

// verdict is what a request's answer says of who sent it.
type verdict string

const (
	mayPass    verdict = "may pass" // whatever else is wrong with the request
	mustSignIn verdict = "must sign in"
	forbidden  verdict = "is forbidden"
	notFound   verdict = "finds nothing"
)

// visitor is somebody who tries all doors.
type visitor struct {
	name string
	id   string        // empty: not signed in
	role identity.Role // at the restaurant
}

// access says who may pass a route.
type access func(v visitor) verdict

// anybody passes, signed in or not.
func anybody(visitor) verdict { return mayPass }

// account lets everybody pass who is signed in.
func account(v visitor) verdict {
	if v.id == "" {
		return mustSignIn
	}
	return mayPass
}

// own lets the diner pass whose thing it is. Others do not learn that there is one.
func own(v visitor) verdict {
	switch {
	case v.id == "":
		return mustSignIn
	case v.name == theDiner:
		return mayPass
	}
	return notFound
}

// ownSession lets nobody pass who tries what is no session of theirs.
func ownSession(v visitor) verdict {
	if v.id == "" {
		return mustSignIn
	}
	return notFound
}

// ownOrDone is own for a page's stream: to whoever is not signed in it says that it is done, so that the page asks to
// sign in.
func ownOrDone(v visitor) verdict {
	if v.id == "" {
		return mayPass
	}
	return own(v)
}

// noTicketOfTheirs lets nobody of the staff pass: the ticket is a diner's.
func noTicketOfTheirs(v visitor) verdict {
	if v.id == "" {
		return mustSignIn
	}
	return notFound
}

// staffWho lets staff of the restaurant pass whose role has a right.
func staffWho(action team.Action) access {
	return func(v visitor) verdict {
		switch {
		case v.id == "":
			return mustSignIn
		case v.role == "":
			return notFound
		case !team.May(v.role, action):
			return forbidden
		}
		return mayPass
	}
}

// ownOrStaff lets the diner pass, and staff of the restaurant.
func ownOrStaff(v visitor) verdict {
	if v.role != "" {
		return mayPass
	}
	return own(v)
}

// operators lets those pass who publish restaurants.
func operators(v visitor) verdict {
	switch v.name {
	case "nobody":
		return mustSignIn
	case theOperator:
		return mayPass
	}
	return forbidden
}

// operatorsOfNothing is operators, for whom what the route asks for is not there.
func operatorsOfNothing(v visitor) verdict {
	if v.name == theOperator {
		return notFound
	}
	return operators(v)
}

// nothing is there for anybody: the link that the route asks for is somebody else's.
func nothing(visitor) verdict { return notFound }

const (
	theDiner    = "the diner"
	theOperator = "the operator"
)

// accessOf names who may pass each route. A route that is missing here fails the test.
var accessOf = map[string]access{
	"GET /static/*":             anybody,
	"GET /favicon.ico":          anybody,
	"GET /sw.js":                anybody,
	"GET /manifest.webmanifest": anybody,
	"GET /offline":              anybody,
	"GET /robots.txt":           anybody,
	"GET /sitemap.xml":          anybody,
	"GET /healthz":              anybody,
	"GET /readyz":               anybody,

	"GET /widget/:slug":                    anybody,
	"GET /rush":                            nothing,
	"POST /rush":                           nothing,
	"GET /practice-bank/:payment":          nothing,
	"POST /practice-bank/:payment":         nothing,
	"GET /payments/:payment":               ownSession,
	"GET /payments/:payment/return":        nothing,
	"GET /payments/:payment/leave":         nothing,
	"GET /":                                anybody,
	"GET /restaurants/:slug":               anybody,
	"GET /terms":                           anybody,
	"POST /account/consents":               account,
	"GET /en/terms":                        anybody,
	"GET /privacy":                         anybody,
	"GET /en/privacy":                      anybody,
	"GET /en":                              anybody,
	"GET /en/restaurants/:slug":            anybody,
	"GET /restaurants/:slug/slots":         anybody,
	"GET /restaurants/:slug/dishes":        anybody,
	"GET /restaurants/:slug/seats/events":  anybody,
	"GET /restaurants/:slug/book":          anybody,
	"POST /restaurants/:slug/reservations": anybody,
	"GET /restaurants/:slug/waitlist":      anybody,
	"POST /restaurants/:slug/waitlist":     account,
	"GET /restaurants/:slug/reviews":       anybody,
	"GET /reviews/:review/report":          account,
	"POST /reviews/:review/report":         account,
	"GET /coupons":                         anybody,
	"POST /coupons/:id/claims":             account,
	"GET /signup":                          anybody,
	"POST /signup":                         anybody,
	"GET /signin":                          anybody,
	"POST /signin":                         anybody,
	"GET /signin/with/:provider":           nothing, // none is set
	"GET /signin/with/:provider/return":    nothing,
	"POST /signin/passkey/challenge":       anybody,
	"POST /signin/passkey":                 anybody,
	"POST /signin/link":                    anybody,
	"GET /link":                            anybody,
	"POST /link":                           anybody,
	"GET /account/email":                   account,
	"POST /account/email":                  account,
	"POST /account/email/confirmation":     account,
	"POST /signout":                        anybody,
	"POST /language":                       anybody,
	"GET /reservations":                    account,
	"GET /wallet":                          account,
	"POST /wallet/charges":                 account,
	"POST /wallet/withdrawals":             account,
	"GET /mailbox":                         account,

	"GET /account":                      account,
	"GET /favourites":                   account,
	"POST /restaurants/:slug/favourite": account,
	"POST /favourites/:id/remove":       account,
	"GET /api/favourites":               account,
	"PUT /api/favourites/:id":           account,
	"DELETE /api/favourites/:id":        account,
	"POST /account":                     account,
	"GET /account/password":             account,
	"POST /account/password":            account,
	"GET /account/sessions":             account,
	"POST /account/sessions/:id/end":    ownSession,
	"POST /account/sessions/end":        account,
	"POST /account/identities/end":      account,
	"POST /account/passkeys/challenge":  account,
	"POST /account/passkeys":            account,
	"POST /account/passkeys/remove":     account,
	"GET /account/export":               account,
	"POST /account/push":                account,
	"POST /account/history":             account,
	"GET /account/delete":               account,
	"POST /account/delete":              account,

	"GET /waitlist/:id":                           own,
	"GET /waitlist/:id/events":                    ownOrDone,
	"POST /waitlist/:id/leave":                    own,
	"GET /waits/events":                           anybody, // "done" for who waits nowhere
	"GET /tickets/:ticket":                        own,
	"GET /tickets/:ticket/events":                 ownOrDone,
	"GET /tickets/:ticket/receipt":                own,
	"GET /verify":                                 anybody,
	"POST /verify":                                anybody,
	"POST /tickets/:ticket/leave":                 own,
	"GET /reservations/:id":                       own,
	"GET /reservations/:id/pay":                   own,
	"POST /reservations/:id/pay":                  own,
	"POST /reservations/:id/extend":               own,
	"POST /reservations/:id/companions/remove":    own,
	"GET /reservations/:id/change":                own,
	"POST /reservations/:id/change":               own,
	"GET /reservations/:id/another-time":          own,
	"POST /reservations/:id/another-time":         own,
	"POST /reservations/:id/another-time/cancel":  own,
	"POST /reservations/:id/another-time/decline": own,
	"GET /reservations/:id/cancel":                own,
	"POST /reservations/:id/cancel":               own,
	"GET /reservations/:id/calendar.ics":          own,
	"GET /reservations/:id/review":                own,
	"POST /reservations/:id/review":               own,
	"POST /reservations/:id/review/delete":        own,
	"PUT /api/reservations/:id/review":            own,
	"DELETE /api/reservations/:id/review":         own,
	"GET /api/restaurants/:id/reviews":            anybody,
	"GET /c/:id":                                  ownOrStaff,
	"GET /c/:reservation":                         ownOrStaff, // goes on where the one before does not end
	"GET /pay/:token":                             anybody,    // the link is the proof
	"POST /pay/:token":                            anybody,
	"GET /offers/:token":                          anybody, // the link is the proof
	"GET /door/:token":                            anybody, // the link is the proof
	"GET /door/:token/events":                     anybody,
	"POST /door/:token/leave":                     anybody,
	"POST /door/:token/notify":                    anybody,
	"GET /coming/:token":                          anybody, // the link is the proof
	"POST /coming/:token":                         anybody,
	"GET /with/:token":                            anybody, // the link is the proof
	"POST /with/:token":                           anybody,
	"GET /with/:token/calendar.ics":               anybody,
	"POST /offers/:token/accept":                  anybody,
	"POST /offers/:token/decline":                 anybody,

	"GET /staff":                                                        account,
	"GET /staff/restaurants/:restaurant":                                staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/events":                         staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/slots/:date/:time":              staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/slots/:date/:time/line":         staffWho(team.SteerLine),
	"GET /staff/restaurants/:restaurant/slots/:date/:time/line/events":  staffWho(team.SteerLine),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/line/pause":  staffWho(team.OpenCloseSlot),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/line/resume": staffWho(team.OpenCloseSlot),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/line/notice": staffWho(team.SteerLine),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/line/remove": staffWho(team.SteerLine),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/line/turn":   staffWho(team.SteerLine),
	"GET /staff/restaurants/:restaurant/menu":                           staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/menu/:date/:dish":              staffWho(team.ChangeStock),
	"POST /staff/restaurants/:restaurant/menu/:date/:dish/step":         staffWho(team.ChangeStock),
	"POST /staff/reservations/:reservation/arrived":                     staffWho(team.MarkGuest),
	"POST /staff/reservations/:reservation/seated":                      staffWho(team.MarkGuest),
	"POST /staff/reservations/:reservation/completed":                   staffWho(team.MarkGuest),
	"POST /staff/reservations/:reservation/no-show":                     staffWho(team.MarkGuest),
	"POST /staff/reservations/:reservation/undo":                        staffWho(team.MarkGuest),
	"POST /staff/reservations/:reservation/waive":                       staffWho(team.BookForGuest),
	"POST /staff/reservations/:reservation/pay-by":                      staffWho(team.BookForGuest),
	"POST /staff/reservations/:reservation/another-time/withdraw":       staffWho(team.MoveGuest),
	"GET /staff/restaurants/:restaurant/kitchen":                        staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/print":                          staffWho(team.SeeEvening),
	"GET /staff/reservations/:reservation/details":                      staffWho(team.BookForGuest),
	"POST /staff/reservations/:reservation/details":                     staffWho(team.BookForGuest),
	"GET /staff/restaurants/:restaurant/days/:date/closing":             staffWho(team.ChangeHours),
	"POST /staff/restaurants/:restaurant/days/:date/closing":            staffWho(team.ChangeHours),
	"GET /staff/restaurants/:restaurant/slots/:date/:time/closing":      staffWho(team.OpenCloseSlot),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/closing":     staffWho(team.OpenCloseSlot),
	"GET /staff/restaurants/:restaurant/door":                           staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/door":                          staffWho(team.BookForGuest),
	"POST /staff/restaurants/:restaurant/pushes":                        staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/door/:party":                    staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/door/:party/call":              staffWho(team.BookForGuest),
	"POST /staff/restaurants/:restaurant/door/:party/gone":              staffWho(team.BookForGuest),
	"POST /staff/restaurants/:restaurant/door/:party/back":              staffWho(team.BookForGuest),
	"POST /staff/restaurants/:restaurant/door/:party/seat":              staffWho(team.BookForGuest),
	"GET /staff/restaurants/:restaurant/messages":                       staffWho(team.MoveGuest),
	"POST /staff/restaurants/:restaurant/messages":                      staffWho(team.MoveGuest),
	"GET /staff/restaurants/:restaurant/messages/:message":              staffWho(team.MoveGuest),
	"POST /staff/reservations/:reservation/refund":                      staffWho(team.GiveBack),
	"GET /staff/reservations/:reservation/refund":                       staffWho(team.GiveBack),
	"POST /staff/reservations/:reservation/cancel":                      staffWho(team.CancelWithRefund),
	"GET /staff/reservations/:reservation/cancel":                       staffWho(team.SeeEvening),
	"GET /staff/reservations/:reservation":                              staffWho(team.SeeEvening),
	"POST /staff/reservations/:reservation/move":                        staffWho(team.MoveGuest),
	"GET /staff/restaurants/:restaurant/book":                           staffWho(team.BookForGuest),
	"POST /staff/restaurants/:restaurant/book":                          staffWho(team.BookForGuest),
	"GET /staff/restaurants/:restaurant/tickets/:ticket":                noTicketOfTheirs,
	"GET /staff/restaurants/:restaurant/tickets/:ticket/events":         noTicketOfTheirs,
	"POST /staff/restaurants/:restaurant/tickets/:ticket/leave":         noTicketOfTheirs,

	"GET /staff/restaurants/:restaurant/reports":                           staffWho(team.SeeReports),
	"GET /staff/restaurants/:restaurant/reports/file.csv":                  staffWho(team.SeeReports),
	"GET /staff/restaurants/:restaurant/reports/payouts.csv":               staffWho(team.SeeReports),
	"GET /api/staff/restaurants/:restaurant/payouts":                       staffWho(team.SeeReports),
	"GET /staff/restaurants/:restaurant/guests":                            staffWho(team.SeeGuests),
	"GET /staff/restaurants/:restaurant/guests/:guest":                     staffWho(team.SeeGuests),
	"GET /staff/restaurants/:restaurant/guests/file.csv":                   staffWho(team.SeeGuests),
	"GET /api/staff/restaurants/:restaurant/guests/file.csv":               staffWho(team.SeeGuests),
	"GET /api/staff/restaurants/:restaurant/guests":                        staffWho(team.SeeGuests),
	"GET /api/staff/restaurants/:restaurant/guests/:guest":                 staffWho(team.SeeGuests),
	"POST /staff/restaurants/:restaurant/guests/:guest/notes":              staffWho(team.NoteGuests),
	"POST /staff/restaurants/:restaurant/guests/:guest/notes/:note/delete": staffWho(team.DeleteGuestNotes),
	"POST /staff/restaurants/:restaurant/guests/:guest/tags":               staffWho(team.NoteGuests),
	"POST /api/staff/restaurants/:restaurant/guests/:guest/notes":          staffWho(team.NoteGuests),
	"DELETE /api/staff/restaurants/:restaurant/guests/:guest/notes/:note":  staffWho(team.DeleteGuestNotes),
	"PUT /api/staff/restaurants/:restaurant/guests/:guest/tags":            staffWho(team.NoteGuests),
	"GET /api/staff/restaurants/:restaurant/reports":                       staffWho(team.SeeReports),
	"GET /staff/restaurants/:restaurant/slots/:date/:time/controls":        staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/controls":       staffWho(team.OpenCloseSlot),
	"GET /staff/restaurants/:restaurant/slots/:date/:time/blocked-seats":   staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/slots/:date/:time/blocked-seats":  staffWho(team.ChangeCapacity),
	"GET /staff/restaurants/:restaurant/days/:date":                        staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/days/:date/controls":              staffWho(team.OpenCloseSlot),
	"GET /staff/restaurants/:restaurant/days/:date/blocked-seats":          staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/days/:date/blocked-seats":         staffWho(team.ChangeCapacity),
	"GET /staff/restaurants/:restaurant/stop":                              staffWho(team.StopBookings),
	"POST /staff/restaurants/:restaurant/stop":                             staffWho(team.StopBookings),
	"GET /staff/restaurants/:restaurant/room":                              staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/timeline":                          staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/tables/:seat":                      staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/slots":                             staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/line":                              staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/scan":                              staffWho(team.SeeEvening),

	"GET /staff/restaurants/:restaurant/reviews":                 staffWho(team.AnswerReviews),
	"POST /staff/restaurants/:restaurant/reviews/:review/answer": staffWho(team.AnswerReviews),
	"PUT /api/staff/reviews/:id/answer":                          staffWho(team.AnswerReviews),

	"GET /operator":                                  operators,
	"GET /operator/operators":                        operators,
	"POST /operator/operators":                       operators,
	"POST /operator/operators/:operator/end":         operatorsOfNothing,
	"GET /operator/reviews":                          operators,
	"POST /operator/reviews/:review":                 operators,
	"POST /operator/restaurants/:restaurant/publish": operators,
	"GET /operator/restaurants/:restaurant":          operatorsOfNothing,

	"GET /operator/restaurants":                        operators,
	"GET /operator/restaurants/:restaurant/unpublish":  operators,
	"POST /operator/restaurants/:restaurant/unpublish": operators,
	"GET /api/operator/restaurants/all":                operators,
	"POST /api/operator/restaurants/:id/unpublish":     operators,

	"POST /operator/restaurants/:restaurant/refuse": operatorsOfNothing,
	"GET /operator/setup/:token":                    nothing,
	"POST /operator/setup/:token":                   nothing,

	"GET /api/staff/restaurants/:restaurant/evening":                              staffWho(team.SeeEvening),
	"GET /api/staff/restaurants":                                                  account,
	"POST /api/staff/restaurants":                                                 account,
	"PATCH /api/staff/restaurants/:restaurant/slots/:date/:time":                  staffWho(team.OpenCloseSlot),
	"PATCH /api/staff/restaurants/:restaurant/days/:date":                         staffWho(team.OpenCloseSlot),
	"GET /api/staff/restaurants/:restaurant/slots/:date/:time/tickets":            staffWho(team.SteerLine),
	"DELETE /api/staff/restaurants/:restaurant/slots/:date/:time/tickets/:ticket": noTicketOfTheirs,
	"DELETE /api/staff/restaurants/:restaurant/slots/:date/:time/turn":            staffWho(team.SteerLine),

	"GET /api/operator/restaurants":               operators,
	"POST /api/operator/restaurants/:id/publish":  operators,
	"GET /api/staff/restaurants/:restaurant/menu": staffWho(team.SeeEvening),
	"PUT /api/staff/restaurants/:restaurant/menu": staffWho(team.ChangeMenu),

	"GET /api/staff/restaurants/:restaurant/members":                    staffWho(team.SeeTeam),
	"PATCH /api/staff/restaurants/:restaurant/members/:member":          staffWho(team.ManageTeam),
	"DELETE /api/staff/restaurants/:restaurant/members/:member":         staffWho(team.ManageTeam),
	"POST /api/staff/restaurants/:restaurant/invitations":               staffWho(team.ManageTeam),
	"DELETE /api/staff/restaurants/:restaurant/invitations/:invitation": staffWho(team.ManageTeam),
	"GET /api/staff/restaurants/:restaurant/audit":                      staffWho(team.SeeAuditLog),
	"GET /staff/restaurants/new":                                        account,
	"POST /staff/restaurants/new":                                       account,
	"GET /staff/restaurants/:restaurant/setup":                          staffWho(team.SeeSettings),
	"GET /staff/restaurants/:restaurant/setup/basics":                   staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/basics":                  staffWho(team.ChangeSettings),
	"GET /staff/restaurants/:restaurant/setup/hours":                    staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/hours":                   staffWho(team.ChangeHours),
	"GET /staff/restaurants/:restaurant/setup/parties":                  staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/parties":                 staffWho(team.ChangeSettings),
	"GET /staff/restaurants/:restaurant/setup/terms":                    staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/terms":                   staffWho(team.ChangeSettings),
	"GET /staff/restaurants/:restaurant/setup/closures":                 staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/closures":                staffWho(team.ChangeHours),
	"GET /staff/restaurants/:restaurant/setup/publish":                  staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/publish":                 staffWho(team.Publish),
	"GET /staff/restaurants/:restaurant/setup/preview":                  staffWho(team.SeeSettings),
	"GET /staff/restaurants/:restaurant/setup/website":                  staffWho(team.SeeSettings),
	"GET /staff/restaurants/:restaurant/setup/picture":                  staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/picture":                 staffWho(team.ChangeMenu),

	"GET /api/staff/restaurants/:restaurant/settings":     staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/settings":     staffWho(team.ChangeSettings),
	"GET /api/staff/restaurants/:restaurant/hours":        staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/hours":        staffWho(team.ChangeHours),
	"GET /api/staff/restaurants/:restaurant/closures":     staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/closures":     staffWho(team.ChangeHours),
	"GET /api/staff/restaurants/:restaurant/deposits":     staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/deposits":     staffWho(team.ChangeSettings),
	"GET /api/staff/restaurants/:restaurant/cancellation": staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/cancellation": staffWho(team.ChangeSettings),
	"GET /api/staff/restaurants/:restaurant/picture":      staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/picture":      staffWho(team.ChangeMenu),
	"GET /api/staff/restaurants/:restaurant/gallery":      staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/gallery":      staffWho(team.ChangeMenu),
	"GET /api/staff/restaurants/:restaurant/checks":       staffWho(team.SeeSettings),
	"POST /api/staff/restaurants/:restaurant/publication": staffWho(team.Publish),

	"POST /api/staff/restaurants/:restaurant/reservations":             staffWho(team.BookForGuest),
	"GET /api/staff/restaurants/:restaurant/days/:date/closing":        staffWho(team.ChangeHours),
	"GET /api/staff/restaurants/:restaurant/slots/:date/:time/closing": staffWho(team.OpenCloseSlot),
	"PUT /api/staff/restaurants/:restaurant/slots/:date/:time/closing": staffWho(team.OpenCloseSlot),
	"PUT /api/staff/restaurants/:restaurant/days/:date/closing":        staffWho(team.ChangeHours),
	"GET /api/staff/restaurants/:restaurant/door":                      staffWho(team.SeeEvening),
	"POST /api/staff/restaurants/:restaurant/door":                     staffWho(team.BookForGuest),
	"PATCH /api/staff/restaurants/:restaurant/door/:party":             staffWho(team.BookForGuest),
	"POST /api/staff/restaurants/:restaurant/messages":                 staffWho(team.MoveGuest),
	"GET /api/staff/restaurants/:restaurant/messages/:message":         staffWho(team.MoveGuest),
	"POST /api/staff/reservations/:reservation/refunds":                staffWho(team.GiveBack),
	"PATCH /api/staff/reservations/:reservation":                       staffWho(team.MoveGuest),
	"DELETE /api/staff/reservations/:reservation/offered-time":         staffWho(team.MoveGuest),

	"POST /api/staff/restaurants/:restaurant/rehearsals":           staffWho(team.RunRehearsal),
	"GET /api/staff/restaurants/:restaurant/rehearsals/:rehearsal": staffWho(team.RunRehearsal),
	"GET /staff/restaurants/:restaurant/rehearsal":                 staffWho(team.RunRehearsal),
	"POST /staff/restaurants/:restaurant/rehearsal":                staffWho(team.RunRehearsal),
	"GET /staff/restaurants/:restaurant/rehearsal/events":          staffWho(team.RunRehearsal),

	"GET /invitation":                                                           anybody,
	"POST /invitation":                                                          account,
	"GET /staff/restaurants/:restaurant/team":                                   staffWho(team.SeeTeam),
	"GET /staff/restaurants/:restaurant/team/log":                               staffWho(team.SeeAuditLog),
	"POST /staff/restaurants/:restaurant/team/invitations":                      staffWho(team.ManageTeam),
	"POST /staff/restaurants/:restaurant/team/invitations/:invitation/withdraw": staffWho(team.ManageTeam),
	"POST /staff/restaurants/:restaurant/team/members/:member/role":             staffWho(team.ManageTeam),
	"GET /staff/restaurants/:restaurant/team/members/:member/remove":            staffWho(team.ManageTeam),
	"POST /staff/restaurants/:restaurant/team/members/:member/remove":           staffWho(team.ManageTeam),
	"GET /staff/restaurants/:restaurant/team/leave":                             staffWho(team.SeeEvening),
	"POST /staff/restaurants/:restaurant/team/leave":                            staffWho(team.SeeEvening),
	"GET /api/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats":    staffWho(team.SeeEvening),
	"PUT /api/staff/restaurants/:restaurant/slots/:date/:time/blocked-seats":    staffWho(team.ChangeCapacity),
	"PUT /api/staff/restaurants/:restaurant/stop":                               staffWho(team.StopBookings),
	"PUT /api/staff/restaurants/:restaurant/stock/:date/:item":                  staffWho(team.ChangeStock),

	"GET /staff/restaurants/:restaurant/webhooks":                                          staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks":                                         staffWho(team.ManageWebhooks),
	"GET /staff/restaurants/:restaurant/webhooks/:webhook":                                 staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook":                                staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/pause":                          staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/resume":                         staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/test":                           staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/secret":                         staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/redeliver":                      staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/deliveries/:delivery/redeliver": staffWho(team.ManageWebhooks),
	"GET /staff/restaurants/:restaurant/webhooks/:webhook/delete":                          staffWho(team.ManageWebhooks),
	"POST /staff/restaurants/:restaurant/webhooks/:webhook/delete":                         staffWho(team.ManageWebhooks),

	"GET /api/staff/restaurants/:restaurant/webhooks":                                           staffWho(team.ManageWebhooks),
	"POST /api/staff/restaurants/:restaurant/webhooks":                                          staffWho(team.ManageWebhooks),
	"GET /api/staff/restaurants/:restaurant/webhooks/:webhook":                                  staffWho(team.ManageWebhooks),
	"PATCH /api/staff/restaurants/:restaurant/webhooks/:webhook":                                staffWho(team.ManageWebhooks),
	"DELETE /api/staff/restaurants/:restaurant/webhooks/:webhook":                               staffWho(team.ManageWebhooks),
	"POST /api/staff/restaurants/:restaurant/webhooks/:webhook/secret":                          staffWho(team.ManageWebhooks),
	"POST /api/staff/restaurants/:restaurant/webhooks/:webhook/test":                            staffWho(team.ManageWebhooks),
	"GET /api/staff/restaurants/:restaurant/webhooks/:webhook/deliveries":                       staffWho(team.ManageWebhooks),
	"POST /api/staff/restaurants/:restaurant/webhooks/:webhook/deliveries/:delivery/redelivery": staffWho(team.ManageWebhooks),
	"POST /api/staff/restaurants/:restaurant/webhooks/:webhook/redelivery":                      staffWho(team.ManageWebhooks),

	"POST /api/users":                                      anybody,
	"POST /api/sessions":                                   anybody,
	"DELETE /api/sessions":                                 account,
	"GET /api/account":                                     account,
	"PATCH /api/account":                                   account,
	"DELETE /api/account":                                  account,
	"PUT /api/account/password":                            account,
	"GET /api/account/sessions":                            account,
	"DELETE /api/account/sessions":                         account,
	"DELETE /api/account/sessions/:id":                     ownSession,
	"GET /api/account/export":                              account,
	"POST /api/sessions/links":                             anybody,
	"POST /api/links":                                      anybody,
	"POST /api/account/email":                              account,
	"POST /api/account/email/confirmation":                 account,
	"GET /api/docs":                                        anybody,
	"GET /api/openapi.json":                                anybody,
	"GET /api/restaurants":                                 anybody,
	"GET /api/restaurants/:id":                             anybody,
	"GET /api/restaurants/:id/slots":                       anybody,
	"GET /api/restaurants/:id/menu":                        anybody,
	"GET /api/restaurants/:id/seats":                       anybody,
	"GET /api/coupons":                                     anybody,
	"POST /api/coupons/:id/claims":                         account,
	"POST /api/reservations":                               account,
	"GET /api/reservations":                                account,
	"GET /api/reservations/:id":                            own,
	"DELETE /api/reservations/:id":                         own,
	"PATCH /api/reservations/:id":                          own,
	"POST /api/reservations/:id/quote":                     own,
	"GET /api/reservations/:id/changes":                    own,
	"POST /api/reservations/:id/payment":                   own,
	"GET /api/payments/:id":                                ownSession,
	"POST /hooks/payments/:provider":                       nothing,
	"POST /api/reservations/:id/extension":                 own,
	"GET /api/reservations/:id/cancellation":               own,
	"GET /api/reservations/:id/offered-time":               own,
	"POST /api/reservations/:id/offered-time":              own,
	"DELETE /api/reservations/:id/offered-time":            own,
	"POST /api/reservations/:id/offered-time/cancellation": own,
	"POST /api/waitlist":                                   account,
	"GET /api/waitlist":                                    account,
	"GET /api/waitlist/:id":                                own,
	"DELETE /api/waitlist/:id":                             own,
	"POST /api/waitlist/:id/accept":                        own,
	"POST /api/waitlist/:id/decline":                       own,
	"GET /api/tickets/:ticket":                             own,
	"GET /api/tickets/:ticket/events":                      own,
	"DELETE /api/tickets/:ticket":                          own,
	"GET /api/tickets/:ticket/receipt":                     own,
	"GET /api/lines/:line/log":                             anybody,
	"GET /api/wallet":                                      account,
	"POST /api/wallet/charges":                             account,
	"POST /api/wallet/withdrawals":                         account,

	"POST /api/staff/restaurants/:restaurant/pictures":              staffWho(team.ChangeMenu),
	"GET /pictures/:file":                                           nothing, // no such picture
	"GET /api/staff/restaurants/:restaurant/seats":                  staffWho(team.SeeSettings),
	"PUT /api/staff/restaurants/:restaurant/seats":                  staffWho(team.ChangeSettings),
	"GET /api/staff/restaurants/:restaurant/coupons":                staffWho(team.SeeSettings),
	"POST /api/staff/restaurants/:restaurant/coupons":               staffWho(team.ChangeSettings),
	"DELETE /api/staff/restaurants/:restaurant/coupons/:coupon":     staffWho(team.ChangeSettings),
	"GET /staff/restaurants/:restaurant/setup/menu":                 staffWho(team.SeeEvening),
	"GET /staff/restaurants/:restaurant/setup/menu/:item":           staffWho(team.ChangeMenu),
	"POST /staff/restaurants/:restaurant/setup/menu/:item":          staffWho(team.ChangeMenu),
	"POST /staff/restaurants/:restaurant/setup/menu/:item/move":     staffWho(team.ChangeMenu),
	"GET /staff/restaurants/:restaurant/setup/coupons":              staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/coupons":             staffWho(team.ChangeSettings),
	"POST /staff/restaurants/:restaurant/setup/coupons/:coupon/end": staffWho(team.ChangeSettings),
	"GET /staff/restaurants/:restaurant/setup/seats":                staffWho(team.SeeSettings),
	"POST /staff/restaurants/:restaurant/setup/seats":               staffWho(team.ChangeSettings),
}
