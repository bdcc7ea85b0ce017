package seed

import (
	"context"
	"fmt"
	"time"

	"lunchgo/app/booking"
)

// ReviewedVisit is a visit of the past that a guest of the demo has reviewed.
type ReviewedVisit struct {
	ID     string // of the reservation
	Slot   booking.SlotKey
	UserID string
	Stars  int
	Text   string
	Answer string // of the restaurant; empty for none
}

// opinions are what guests of the demo say of restaurants of any kind.
var opinions = []struct {
	stars        int
	text, answer string
}{
	{5, "간이 세지 않고 재료 맛이 살아 있어요. 부모님이 특히 좋아하셨습니다.", "부모님과 또 들러 주세요. 고맙습니다."},
	{4, "음식은 훌륭했는데 점심에는 조금 붐볐어요.", ""},
	{5, "Booked in a minute, seated on the dot, and the food was worth the trip.", "Thank you. We hope to see you again."},
	{5, "예약한 시간에 바로 앉았고, 설명도 친절했습니다. 다음 달에 또 예약했어요.", ""},
	{3, "맛은 좋은데 양이 조금 아쉬웠습니다.", "말씀 고맙습니다. 곱빼기를 준비하고 있습니다."},
	{4, "조용해서 이야기 나누기 좋았어요.", ""},
	{5, "", ""},
	{4, "Lovely room. Ask for the window.", ""},
	{5, "예약한 시간에 가니 자리가 준비돼 있었고, 끝까지 맛있게 먹었어요.", ""},
}

// reviewVisits gives each restaurant some visits of the last weeks with what guests say of them: the same ones at every
// start.
func reviewVisits(ctx context.Context, stores Stores, places []place, guests []string, now time.Time) error {
	for i, p := range places {
		for n := range 3 + i%(len(opinions)-2) {
			said := opinions[(i*2+n)%len(opinions)]
			v := ReviewedVisit{ID: fmt.Sprintf("demo-review-%s-%d", p.restaurant.Slug, n),
				UserID: guests[(i+n)%len(guests)],
				Stars:  said.stars, Text: said.text, Answer: said.answer}
			var open bool
			if v.Slot, open = visited(p.restaurant, now, 3+5*n); !open {
				continue
			}
			if err := stores.Seeds.AddReviewedVisit(ctx, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// visited is the first slot of the last open day that is so many days ago, or a few more.
func visited(r booking.Restaurant, now time.Time, days int) (booking.SlotKey, bool) {
	for ago := days; ago < days+7; ago++ {
		date := booking.DateOf(now, r.Location).AddDays(-ago)
		if times := r.Times(date); len(times) > 0 {
			return booking.SlotKey{RestaurantID: r.ID, Date: date, Time: times[0]}, true
		}
	}
	return booking.SlotKey{}, false
}
