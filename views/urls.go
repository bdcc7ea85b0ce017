// Package views is the vocabulary of LunchGo's pages: the URL of every page and action, the names of form fields, and
// the view models that the templ components in layouts, components, pages and staff draw. It knows nothing of
// databases or requests.
//
// Conventions of every view model: money is integer won; a time.Time is in the location of its reader
// (the restaurant's), views never convert; texts of a restaurant or dish are already in the reader's language.
package views

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// dateForm and clockForm are the formats of dates and times in URLs and forms.
const (
	dateForm  = "2006-01-02"
	clockForm = "15:04"
)

// DateValue formats a date for URLs and form values: 2026-11-21.
func DateValue(t time.Time) string { return t.Format(dateForm) }

// ClockValue formats a slot's time for URLs and form values: 19:00.
func ClockValue(t time.Time) string { return t.Format(clockForm) }

// HomeURL is the search page without a query.
// GET: pages.Search, or pages.SearchResults when HX-Target is "results".
func HomeURL() string { return "/" }

// SearchURL is the search page with the form's answers in the query (fields Date, Time, Party, Words, District,
// Cuisine, Price); empty ones are left out.
func SearchURL(f SearchForm) string {
	return withQuery("/", FieldDate, f.Date, FieldTime, f.Time, FieldParty, f.Party,
		FieldWords, f.Words, FieldDistrict, f.District, FieldCuisine, f.Cuisine, FieldBand, f.Price)
}

// RestaurantURL is a restaurant's page for the first day with room. GET: pages.Restaurant.
func RestaurantURL(slug string) string { return "/restaurants/" + url.PathEscape(slug) }

// FavouriteURL saves a restaurant. POST: field Next; 303 there, or to the restaurant; to SignInToSaveURL for a
// stranger.
func FavouriteURL(slug string) string { return RestaurantURL(slug) + favouriteEnd }

const favouriteEnd = "/favourite"

// SignInToSaveURL signs in, and only with that, by its POST, saves a restaurant; then it goes to next.
func SignInToSaveURL(slug, next string) string {
	return SignInURL(withQuery(FavouriteURL(slug), FieldNext, next))
}

// SavesAfterSignIn reads what SignInToSaveURL gives a sign-in as its next.
func SavesAfterSignIn(path string) (slug, next string, saves bool) {
	to, err := url.Parse(path)
	if err != nil {
		return "", "", false
	}
	slug, isRestaurant := strings.CutPrefix(to.Path, RestaurantURL(""))
	slug, saves = strings.CutSuffix(slug, favouriteEnd)
	return slug, to.Query().Get(FieldNext), isRestaurant && saves
}

// FavouritesURL lists the restaurants that the signed-in diner has saved. GET: pages.Favourites.
func FavouritesURL() string { return "/favourites" }

// FavouriteRemoveURL saves a restaurant no longer. POST: field Next; 303 there, or to the list.
func FavouriteRemoveURL(restaurant int64) string {
	return FavouritesURL() + "/" + strconv.FormatInt(restaurant, 10) + "/remove"
}

// RestaurantDayURL is a restaurant's page with the slots of one day for a party. The query is date=, party=.
// GET: pages.Restaurant.
func RestaurantDayURL(slug string, day time.Time, party int) string {
	return withQuery(RestaurantURL(slug), FieldDate, DateValue(day), FieldParty, strconv.Itoa(party))
}

// RestaurantMonthURL is a restaurant's page with the calendar turned to a month. The query is date=, month=YYYY-MM,
// party=. GET: pages.Restaurant, or pages.Month when HX-Target is "month".
func RestaurantMonthURL(slug string, day, month time.Time, party int) string {
	return withQuery(RestaurantURL(slug), FieldDate, DateValue(day), FieldMonth, month.Format("2006-01"),
		FieldParty, strconv.Itoa(party))
}

// RestaurantSlotsURL answers with the fragment pages.DaySlots only: htmx polls it while the page is open. The query is
// date=, party=.
func RestaurantSlotsURL(slug string, day time.Time, party int) string {
	return withQuery(RestaurantURL(slug)+"/slots", FieldDate, DateValue(day), FieldParty, strconv.Itoa(party))
}

// DishesURL answers with the fragment pages.Dishes only, without quantities: htmx polls it while the booking form is
// open. The query is date=.
func DishesURL(slug string, day time.Time) string {
	return withQuery(RestaurantURL(slug)+"/dishes", FieldDate, DateValue(day))
}

// SeatsEventsURL streams the seats of the slots that a party comes for: event "seats" carries pages.SeatChoice
// without a choice. The query is date=, time=, party=, stay=.
func SeatsEventsURL(p SeatPicker) string {
	return withQuery(RestaurantURL(p.Slug)+"/seats/events", FieldDate, DateValue(p.At), FieldTime, ClockValue(p.At),
		FieldParty, strconv.Itoa(p.Party), FieldStay, strconv.Itoa(p.Stay))
}

