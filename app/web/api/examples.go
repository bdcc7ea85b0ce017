package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// samples are what members are in examples: by their name, which means the same everywhere, or by that of their schema
// and their own. A member that may be missing is in examples only by the latter.
var samples = map[string]any{
	"address": "서울 종로구", "allergies": "땅콩", "amount": 20_000, "balance": 50_000,
	"balanceAfter": 50_000, "capacity": 20, "category": "main", "closesAt": "2026-12-21T10:00:00+09:00",
	"code": "MZ4Q7C", "covers": 12, "cuisine": "korean", "current": "a long password", "date": "2026-11-21",
	"depositAmount": 20_000, "depositPerPerson": 10_000, "description": "제철 나물과 솥밥",
	"detail": "찾을 수 없습니다.", "device": "Firefox, Linux", "district": "jongno",
	"email": "haneul@example.org", "en": "New Place", "endTime": "20:00", "estimatedSeconds": 9,
	"extensionMinutes": 5, "field": "partyMax", "fromParty": 6, "head": hexOf(64), "holdExpiresAt": instantSample,
	"holdMinutes": 7, "horizonDays": 30, "id": "MZ4Q7C2TN5R3K6YHVXWD2GJ4BE", "key": hexOf(16), "ko": "새 식당",
	"label": "W1", "language": "ko", "last": "13:30", "leadMinutes": 60, "line": "r1-2026-11-21-1900",
	"link": "3fK….t9o2xk.…", "log": hexOf(16), "menuAmount": 64_000, "menuItemId": 4, "minParty": 1,
	"name": "김하늘", "new": "another long password", "note": "창가 자리", "opensAt": instantSample,
	"ownerEmail": "haneul@example.org", "ownerName": "김하늘", "paidAmount": 20_000, "partyMax": 8,
	"partySize": 2, "password": "a long password", "percent": 50, "phone": "010-1234-5678", "picture": "table",
	"places": 2, "position": 37, "price": 32_000, "publicKey": hexOf(64), "quantity": 2,
	"reason": "주방이 밀렸습니다.", "refund": 20_000, "remaining": 6, "restaurantId": 1,
	"seatIds": []int{}, "shortId": "MZ4Q7C", "signature": hexOf(128), "slotMinutes": 60, "slug": "damdam",
	"source": "phone", "stars": 5, "staySlots": 1, "stopped": true, "tags": []string{"regular"},
	"text": "창가 자리를 좋아하심", "ticket": "cjE6MjAyNi0xMS0yMXwxOTowMHw…", "time": "19:00",
	"timeZone": "Asia/Seoul", "to": "2027-01-03", "token": "QX7R2M5DNB3CT6YKHVW4ZGJ2EA.7Y3K….t9o2xk.…",
	"total": 100, "types": []string{"lunchgo.reservation.held", "lunchgo.reservation.confirmed"},
	"unitPrice": 32_000, "url": "https://till.example/events", "userId": "QX7R2M5DNB3CT6YKHVW4ZGJ2EA",
	"validUntil": "2026-12-31T10:00:00+09:00", "visits": 12, "waitingCount": 112,

	"Area.x": 0, "Area.y": 0, "Area.width": 100, "Area.height": 100, "DepositTier.kind": "per_person",
	"DepositTier.fromParty": 1, "MenuDocumentItem.picture": "", "RoomFixture.x": 300, "RoomFixture.y": 0,
	"RoomFixture.width": 100, "RoomFixture.height": 100, "RoomFloor.width": 800, "RoomFloor.height": 600,
	"StayTier.minutes": 90, "StayTier.slots": 2, "MenuDocumentItem.staySlots": 1,
	"RoomSeat.kind": "table", "RoomFloor.fixtures": []any{},
	"GuestRequest.name": "김하늘", "PasswordChange.new": "another long password",
	"AccountDeletion.password": "a long password", "ChangeRequest.expectedAmount": 20_000,
	"ChangeRequest.partySize": 4, "Closure.from": "2027-01-01", "Contradiction.code": "party_above_capacity",
	"EmailRequest.password": "a long password", "FieldProblem.detail": "1에서 8 사이여야 합니다.",
	"FieldProblem.max": 8, "FieldProblem.min": 1, "FieldProblem.name": "partySize",
	"FieldProblem.reason": "out_of_range", "GuestPatch.state": "arrived", "GuestRequest.note": "창가 자리",
	"GuestRequest.phone": "010-1234-5678", "Opening.from": "11:30", "PasswordChange.current": "a long password",
	"Problem.code": "not_found", "Problem.status": 404, "Problem.title": "Not Found",
	"Problem.type": "about:blank", "ProfileChange.language": "en", "ProfileChange.name": "김하늘",
	"Receipt.entries": 488, "Receipt.ticket": hexOf(32), "Report.from": "2026-10-25", "Report.to": "2026-11-21",
	"Review.author": "김○○", "Review.text": "또 올게요.", "Review.visitMonth": "2026-11",
	"ReviewRequest.text": "또 올게요.", "AnswerRequest.text": "고맙습니다.",
	"ClosingRequest.reservations": "cancel", "ClosingRequest.reason": "내부 수리",
	"MessageRequest.date": "2026-11-21", "MessageRequest.text": "주방이 30분 늦어집니다. 죄송합니다.",
	"ReserveRequest.note": "창가 자리", "SignIn.email": "haneul@example.org",
	"SignIn.password": "a long password", "SlotChange.paused": true,
	"SlotChange.reason": "주방이 밀렸습니다.", "Span.from": "11:30", "Ticket.estimatedSeconds": 9,
	"Ticket.position": 37, "Ticket.waitingCount": 112, "WebhookPatch.state": "paused",
}

