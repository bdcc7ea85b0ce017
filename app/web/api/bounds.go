package api

import (
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/messages"
	"lunchgo/app/refusal"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reviews"
	"lunchgo/app/setup"
	"lunchgo/app/wallet"
	"lunchgo/app/webhooks"
	"lunchgo/views/i18n"
)

const pageSize = keyset.Size

// scalarSchema is the schema of a type that is written as one value and that its kind does not describe; nil for
// others.
func scalarSchema(of reflect.Type) *huma.Schema {
	switch of {
	case reflect.TypeFor[booking.Date]():
		return &huma.Schema{Type: huma.TypeString, Format: "date", Examples: []any{"2026-11-21"}}
	case reflect.TypeFor[booking.TimeOfDay]():
		return &huma.Schema{Type: huma.TypeString, Pattern: timePattern, Examples: []any{"19:00"}}
	case reflect.TypeFor[moment]():
		return &huma.Schema{Type: huma.TypeString, Format: "date-time", Nullable: true}
	case reflect.TypeFor[webhooks.Secret]():
		return &huma.Schema{Type: huma.TypeString}
	}
	values := constants[of.String()]
	if of.Kind() != reflect.String || values == nil {
		return nil
	}
	return &huma.Schema{Type: huma.TypeString, Enum: anyOf(values)}
}

const timePattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"

// bound adds to a member's schema what it may be: what bounds says of it in one of the schemas that have it, or
// anywhere.
func bound(property *huma.Schema, member string, of ...string) {
	keys := append(of, member)
	for i := range of {
		keys[i] += "." + member
	}
	for _, key := range keys {
		if add := bounds[key]; add != nil && property.Ref == "" {
			add(property)
			return
		}
	}
	if property.Type == huma.TypeInteger && slices.Contains(counts, member) {
		atLeast(0)(property)
	}
}

// counts are members that count something, or are a price: none is below zero.
var counts = []string{"ahead", "arrived", "cancellations", "capacity", "changeHours", "charged", "confirmed", "covers",
	"depositAmount", "deposits", "discountAmount", "estimatedSeconds", "estimatedSecondsHigh", "estimatedSecondsLow",
	"freeCancelMinutes", "holds", "keeps", "kept", "longestWaitSeconds", "maxKeeps", "maxPasses",
	"menuAmount", "money", "noShows", "offered",
	"onHold", "paidAmount", "parties", "passes", "prepaid", "present", "promised", "refunded", "remaining",
	"reservations", "seated", "seatsAhead", "servedPerMinute", "sold", "stock", "temporary", "total", "visits",
	"waiting", "waitlisted"}

