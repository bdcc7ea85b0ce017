package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	"lunchgo/app/receipt"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reserve"
	"lunchgo/app/setup"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// The description is written by hand, because its sentences and examples are. These tests hold all of it that is
// also in the code to the code: fields, which of them are required, enumerations, codes. Routes: see webtest.

// schemas are the Go types of what the description calls its schemas. Requests have no required members in Go.
var schemas = struct{ answers, requests map[string]any }{
	answers: map[string]any{
		"User": user{}, "Session": session{}, "UsedLink": usedLink{}, "Restaurant": restaurant{}, "Opening": opening{}, "RefundRule": booking.RefundTier{},
		"Slot": slot{}, "MenuItem": menuItem{}, "Seat": seat{}, "Shortage": booking.Shortage{}, "ChangeQuote": changeQuote{},
		"PastChange": pastChange{}, "Agreed": agreed{}, "Item": item{}, "Reservation": reservation{}, "Cancellation": cancellation{},
		"Wallet": walletAnswer{}, "Entry": entry{}, "Charge": moved{}, "Withdrawal": moved{}, "Campaign": campaign{}, "Claim": claim{},
		"WaitlistEntry": waitlistEntry{}, "Workplace": workplace{}, "Draft": draft{}, "Ticket": ticket{}, "Problem": problem{}, "FieldProblem": fieldProblem{},
		"DepositTier": booking.DepositTier{}, "StayTier": booking.StayTier{}, "Terms": terms{},
		"Evening": eveningAnswer{}, "EveningSlot": eveningSlot{}, "EveningReservation": eveningReservation{},
		"EveningTotals": eveningTotals{}, "EveningAlert": eveningAlert{},
		"Text": booking.Text{}, "Span": booking.Span{}, "SpecialDay": booking.SpecialDay{}, "Closure": setup.Closure{},
		"SettingsSaved": savedSettings{}, "HoursSaved": savedHours{}, "ClosuresSaved": savedClosures{},
		"DepositsSaved": savedDeposits{}, "CancellationRulesSaved": savedCancellation{}, "ShownPictureSaved": savedPicture{}, "Contradiction": booking.Contradiction{},
		"AffectedBookings": affected{}, "AffectedBooking": affectedBooking{}, "Publication": publication{},
		"Settings": setup.Settings{}, "Hours": setup.Hours{}, "Closures": setup.Closures{}, "Deposits": setup.Deposits{},
		"CancellationRules": setup.Cancellation{}, "ShownPicture": setup.ShownPicture{},
		"StaffSlot": staffSlot{}, "Affected": reserve.Affected{}, "Party": party{},
		"Report": report{}, "Figures": figures{}, "LineFigures": lineFigures{}, "WaitlistFigures": waitlistFigures{},
		"DayFigures": dayFigures{}, "TimeFigures": timeFigure{}, "WeekdayFigures": heatCell{}, "SourceFigures": sourceSum{},
		"PartySizeFigures": partySum{}, "LeadFigures": leadSum{}, "DishFigures": dishSum{},
		"KnownGuest": knownGuest{}, "GuestProfile": guestProfile{}, "GuestBooking": guestBooking{}, "GuestNote": guestNote{},
		"BlockedSeat": blockedSeat{}, "Stock": stock{},
		"Account": account{}, "OwnSession": ownSession{}, "Receipt": receipt.Receipt{}, "Log": receipt.Log{},
		"Waiter":       waiter{},
		"MenuDocument": setup.Menu{}, "MenuDocumentItem": setup.Item{},
		"Member": colleague{}, "Invitation": invitation{}, "AuditEntry": act{},
		"Rehearsal": rehearsalAnswer{}, "SoldOutDish": rehearsal.SoldOutDish{},
		"RehearsalReport": rehearsal.Report{}, "StartedRehearsal": startedRehearsal{},
		"GuestReservation": guestReservation{}, "SeatHolder": seatHolder{},
		"Uploaded":     uploaded{},
		"RoomDocument": setup.Room{}, "RoomFloor": setup.Floor{}, "RoomFixture": booking.Fixture{}, "RoomSeat": setup.Seat{}, "HeldSeat": setup.HeldSeat{},
		"StaffCampaign": staffCampaign{},
		"Webhook":       webhook{}, "WebhookDelivery": delivery{},
	},
	requests: map[string]any{
		"SignUp": signUpRequest{}, "SignIn": signInRequest{}, "SignInLinkRequest": signInLinkRequest{}, "LinkRequest": linkRequest{},
		"EmailRequest": emailRequest{}, "ReserveRequest": reserveRequest{}, "ChangeRequest": changeRequest{},
		"OrderLine": orderLine{}, "OpenRequest": openRequest{}, "PaymentRequest": paymentRequest{}, "ChargeRequest": amountRequest{},
		"WithdrawalRequest": amountRequest{}, "WaitlistRequest": waitRequest{},
		"CampaignRequest": campaignRequest{}, "SlotChange": slotChangeRequest{},
		"BlockRequest": blockRequest{}, "StopRequest": stopRequest{},
		"StockRequest":  stockRequest{},
		"Removal":       removalRequest{},
		"ProfileChange": profileRequest{}, "PasswordChange": passwordRequest{}, "AccountDeletion": deletionRequest{},
		"NoteRequest": noteRequest{}, "TagsRequest": tagsRequest{},
		"RoleRequest": roleRequest{}, "InvitationRequest": invitationRequest{},
		"NewRehearsal":   rehearsal.Asked{},
		"WebhookRequest": webhookRequest{}, "WebhookPatch": webhookPatch{}, "RedeliveryRequest": redeliveryRequest{},
		"GuestRequest": guestRequest{}, "GuestPatch": guestPatch{},
	},
}