const instantSample = "2026-11-21T10:00:00+09:00"

// hexOf are so many hexadecimal digits.
func hexOf(digits int) string {
	text := make([]byte, digits)
	for i := range text {
		text[i] = "0123456789abcdef"[i*7%16]
	}
	return string(text)
}

// addExamples gives every schema of an object an example, made of its members'.
func (s *schemas) addExamples() {
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		if schema := s.byName[name]; schema.Properties != nil {
			schema.Examples = []any{s.example(name, schema)}
		}
	}
}

func (s *schemas) example(name string, of *huma.Schema) map[string]any {
	object := map[string]any{}
	for member, property := range of.Properties { // in any order
		sample, own := samples[name+"."+member]
		switch {
		case own:
			object[member] = sample
		case slices.Contains(of.Required, member):
			object[member] = s.sample(member, property)
		}
	}
	return object
}

// sample is what a member is in an example: what samples has of its name, if that fits, else what fits.
func (s *schemas) sample(member string, of *huma.Schema) any {
	if mayBeNull(of) {
		return nil
	}
	if of.Ref != "" {
		inner := s.SchemaFromRef(of.Ref)
		return s.example(of.Ref[len(toSchemas):], inner)
	}
	if sample, ok := samples[member]; ok && fits(of, sample) {
		return sample
	}
	switch of.Type {
	case huma.TypeArray:
		if of.Items.Ref == "" {
			return []any{}
		}
		return []any{s.sample(member, of.Items)}
	case huma.TypeObject:
		return s.example("", of)
	case huma.TypeBoolean:
		return false
	case huma.TypeInteger, huma.TypeNumber:
		if of.Minimum != nil {
			return *of.Minimum
		}
		return 1
	}
	switch {
	case len(of.Enum) > 0:
		return of.Enum[0]
	case of.Format == "date-time":
		return instantSample
	case len(of.Examples) > 0:
		return of.Examples[0]
	}
	return ""
}

// fits says whether a sample is of a schema's type and in its enumeration.
func fits(of *huma.Schema, sample any) bool {
	switch sample := sample.(type) {
	case string:
		isInstant := of.Format == "date-time"
		return of.Type == huma.TypeString && (of.Enum == nil || slices.Contains(of.Enum, any(sample))) &&
			isInstant == strings.Contains(sample, "T10:")
	case int:
		return of.Type == huma.TypeInteger && (of.Minimum == nil || float64(sample) >= *of.Minimum)
	case bool:
		return of.Type == huma.TypeBoolean
	}
	return of.Type == huma.TypeArray
}