// BookURL is the booking form of a slot. The query is date=, time=, party=. GET: pages.Booking.
func BookURL(slug string, at time.Time, party int) string {
	return withQuery(RestaurantURL(slug)+"/book", FieldDate, DateValue(at), FieldTime, ClockValue(at),
		FieldParty, strconv.Itoa(party))
}

// ReserveURL takes the booking form. POST: 303 to payment or to the ticket; 422 and 409 render pages.Booking again.
// With FieldAction = ActionRefresh it reserves nothing and renders pages.Booking with the times of the chosen date.
func ReserveURL(slug string) string { return RestaurantURL(slug) + "/reservations" }

// TicketURL is the place in the line. GET: pages.Waiting, 303 to the outcome's page, or pages.Outcome.
func TicketURL(ticket string) string { return "/tickets/" + url.PathEscape(ticket) }

// TicketFromURL is TicketURL with the position at which the diner entered the line, as from=: the progress
// counts from it. The redirect that hands out a ticket uses it.
func TicketFromURL(ticket string, position int) string {
	return withQuery(TicketURL(ticket), FieldFrom, positive(position))
}

// WaitsEventsURL streams where the signed-in diner waits: event "waits" carries components.WaitPlaces, event "result"
// what came of a wait in words, event "done" ends it.
func WaitsEventsURL() string { return "/waits/events" }

// TicketEventsURL streams a place in the line: event "waiting" carries pages.WaitingStatus, event "done" ends it. The
// query is from=, see TicketFromURL.
func TicketEventsURL(ticket string, position int) string {
	return withQuery(TicketURL(ticket)+"/events", FieldFrom, positive(position))
}

// LeaveTicketURL leaves the line. POST: 303 to the ticket, which then shows that it has left.
func LeaveTicketURL(ticket string) string { return TicketURL(ticket) + "/leave" }

// ReservationsURL lists the signed-in diner's reservations. GET: pages.Reservations.
func ReservationsURL() string { return "/reservations" }

// ReservationURL is one reservation. GET: pages.Reservation.
func ReservationURL(id string) string { return "/reservations/" + url.PathEscape(id) }

// PayURL pays a temporary reservation. GET: pages.Payment. POST: fields Kind, IdempotencyKey; 303 to the reservation;
// 402, 409 and 422 render pages.Payment again.
func PayURL(id string) string { return ReservationURL(id) + "/pay" }

// ExtendURL prolongs the time to pay. POST: 303 to the payment.
func ExtendURL(id string) string { return ReservationURL(id) + "/extend" }

// CancelURL cancels a reservation. GET: pages.Cancel (asks, without JavaScript). POST: field Refund; 303 to the
// reservation; 409 renders pages.Cancel with what comes back by now.
func CancelURL(id string) string { return ReservationURL(id) + "/cancel" }

// ChangeURL changes the time, party or menu of a reservation. GET: pages.Change. POST: the fields of the booking form
// and Action: pages.ChangePreview for ActionPreview, pages.Change for ActionRefresh; for ActionChange, with
// IdempotencyKey and Quoted, 303 to the reservation or to the ticket, for ActionByCard to PaymentURL; 402 and 409
// render pages.ChangePreview or pages.Change, 422 the latter.
func ChangeURL(id string) string { return ReservationURL(id) + "/change" }

// PassURL is where a reservation's QR code leads: the diner's pass, or the guest for staff of the restaurant.
// GET: pages.Pass or staff.Pass.
func PassURL(id string) string { return "/c/" + url.PathEscape(id) }

// ComingURL is where a diner says that the party comes, by the link of a reminder. GET: pages.Coming, which changes
// nothing. POST: 303 to it.
func ComingURL(token string) string { return "/coming/" + url.PathEscape(token) }

// SayComingURL is it with the answer, which a browser gives at once.
func SayComingURL(token string) string { return ComingURL(token) + "#" + ComingYes }

// ComingYes is the id of the form that says that the party comes.
const ComingYes = "yes"

// CompanionURL is what those who come along see of a reservation. GET: pages.Companion. POST: fields Name, Allergies;
// 303 to it; 409 and 422 render it again.
func CompanionURL(token string) string { return "/with/" + url.PathEscape(token) }

// CompanionCalendarURL downloads it as iCalendar.
func CompanionCalendarURL(token string) string { return CompanionURL(token) + "/calendar.ics" }

// CompanionRemoveURL takes back what one who comes along has said. POST: fields Name, Allergies; 303 to the
// reservation.
func CompanionRemoveURL(id string) string { return ReservationURL(id) + "/companions/remove" }

// CalendarURL downloads the reservation as iCalendar.
func CalendarURL(id string) string { return ReservationURL(id) + "/calendar.ics" }