// composed are schemas without members of their own: an enumeration, and one that is made of others.
var composed = []string{"ReservationState", "WaitingProblem"}

type schema struct {
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Enum       []string          `json:"enum"`
	Type       any               `json:"type"`
	Ref        string            `json:"$ref"`
	AnyOf      []schema          `json:"anyOf"`
	OneOf      []schema          `json:"oneOf"`
}

func described(t *testing.T) map[string]schema {
	t.Helper()
	var doc struct {
		Components struct {
			Schemas map[string]schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(description, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Components.Schemas
}

// sameNames reports names that are not the wanted ones, in any order.
func sameNames(t *testing.T, of string, want, got []string) {
	t.Helper()
	if want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got)); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", of, got, want)
	}
}

// member is a field of a Go struct as JSON has it.
type member struct {
	optional bool // left out when empty
	nullable bool // null when there is none
	kind     reflect.Type
}

func membersOf(of reflect.Type) map[string]member {
	members := map[string]member{}
	for field := range of.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		kind := field.Type
		if field.Anonymous && name == "" {
			embedded := kind
			if kind.Kind() == reflect.Pointer {
				embedded = kind.Elem()
			}
			for inner, m := range membersOf(embedded) {
				m.optional = m.optional || kind.Kind() == reflect.Pointer
				members[inner] = m
			}
			continue
		}
		optional := strings.Contains(options, "omitempty")
		members[name] = member{optional: optional, nullable: kind.Kind() == reflect.Pointer && !optional, kind: kind}
	}
	return members
}

func TestDescription_HasTheFieldsOfTheTypes(t *testing.T) {
	t.Parallel()
	all := described(t)
	types := maps.Clone(schemas.answers)
	maps.Copy(types, schemas.requests)
	names := append(slices.Collect(maps.Keys(types)), composed...)
	sameNames(t, "schemas", names, slices.Collect(maps.Keys(all)))
	for name, of := range types {
		members := membersOf(reflect.TypeOf(of))
		sameNames(t, name, slices.Collect(maps.Keys(members)), slices.Collect(maps.Keys(all[name].Properties)))
		for field, m := range members {
			property := all[name].Properties[field]
			if _, answer := schemas.answers[name]; answer {
				if got := slices.Contains(all[name].Required, field); got != !m.optional {
					t.Errorf("%s.%s is required: %v, want %v", name, field, got, !m.optional)
				}
				if got := property.mayBe("null"); got != m.nullable {
					t.Errorf("%s.%s may be null: %v, want %v", name, field, got, m.nullable)
				}
			}
			if want := jsonType(m.kind); want != "" && property.Ref == "" && !property.mayBe(want) {
				t.Errorf("%s.%s is %v, and a %s in Go", name, field, property.Type, want)
			}
		}
	}
}

func (s schema) mayBe(kind string) bool {
	of := func(other schema) bool { return other.mayBe(kind) }
	if one, ok := s.Type.(string); ok {
		return one == kind
	}
	if s.Type == nil && len(s.Enum) > 0 {
		return kind == "string"
	}
	several, _ := s.Type.([]any)
	return slices.Contains(several, any(kind)) || slices.ContainsFunc(s.AnyOf, of) || slices.ContainsFunc(s.OneOf, of)
}

