package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/legal"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// Mount adds the diners' routes. views/urls.go says which page asks for what. Each route names the gates that bound it.
// Requests that a rush is made of do not pass the load shedder: submitting, waiting and watching a ticket ask no
// database, and must not wait behind requests that do.
func (s *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed, press, change, stream, provider := gates.Shed, gates.Press, gates.Change, gates.Stream, gates.Provider
	r.Get("/", shed, s.search)
	r.Get("/restaurants/:slug", shed, respond.For(s.eveningOrNext, s.restaurant))
	r.Get(views.EnglishURL("/"), shed, s.inEnglish, s.search)
	r.Get(views.EnglishURL("/restaurants/:slug"), shed, s.inEnglish, respond.For(s.eveningOrNext, s.restaurant))
	for _, kind := range legal.Kinds {
		r.Get(views.DocumentURL(kind), shed, s.document(kind))
		r.Get(views.EnglishURL(views.DocumentURL(kind)), shed, s.inEnglish, s.document(kind))
	}
	r.Get(views.WidgetURL(":slug"), shed, respond.MayBeFramed, respond.For(s.eveningOrNext, s.widget))
	r.Get("/robots.txt", s.robots)
	r.Get(views.OfflineURL(), shed, s.offline)
	r.Get(views.SitemapURL(), shed, s.sitemap)
	r.Get("/restaurants/:slug/reviews", shed, s.reviews)
	r.Post("/restaurants/:slug/favourite", change, shed, s.saveFavourite)
	r.Get("/favourites", shed, respond.For(respond.Session, s.favourites))
	r.Post("/favourites/:id/remove", change, shed, respond.For(respond.Session, s.removeFavourite))
	r.Get("/restaurants/:slug/slots", shed, s.daySlots)
	r.Get("/restaurants/:slug/dishes", shed, s.dishes)
	r.Get("/restaurants/:slug/seats/events", stream, shed, s.seatsEvents)
	r.Get("/restaurants/:slug/book", shed, s.bookingForm)
	r.Post("/restaurants/:slug/reservations", unlessRefresh(limited(press, s.reserveLater)), ifAsking(shed),
		s.reserve)

	r.Get("/restaurants/:slug/waitlist", shed, s.joinForm)
	r.Post("/restaurants/:slug/waitlist", change, shed, s.join)
	r.Get("/waitlist/:id", shed, respond.For(s.ownEntry, s.waitlist))
	r.Get("/waitlist/:id/events", stream, shed, s.waitlistEvents)
	r.Post("/waitlist/:id/leave", change, shed, respond.For(s.ownEntry, s.leaveWaitlist))
	r.Get("/pay/:token", shed, s.paymentLink)
	r.Post("/pay/:token", shed, s.followPaymentLink)
	r.Get("/offers/:token", shed, s.offerPage)
	r.Post("/offers/:token/accept", change, shed, s.acceptOffer)
	r.Post("/offers/:token/decline", change, shed, s.declineOffer)

	r.Get(views.RushURL(), shed, s.rush)
	r.Post(views.RushURL(), press, shed, s.joinRush)

	r.Get("/waits/events", stream, shed, s.waitsEvents)
	r.Get("/tickets/:ticket", s.ticket)
	r.Get("/tickets/:ticket/events", stream, s.ticketEvents)
	r.Post("/tickets/:ticket/leave", respond.For(respond.Session, s.leaveLine))
	r.Get("/tickets/:ticket/receipt", respond.For(respond.Session, s.receipt))
	r.Get("/verify", s.verifyForm)
	r.Post("/verify", shed, s.verify)

	r.Get("/reservations", shed, unread, respond.For(respond.Session, s.reservations))
	r.Get("/reservations/:id", shed, unread, respond.For(s.own, s.reservation))
	r.Get("/c/:id", shed, s.pass)
	r.Get("/coming/:token", shed, respond.For(s.reminded, s.coming))
	r.Post("/coming/:token", change, shed, respond.For(s.reminded, s.sayComing))
	r.Get("/with/:token", shed, respond.For(s.accompanied, s.companion))
	r.Post("/with/:token", change, shed, respond.For(s.accompaniedOpen, s.addCompanion))
	r.Get("/with/:token/calendar.ics", shed, respond.For(s.accompaniedOpen, s.companionCalendar))
	r.Post("/reservations/:id/companions/remove", change, shed, respond.For(s.own, s.removeCompanion))
	r.Get("/door/:token", shed, respond.For(s.atDoor, s.door))
	r.Get("/door/:token/events", stream, shed, respond.For(s.atDoor, s.doorEvents))
	r.Post("/door/:token/leave", change, shed, respond.For(s.atDoor, s.leaveDoor))
	r.Post("/door/:token/notify", change, shed, respond.For(s.atDoor, s.notifyDoor))
	r.Get("/reservations/:id/pay", shed, respond.For(s.own, s.payment))
	r.Post("/reservations/:id/pay", limited(change, s.payLater), provider, respond.For(s.own, s.pay))
	r.Get("/payments/:payment", shed, respond.For(respond.Session, s.paymentWindow))
	r.Get("/payments/:payment/return", provider, s.paymentReturned)
	r.Get("/payments/:payment/leave", provider, s.paymentLeft)
	r.Post("/reservations/:id/extend", change, shed, respond.For(s.own, s.extend))
	r.Get("/reservations/:id/change", shed, respond.For(s.changingOf, s.askChange))
	r.Post("/reservations/:id/change", unlessRefresh(change), shed, respond.For(s.changingOf, s.change))
	r.Get("/reservations/:id/another-time", shed, respond.For(s.own, s.moveOffer))
	r.Post("/reservations/:id/another-time", change, shed, respond.For(s.own, s.takeMoveOffer))
	r.Post("/reservations/:id/another-time/cancel", change, shed, respond.For(s.own, s.cancelOffered))
	r.Post("/reservations/:id/another-time/decline", change, shed, respond.For(s.own, s.declineMoveOffer))
	r.Get("/reservations/:id/cancel", shed, respond.For(s.own, s.askCancel))
	r.Post("/reservations/:id/cancel", change, shed, respond.For(s.own, s.cancel))
	r.Get("/reservations/:id/calendar.ics", shed, respond.For(s.own, s.calendar))

	r.Get("/reservations/:id/review", shed, respond.For(s.own, s.reviewForm))
	r.Post("/reservations/:id/review", change, shed, respond.For(s.own, s.writeReview))
	r.Post("/reservations/:id/review/delete", change, shed, respond.For(s.own, s.deleteReview))
	r.Get("/reviews/:review/report", shed, respond.ForBoth(s.reported, s.reportForm))
	r.Post("/reviews/:review/report", change, shed, respond.ForBoth(s.reported, s.reportReview))

	r.Get("/coupons", shed, s.coupons)
	r.Post("/coupons/:id/claims", press, s.claim)

	r.Get("/wallet", shed, s.wallet)
	r.Post("/wallet/charges", limited(change, s.moveLater(s.charging)), shed, s.charge)
	r.Post("/wallet/withdrawals", limited(change, s.moveLater(s.withdrawing)), shed, s.withdraw)

	r.Get("/account", shed, respond.For(respond.Session, s.account))
	r.Post("/account", change, shed, respond.For(respond.Session, s.changeAccount))
	r.Get("/account/password", shed, respond.For(respond.Session, s.accountPassword))
	r.Post("/account/password", change, shed, respond.For(respond.Session, s.changePassword))
	r.Get("/account/sessions", shed, respond.For(respond.Session, s.accountSessions))
	r.Post("/account/sessions/end", change, shed, respond.For(respond.Session, s.endOtherSessions))
	r.Post("/account/identities/end", change, shed, respond.For(respond.Session, s.endIdentity))
	r.Post(views.AccountPasskeyChallengeURL(), change, shed, respond.For(respond.Session, s.beginPasskey))
	r.Post(views.AccountPasskeysURL(), change, shed, respond.For(respond.Session, s.addPasskey))
	r.Post(views.AccountRemovePasskeyURL(), change, shed, respond.For(respond.Session, s.removePasskey))
	r.Post("/account/sessions/:id/end", change, shed, respond.For(respond.Session, s.endSession))
	r.Post("/account/history", change, shed, respond.For(respond.Session, s.decideHistory))
	r.Post(views.AccountConsentsURL(), change, shed, respond.For(respond.Session, s.agree))
	r.Post(views.PushURL(), change, shed, respond.For(respond.Session, s.subscribe))
	r.Get("/account/export", change, shed, respond.For(respond.Session, s.exportAccount))
	r.Get("/account/delete", shed, respond.For(respond.Session, s.askDelete))
	r.Post("/account/delete", change, shed, respond.For(respond.Session, s.deleteAccount))

	r.Get("/mailbox", shed, s.mailbox)

	r.Get("/signup", shed, s.signUpForm)
	r.Post("/signup", shed, s.signUp)
	r.Get("/signin", shed, s.signInForm)
	r.Post("/signin", shed, s.signIn)
	r.Post(views.SignInPasskeyChallengeURL(), shed, s.beginPasskeySignIn)
	r.Post(views.SignInPasskeyURL(), shed, s.signInByPasskey)
	r.Get(views.SignInProviderURL(":provider", ""), provider, s.signInAtProvider)
	r.Get(views.SignInReturnURL(":provider"), provider, s.returnFromProvider)
	r.Post("/signin/link", gates.Letters, shed, s.sendSignInLink)
	r.Get("/link", shed, s.linkPage)
	r.Post("/link", shed, s.useLink)
	r.Get("/account/email", shed, s.emailForm)
	r.Post("/account/email", change, gates.Letters, shed, respond.For(respond.Session, s.changeEmail))
	r.Post("/account/email/confirmation", change, gates.Letters, shed, respond.For(respond.Session, s.sendConfirmation))
	r.Post("/signout", shed, s.signOut)
	r.Post("/language", shed, s.language)
}

// unread is a gate of pages that a service worker fetches to keep copies: nobody reads what it shows then.
func unread(c *fiber.Ctx) error {
	if respond.IsForCopy(c) {
		c.SetUserContext(reserve.WithoutReader(c.UserContext()))
	}
	return c.Next()
}

// ifAsking is the handler shed for those requests of the booking form that ask the database: for the times of another
// date, and for the account of somebody who has none. It is nothing for the presses of those who are signed in.
func ifAsking(shed fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if _, unknown := respond.Session(c); unknown != nil || isRefresh(c) {
			return shed(c)
		}
		return c.Next()
	}
}

// unlessRefresh is a gate for the requests of a form but those that only look up another date.
func unlessRefresh(gate fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if isRefresh(c) {
			return c.Next()
		}
		return gate(c)
	}
}

// isRefresh says whether the booking form asks for the times of another date, and not for a table.
func isRefresh(c *fiber.Ctx) bool {
	return respond.FormValue(c, views.FieldAction) == views.ActionRefresh
}
