package views

import "strconv"

// Names of form fields and query parameters, one spelling for the forms and for the handlers that read them.
const (
	FieldDate           = "date"            // YYYY-MM-DD
	FieldTime           = "time"            // HH:MM; empty in a search means any
	FieldMonth          = "month"           // YYYY-MM
	FieldParty          = "party"           // number of people
	FieldWords          = "q"               // words of a search
	FieldDistrict       = "district"        // a value of Search.Districts
	FieldCuisine        = "cuisine"         // a value of Search.Cuisines
	FieldBand           = "price"           // 1 to booking.MaxPriceBand
	FieldNote           = "note"            // free text for the restaurant
	FieldAllergies      = "allergies"       // free text for the kitchen
	FieldSeat           = "seat"            // id of a named seat; any number of them, none for the restaurant's choice
	FieldStay           = "stay"            // slots for which a party stays
	FieldCoupon         = "coupon"          // id of a campaign whose coupon is used; empty for none
	FieldIdempotencyKey = "idempotency_key" // made by the server, the same for every press on one rendered form
	FieldAction         = "action"          // which button of a form was pressed, where it matters
	FieldKind           = "kind"            // KindDeposit or KindPrepay; of a tag that every restaurant has
	FieldTags           = "tags"            // of a guest, with commas
	FieldText           = "text"            // of a note about a guest
	FieldEndpoint       = "endpoint"        // of a push subscription, as the browser says
	FieldP256dh         = "p256dh"          // its public key
	FieldAuth           = "auth"            // its secret
	FieldPushKey        = "key"             // of the site, that it was made with
	FieldTexts          = "texts"           // ConsentYes or ConsentNo
	FieldConsent        = "consent"         // ConsentYes or ConsentNo
	FieldTerms          = "terms"           // the version of the terms of use that the page has shown
	FieldPrivacy        = "privacy"         // that of the privacy policy
	FieldIssuer         = "issuer"          // of a provider of sign-ins
	FieldPasskey        = "passkey"         // its id
	FieldAnswer         = "answer"          // of a browser that makes or uses a passkey, JSON
	FieldAmount         = "amount"          // won
	FieldRefund         = "refund"          // won that the page has quoted as what comes back
	FieldResult         = "result"          // what the practice bank is to do
	FieldQuoted         = "quoted"          // won that the page has quoted; negative for what comes back
	FieldNext           = "next"            // a path of this site to go to afterwards
	FieldEmail          = "email"
	FieldPassword       = "password"
	FieldNewPassword    = "new"
	FieldName           = "name"
	FieldPhone          = "phone"
	FieldToken          = "token"    // of a link that came by mail
	FieldLanguage       = "language" // ko or en
	FieldCapacity       = "capacity" // seats of a slot
	FieldPortions       = "portions" // of a dish that can still be ordered
	FieldState          = "state"    // of a reservation: the mark that is taken back
	FieldFrom           = "from"     // the position at which a ticket entered the line
)

// ActionRefresh is the FieldAction of the booking form's button that only looks up the times of another date.
const ActionRefresh = "refresh"

// ActionOverride is the FieldAction of the button of staff that seats a party over the plan.
const ActionOverride = "override"

// Values of FieldAction of the form that changes a reservation: say what it costs, and change it.
const (
	ActionPreview = "preview"
	ActionChange  = "change"
	ActionByCard  = "card" // ActionChange, for which a payment provider takes what the wallet lacks
)

// Kinds of payment.
const (
	KindDeposit = "deposit"
	KindPrepay  = "prepay"
)

// QuotedField is the payment form's field for the price that the page has quoted for a kind of payment, in won.
func QuotedField(kind string) string { return FieldQuoted + "-" + kind }

// ItemField is the booking form's field for the quantity of a menu item.
func ItemField(id int64) string { return "item-" + strconv.FormatInt(id, 10) }

// FieldErrors holds a message in the reader's language for each field that needs another answer, under the field's
// name. The key of an error of a menu quantity is ItemField, that of the menu as a whole FieldMenu.
type FieldErrors map[string]string

// FieldMenu is the key in FieldErrors for the menu selection as a whole.
const FieldMenu = "menu"

// FieldWithdrawal is the key in FieldErrors for the amount to withdraw from the wallet: the page has two fields of
// that name.
const FieldWithdrawal = FieldAmount + "-" + OfWithdrawal

// OfWithdrawal distinguishes the amount to withdraw from the amount to top up.
const OfWithdrawal = "withdrawal"

// FieldForm is the key in FieldErrors for what is wrong with no single field, such as wrong credentials.
const FieldForm = "form"