// bounds are those that types do not say, from the constants that the checks use.
var bounds = map[string]func(*huma.Schema){
	// what a name means everywhere
	"date":         formatted("date"),
	"time":         pattern(timePattern),
	"endTime":      pattern(timePattern),
	"email":        formatted("email"),
	"ownerEmail":   formatted("email"),
	"url":          formatted("uri"),
	"weekday":      between(0, 6),
	"percent":      between(0, 100),
	"partySize":    atLeast(1),
	"slotCount":    between(1, booking.MaxStay),
	"stayMinutes":  between(1, booking.MaxStay*booking.MaxSlotMinutes),
	"alternatives": items(0, 4),
	"order":        oneOf(orderArrival, orderDraw),
	"language":     oneOf(i18n.Languages[:]...),
	"position":     atLeast(1),
	"waitingCount": atLeast(1),

	"SignUp.email":            length(0, identity.MaxEmail, "email"),
	"SignUp.password":         length(identity.MinPassword, identity.MaxPassword, "password"),
	"SignUp.name":             length(1, identity.MaxName),
	"SignIn.email":            length(0, 0),
	"SignIn.password":         formatted("password"),
	"EmailRequest.password":   formatted("password"),
	"PasswordChange.new":      length(identity.MinPassword, identity.MaxPassword, "password"),
	"ProfileChange.name":      length(0, identity.MaxName),
	"ProfileChange.allergies": length(0, identity.MaxAllergies),

	"ReserveRequest.items":     items(0, booking.MaxItems),
	"ReserveRequest.seatIds":   items(0, booking.MaxSeats),
	"ReserveRequest.note":      length(0, booking.MaxNoteRunes),
	"ReserveRequest.allergies": length(0, booking.MaxNoteRunes),
	"ChangeRequest.items":      items(0, booking.MaxItems),
	"ChangeRequest.note":       length(0, booking.MaxNoteRunes),
	"ChangeRequest.allergies":  length(0, booking.MaxNoteRunes),
	"OrderLine.quantity":       between(1, booking.MaxItemQuantity),
	"Receipt.time":             formatted("date-time"),
	"NewRehearsal.time":        pattern(""),   // empty for the usual one
	"RehearsalReport.date":     formatted(""), // empty for what was rehearsed before there was a choice
	"RehearsalReport.time":     pattern(""),
	"Waiter.position":          atLeast(0),
	"Waiter.partySize":         atLeast(0),
	"Uploaded.url":             formatted("uri-reference"),
	"SessionsAnswer.sessions":  items(0, identity.MaxSessions+1),
	"WebhooksAnswer.webhooks":  items(0, webhooks.MaxEndpoints),
	"Restaurant.deposits":      items(1, 0),
	"PastChange.number":        atLeast(1),
	"StayTier.slots":           between(1, booking.MaxStay),
	"StayTier.minutes":         between(booking.MinStayMinutes, booking.MaxStayMinutes),

	"Wallet.entries":           items(0, keyset.Size),
	"ChargeRequest.amount":     between(wallet.MinCharge, wallet.MaxCharge),
	"WithdrawalRequest.amount": between(wallet.MinWithdrawal, wallet.MaxWithdrawal),
	"Campaign.amount":          atLeast(1),
	"CampaignRequest.amount":   between(1, setup.MaxCouponAmount),
	"CampaignRequest.total":    between(1, setup.MaxCouponTotal),

	"Receipt.log":         pattern("^[0-9a-f]{16}$"),
	"Receipt.ticket":      pattern("^[0-9a-f]{32}$"),
	"Receipt.entries":     atLeast(1),
	"Receipt.head":        pattern("^[0-9a-f]{64}$"),
	"Receipt.key":         pattern("^[0-9a-f]{16}$"),
	"Receipt.signature":   pattern("^[0-9a-f]{128}$"),
	"Log.publicKey":       pattern("^[0-9a-f]{64}$"),
	"Ticket.code":         oneOf(codesOfTurns()...),
	"Ticket.limit":        atLeast(1),
	"Problem.type":        formatted("uri-reference"),
	"Problem.code":        oneOf(codesOf(refusal.All())...),
	"Problem.limit":       atLeast(1),
	"Problem.retryAfter":  atLeast(1),
	"FieldProblem.reason": oneOf(i18n.Keys("error.field.")...),

	"OpenRequest.name":        length(0, booking.MaxRestaurantName),
	"OpenRequest.capacity":    between(1, booking.MaxCapacity),
	"OpenRequest.slotMinutes": between(booking.MinSlotMinutes, booking.MaxSlotMinutes),
	"OpenRequest.partyMax":    between(1, booking.MaxCapacity),
	"SpecialDay.spans":        items(0, booking.MaxSpansADay),
	"Closure.from":            formatted("date"),
	"Closure.to":              formatted("date"),
	"Closure.reason":          length(0, booking.MaxReason),
	"Contradiction.document": oneOf(booking.DocSettings, booking.DocHours, booking.DocClosures,
		booking.DocDeposits, booking.DocCancellation, booking.DocMenu, booking.DocSeats),

	"Gallery.photos":                      items(0, setup.MaxPhotos),
	"Settings.slug":                       pattern(setup.SlugPattern),
	"Settings.priceBand":                  between(0, booking.MaxPriceBand),
	"Settings.slotMinutes":                between(booking.MinSlotMinutes, booking.MaxSlotMinutes),
	"Settings.capacity":                   between(1, booking.MaxCapacity),
	"Settings.fireLimit":                  between(0, booking.MaxFireLimit),
	"Settings.arrivalsPerSlot":            between(0, booking.MaxCapacity),
	"Settings.partyMin":                   between(1, booking.MaxCapacity),
	"Settings.partyMax":                   between(1, booking.MaxCapacity),
	"Settings.leadMinutes":                between(0, booking.MaxLeadMinutes),
	"Settings.horizonDays":                between(0, booking.MaxHorizonDays),
	"OpeningRule.kind":                    oneOf(string(booking.OpensMonthly), string(booking.OpensDaily)),
	"OpeningRule.day":                     between(1, booking.LongestMonth),
	"OpeningRule.daysAhead":               between(1, booking.MaxHorizonDays),
	"Settings.holdMinutes":                between(booking.MinHoldMinutes, booking.MaxHoldMinutes),
	"Settings.extensionMinutes":           between(0, booking.MaxExtension),
	"Settings.stays":                      items(0, booking.MaxTiers),
	"Hours.services":                      items(0, booking.MaxServices),
	"Service.key":                         length(1, 32),
	"Service.stays":                       items(0, booking.MaxTiers),
	"Hours.weekly":                        items(0, 7*booking.MaxSpansADay),
	"Hours.special":                       items(0, booking.MaxSpecialDays),
	"Closures.closures":                   items(0, booking.MaxClosures),
	"Deposits.tiers":                      items(1, booking.MaxTiers+1),
	"CancellationRules.refunds":           items(0, booking.MaxTiers),
	"CancellationRules.changeHours":       between(0, booking.MaxRefundHours),
	"CancellationRules.freeCancelMinutes": between(0, booking.MaxFreeCancel),

	"MenuDocumentItem.category":      length(0, setup.MaxCategory),
	"MenuDocumentItem.price":         between(0, setup.MaxPrice),
	"MenuDocumentItem.staySlots":     between(1, booking.MaxStay),
	"MenuDocumentItem.stayMinutes":   between(booking.MinStayMinutes, booking.MaxStayMinutes),
	"MenuDocumentItem.dailyQuantity": between(1, booking.MaxStock),
	"RoomFixture.kind":               oneOf(setup.FixtureKinds()...),
	"RoomFloor.width":                between(0, setup.MaxFloor),
	"RoomFloor.height":               between(0, setup.MaxFloor),
	"RoomSeat.label":                 length(0, setup.MaxLabel),
	"RoomSeat.places":                between(1, setup.MaxPlaces),
	"RoomSeat.minParty":              atLeast(1),
	"Seat.places":                    atLeast(1),
	"Seat.minParty":                  atLeast(1),

	"GuestRequest.name":      length(0, identity.MaxName),
	"GuestPatch.name":        length(1, identity.MaxName),
	"GuestRequest.source":    oneOf(string(booking.Phone), string(booking.WalkIn)),
	"GuestRequest.payWithin": oneOf(texts(booking.PayWithins())...),
	"GuestRequest.email":     length(0, identity.MaxEmail),
	"GuestPatch.payWithin":   oneOf(texts(booking.PayWithins())...),
	"GuestRequest.items":     items(0, booking.MaxItems),
	"GuestRequest.seatIds":   items(0, booking.MaxSeats),
	"GuestRequest.note":      length(0, booking.MaxNoteRunes),
	"GuestRequest.allergies": length(0, booking.MaxNoteRunes),
	"GuestPatch.state":       oneOf(texts(staffStates)...),
	"GuestPatch.reason":      length(0, booking.MaxNoteRunes),
	"GuestPatch.seatIds":     items(0, booking.MaxSeats),
	"SlotChange.capacity":    between(0, booking.MaxCapacity),
	"SlotChange.reason":      length(0, booking.MaxReasonRunes),
	"SlotChange.message":     length(0, booking.MaxNoticeRunes),
	"Removal.reason":         length(1, booking.MaxReasonRunes),
	"BlockRequest.reason":    length(0, booking.MaxReasonRunes),
	"StopRequest.reason":     length(0, booking.MaxReasonRunes),
	"StockRequest.remaining": between(0, booking.MaxStock),

	"SourceFigures.source":  oneOf(constants["booking.Source"]...),
	"GuestProfile.bookings": items(0, keyset.Size),
	"GuestProfile.notes":    items(0, guests.MaxNotes),
	"ClosingRequest.reason": length(0, booking.MaxReason), "ClosingRequest.message": length(0, booking.MaxNoteRunes),
	"ClosingRequest.reservations": oneOf(reservationsKeep, reservationsCancel),
	"MessageRequest.text":         length(1, messages.MaxRunes),
	"DoorPatch.state":             oneOf(string(door.Called), string(door.Seated), string(door.Gone), string(door.Waiting)),
	"DoorPatch.seatIds":           items(0, booking.MaxSeats),
	"GuestNote.text":              length(0, guests.MaxNote),
	"NoteRequest.text":            length(1, guests.MaxNote),
	"stars":                       between(1, reviews.MaxStars),
	"ReviewRequest.text":          length(0, reviews.MaxText),
	"AnswerRequest.text":          length(1, reviews.MaxText),
	"Restaurant.rating":           between(1, reviews.MaxStars),
	"Restaurant.reviewCount":      atLeast(1),
	"Review.visitMonth":           pattern("^[0-9]{4}-[0-9]{2}$"),
	"tags":                        each(items(0, guests.MaxTags), length(0, guests.MaxTag)),

	"NewRehearsal.guests": between(rehearsal.MinGuests, rehearsal.MaxGuests),
	"NewRehearsal.atOnce": between(rehearsal.MinAtOnce, rehearsal.MaxAtOnce),

	"types":                      each(items(0, 0), oneOf(webhooks.Types()...)),
	"WebhookRequest.url":         length(0, webhooks.MaxURL, "uri"),
	"WebhookRequest.description": length(0, webhooks.MaxDescription),
	"WebhookPatch.url":           length(0, webhooks.MaxURL, "uri"),
	"WebhookPatch.description":   length(0, webhooks.MaxDescription),
	"WebhookPatch.state":         oneOf(string(webhooks.Active), string(webhooks.Paused)),
}
