package api

import (
	"reflect"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/messages"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reports"
	"lunchgo/app/reserve"
	"lunchgo/app/setup"
	"lunchgo/app/webhooks"
)

// names are those of types that the description calls otherwise than the code does, for programs that are made from it.
var names = map[reflect.Type]string{
	reflect.TypeFor[booking.RefundTier]():     "RefundRule",
	reflect.TypeFor[walletAnswer]():           "Wallet",
	reflect.TypeFor[moved]():                  "Charge",
	reflect.TypeFor[eveningAnswer]():          "Evening",
	reflect.TypeFor[setup.Cancellation]():     "CancellationRules",
	reflect.TypeFor[setup.Menu]():             "MenuDocument",
	reflect.TypeFor[booking.MenuItem]():       "MenuDocumentItem",
	reflect.TypeFor[rehearsalAnswer]():        "Rehearsal",
	reflect.TypeFor[rehearsal.Report]():       "RehearsalReport",
	reflect.TypeFor[setup.Room]():             "RoomDocument",
	reflect.TypeFor[setup.Floor]():            "RoomFloor",
	reflect.TypeFor[booking.Fixture]():        "RoomFixture",
	reflect.TypeFor[setup.Seat]():             "RoomSeat",
	reflect.TypeFor[reserve.WaitDraft]():      "WaitlistRequest",
	reflect.TypeFor[webhooks.Draft]():         "WebhookRequest",
	reflect.TypeFor[reports.Waitlist]():       "WaitlistFigures",
	reflect.TypeFor[evening.Totals]():         "EveningTotals",
	reflect.TypeFor[messages.Recipient]():     "MessageRecipient",
	reflect.TypeFor[guests.Note]():            "GuestNote",
	reflect.TypeFor[guests.Booking]():         "GuestBooking",
	reflect.TypeFor[identity.SessionRecord](): "OwnSession",
	reflect.TypeFor[webhooks.TestData]():      "WebhookEvent",
	reflect.TypeFor[rehearsal.Asked]():        "NewRehearsal",
}