// CouponsURL lists coupon campaigns and the signed-in diner's coupons. GET: pages.Coupons, or pages.Campaigns when
// HX-Target is "campaigns".
func CouponsURL() string { return "/coupons" }

// ClaimCouponURL asks for a coupon of a campaign. POST: field IdempotencyKey; 303 to CouponsURL or to the ticket; 409
// renders pages.CouponOutcome.
func ClaimCouponURL(campaign int64) string {
	return CouponsURL() + "/" + strconv.FormatInt(campaign, 10) + "/claims"
}

// RushURL lets a visitor of a demo stand in a rush. GET: pages.Rush. POST: field IdempotencyKey; signs a visitor in who
// is not, and answers as ReserveURL does.
func RushURL() string { return "/rush" }

// WalletURL is the wallet. GET: pages.Wallet.
func WalletURL() string { return "/wallet" }

// ChargeURL tops the wallet up. POST: fields Amount, IdempotencyKey, Next; 303 to Next or the wallet; 422 renders
// pages.Wallet again.
func ChargeURL() string { return "/wallet/charges" }

// WithdrawURL takes money out of the wallet. POST: fields Amount, IdempotencyKey; 303 to the wallet; 402 and 422 render
// pages.Wallet again.
func WithdrawURL() string { return "/wallet/withdrawals" }

// MailboxURL shows letters where no mail server sends them. GET: pages.Mailbox.
func MailboxURL() string { return "/mailbox" }

// SignUpURL makes an account and afterwards goes to next, a path of this site. GET and POST: pages.SignUp.
func SignUpURL(next string) string { return withQuery("/signup", FieldNext, next) }

// SignInURL signs in and afterwards goes to next, a path of this site. GET and POST: pages.SignIn.
func SignInURL(next string) string { return withQuery("/signin", FieldNext, next) }

// SignInProviderURL signs in at a provider and afterwards goes to next. GET: 303 to the provider's page.
func SignInProviderURL(provider, next string) string {
	return withQuery("/signin/with/"+provider, FieldNext, next)
}

// SignInReturnURL is where a provider sends the browser back to. GET: 303, or pages.SignIn with what was wrong.
func SignInReturnURL(provider string) string { return SignInProviderURL(provider, "") + "/return" }

// SignInPasskeyURL signs in by a passkey. POST: fields Answer, Next; 303, or pages.SignIn with what was wrong.
func SignInPasskeyURL() string { return "/signin/passkey" }

// SignInPasskeyChallengeURL asks for what a browser signs with a passkey. POST: JSON, as
// PublicKeyCredential.parseRequestOptionsFromJSON takes its member publicKey.
func SignInPasskeyChallengeURL() string { return SignInPasskeyURL() + "/challenge" }

// SignInLinkURL has a link written that signs in. POST: fields Email, Next; pages.LinkSent, 422 renders pages.SignIn
// again.
func SignInLinkURL() string { return "/signin/link" }

// LinkURL is where a link that came by mail leads. The token is in the query, which no log holds. GET: pages.Link,
// which asks.
func LinkURL(token string) string { return withQuery(UseLinkURL(), FieldToken, token) }

// UseLinkURL does what a link by mail does. POST: field Token; 303 to a page that says so, 409 renders pages.Link.
func UseLinkURL() string { return "/link" }

// EmailURL changes the address of the signed-in person. GET: pages.Email. POST: fields Email, Password; 303 to itself,
// 422 renders pages.Email again.
func EmailURL() string { return "/account/email" }

// ConfirmationURL has the letter that confirms an address sent again. POST: field Next; 303 to Next.
func ConfirmationURL() string { return EmailURL() + "/confirmation" }

// SignOutURL signs out. POST.
func SignOutURL() string { return "/signout" }

// LanguageURL changes the language. POST: fields Language ("ko" or "en"), Next; sets a cookie and goes to Next.
func LanguageURL() string { return "/language" }

// OperatorURL lists the restaurants that wait to be published, for operators. GET: pages.OperatorDrafts.
func OperatorURL() string { return "/operator" }

// OperatorRestaurantsURL lists all restaurants, for operators. GET: FieldWords; pages.OperatorRestaurants.
func OperatorRestaurantsURL() string { return OperatorURL() + "/restaurants" }

// OperatorsURL lists all operators, and makes a link that makes one more. GET, POST: pages.Operators.
func OperatorsURL() string { return OperatorURL() + "/operators" }

// OperatorEndURL takes the right from another operator. POST: 303 to OperatorsURL.
func OperatorEndURL(id string) string { return OperatorsURL() + "/" + url.PathEscape(id) + "/end" }

// OperatorUnpublishURL takes a restaurant off the public pages. GET: pages.OperatorUnpublish. POST: field FieldReason;
// 303 to OperatorRestaurantsURL, 422 renders the form again.
func OperatorUnpublishURL(restaurant int64) string {
	return OperatorReviewURL(restaurant) + "/unpublish"
}