// jsonType is how a Go type is written; empty for types that a schema of their own describes, or that write themselves.
func jsonType(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		return jsonType(of.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Slice:
		return "array"
	}
	return ""
}

// The table of outcomes, the description's codes and the catalogues name the same.
func TestOutcomes_AreDescribedAndHaveSentences(t *testing.T) {
	t.Parallel()
	all := described(t)
	var codes []string
	for _, outcome := range respond.Outcomes() {
		codes = append(codes, outcome.Code)
	}
	slices.Sort(codes)
	if len(slices.Compact(slices.Clone(codes))) != len(codes) {
		t.Errorf("a code has several rows: %q", codes)
	}
	if got := all["Problem"].Properties["code"].Enum; !slices.Equal(got, codes) {
		t.Errorf("Problem.code is %q, want %q", got, codes)
	}
	results := slices.Compact(slices.Sorted(slices.Values(waiting.Codes())))
	if got := all["Ticket"].Properties["code"].Enum; !slices.Equal(got, results) {
		t.Errorf("Ticket.code is %q, want %q", got, results)
	}
	for _, code := range results {
		if !slices.Contains(codes, code) {
			t.Errorf("a result has the code %s, and no outcome", code)
		}
	}

	for _, lang := range []string{"ko", "en"} {
		var catalogue struct {
			Error map[string]any `toml:"error"`
		}
		_, err := toml.DecodeFile("../../../views/i18n/errors."+lang+".toml", &catalogue)
		if err != nil {
			t.Fatal(err)
		}
		reasons, _ := catalogue.Error["field"].(map[string]any)
		delete(catalogue.Error, "field")
		delete(catalogue.Error, "coupons_gone") // sold_out, in words for coupons
		sameNames(t, lang, codes, slices.Collect(maps.Keys(catalogue.Error)))
		sameNames(t, lang, all["FieldProblem"].Properties["reason"].Enum, slices.Collect(maps.Keys(reasons)))
	}
}

// A problem has the members that its row says it carries, and so has the ticket that ended with it.
func TestOutcomes_CarryWhatTheTableSays(t *testing.T) {
	t.Parallel()
	c := fiber.New().AcquireCtx(&fasthttp.RequestCtx{})
	common := membersIn(t, newProblem(c, respond.Problem{}))
	for _, outcome := range respond.Outcomes() {
		p := filled(respond.NewProblem(outcome.Code))
		document := newProblem(c, p)
		document.RetryAfter = 0
		if outcome.Code == codeWaiting {
			document.waitingTicket = &waitingTicket{place: newPlace(waiting.Status{RangeKnown: true})}
		}
		var carried []string
		for _, name := range membersIn(t, document) {
			if !slices.Contains(common, name) {
				carried = append(carried, name)
			}
		}
		// asked for
		want := slices.DeleteFunc(slices.Clone(outcome.Carries), func(name string) bool {
			return name == "alternatives"
		})
		sameNames(t, outcome.Code, want, carried)
		if slices.Contains(waiting.Codes(), outcome.Code) {
			sameNames(t, outcome.Code, want, membersIn(t, newDetails(p)))
		}
	}
}

// filled has what the domain's error of its code would have given it.
func filled(p respond.Problem) respond.Problem {
	switch p.Code {
	case waiting.CodeOutOfStock:
		p.Short = []booking.Shortage{{MenuItemID: 1}}
	case waiting.CodeSeatTaken:
		p.Seats = booking.SeatTakenError{Taken: []int64{1}, Instead: []int64{2}}
	case respond.CodeSeatsHeld:
		p.HeldSeats = []setup.HeldSeat{{SeatID: 1}}
	case waiting.CodeTooManyHolds:
		p.Limit, p.Reason = 3, booking.TooManyHolds
	case waiting.CodeClosed:
		p.ClosedReason = "a party"
	case respond.CodePaused:
		p.PausedReason = "the kitchen is behind"
	case waiting.CodeRemoved:
		p.RemovedReason = "a private evening"
	case respond.CodeBelowSold, respond.CodeSeatsInUse:
		p.Parties = []booking.Party{{}}
	case waiting.CodeDuplicate, waiting.CodeOverlapping:
		p.ReservationID = "R"
	case "not_ready":
		p.Checks = []booking.Contradiction{{Code: "no_hours"}}
	case waiting.CodeAlreadyClaimed:
		p.ClaimID = "C"
	}
	return p
}

func membersIn(t *testing.T, of any) []string {
	t.Helper()
	raw, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(maps.Keys(members))
}