// OperatorPublishURL publishes a restaurant. POST: 303 to OperatorURL.
func OperatorPublishURL(restaurant int64) string {
	return OperatorReviewURL(restaurant) + "/publish"
}

// OperatorReviewURL is a draft as an operator judges it. GET: pages.OperatorReview.
func OperatorReviewURL(restaurant int64) string {
	return OperatorRestaurantsURL() + "/" + strconv.FormatInt(restaurant, 10)
}

// OperatorRefuseURL sends a draft back to its owner. POST: field FieldReason; 303 to OperatorURL, 422 renders
// pages.OperatorReview.
func OperatorRefuseURL(restaurant int64) string { return OperatorReviewURL(restaurant) + "/refuse" }

// OperatorSetupURL makes the first operator, once. GET: pages.OperatorSetup, or 404 and pages.OperatorSetupOver. POST:
// fields as for SignUpURL; 303 to OperatorURL, 422 renders the form again.
func OperatorSetupURL(token string) string { return OperatorURL() + "/setup/" + url.PathEscape(token) }

// StaffURL is the choice of restaurant for staff. GET: staff.Home, or 303 to the only one.
func StaffURL() string { return "/staff" }

// StaffBoardURL is the list of a day's guests, with the other tabs of the evening. The query is that of EveningAddress.
// GET: staff.Tonight.
func StaffBoardURL(restaurant int64, day time.Time) string {
	return EveningAddress{RestaurantID: restaurant, Day: day, Tab: TabGuests}.URL()
}

// StaffSlotURL is one slot with its reservations. GET: staff.Slot.
func StaffSlotURL(restaurant int64, at time.Time) string {
	return staffRestaurantURL(restaurant) + "/slots/" + DateValue(at) + "/" + ClockValue(at)
}

// StaffMenuURL is what is left of a day's dishes. The query is date=. GET: staff.Menu.
func StaffMenuURL(restaurant int64, day time.Time) string {
	return withQuery(staffRestaurantURL(restaurant)+"/menu", FieldDate, DateValue(day))
}

// StaffPortionsURL puts up portions of a dish for a day. POST: field Portions; 303 to the menu, 422 and 409 render
// staff.Menu again.
func StaffPortionsURL(restaurant int64, day time.Time, dish int64) string {
	return staffRestaurantURL(restaurant) + "/menu/" + DateValue(day) + "/" + strconv.FormatInt(dish, 10)
}

// StaffArrivedURL says that a party has come. POST: as StaffSeatedURL.
func StaffArrivedURL(reservation string) string { return staffReservationURL(reservation) + "/arrived" }

// StaffSeatedURL says that a party has its table. POST: 303 to the slot, or to FieldNext if that is its PassURL.
func StaffSeatedURL(reservation string) string { return staffReservationURL(reservation) + "/seated" }

// StaffCompletedURL says that a party's table is free. POST: as StaffSeatedURL.
func StaffCompletedURL(reservation string) string {
	return staffReservationURL(reservation) + "/completed"
}

// StaffUndoURL takes a mark back. POST: field State, the mark; as StaffSeatedURL.
func StaffUndoURL(reservation string) string { return staffReservationURL(reservation) + "/undo" }

// StaffWaiveURL confirms without the deposit that the guest was asked for. POST: as StaffSeatedURL.
func StaffWaiveURL(reservation string) string { return staffReservationURL(reservation) + "/waive" }

// StaffPayByURL gives the guest more time for the deposit. POST: field PayWithin; as StaffSeatedURL.
func StaffPayByURL(reservation string) string { return staffReservationURL(reservation) + "/pay-by" }

// StaffNoShowURL says that a party has not come. POST: as StaffSeatedURL.
func StaffNoShowURL(reservation string) string { return staffReservationURL(reservation) + "/no-show" }

// StaffCancelURL cancels a reservation for the restaurant, with a full refund. POST: as StaffSeatedURL.
func StaffCancelURL(reservation string) string { return staffReservationURL(reservation) + "/cancel" }

// StaffRefundURL gives a part of what was paid for a reservation back, or all of it. GET: staff.GiveBack (asks). POST:
// fields Amount, Reason, Left, IdempotencyKey; 303 to the reservation; 409 and 422 render staff.GiveBack.
func StaffRefundURL(reservation string) string { return staffReservationURL(reservation) + "/refund" }

func staffRestaurantURL(id int64) string { return "/staff/restaurants/" + strconv.FormatInt(id, 10) }

func staffReservationURL(id string) string { return "/staff/reservations/" + url.PathEscape(id) }

func positive(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// withQuery appends those of the name, value pairs that have a value.
func withQuery(path string, pairs ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}
