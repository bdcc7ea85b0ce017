package reserve

import (
	"context"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// noLines is a Lines in which nobody waits.
type noLines struct{}

func (noLines) Lengths(_ context.Context, slots []booking.SlotKey) ([]int, error) {
	return make([]int, len(slots)), nil
}

func TestSearch_FindsByWordsOfAllKinds(t *testing.T) {
	t.Parallel()
	directory := NewDirectory([]booking.Restaurant{
		{ID: 1,
			Settings: booking.Settings{Name: booking.Text{Ko: "담담반상", En: "Damdam Bansang"},
				Address: booking.Text{Ko: "서울 종로구", En: "Jongno-gu, Seoul"}, District: "jongno", Cuisine: "korean",
				PartyMin: 1, PartyMax: 6}},
		{ID: 2,
			Settings: booking.Settings{Name: booking.Text{Ko: "해온", En: "Haeon"},
				Description: booking.Text{Ko: "", En: "A counter of eight"}, District: "mapo", Cuisine: "sushi",
				PartyMin: 1, PartyMax: 2}},
	}, map[int64][]booking.Text{2: {{Ko: "참치 초밥", En: "Tuna sushi"}}}, func(_, cuisine string) string {
		return map[string]string{"korean": "한식", "sushi": "초밥"}[cuisine]
	})
	s := &Service{Lines: noLines{}, Directory: func(context.Context) (*Directory, error) { return directory, nil }}
	for words, want := range map[string]int64{
		"담담": 1, "BANSANG": 1, "종로구": 1, "참치": 2, "tuna counter": 2, "한식": 1, "tuna damdam": 0,
		"ㄷㄷㅂㅅ": 1, "ㅊㅊ ㅎㅇ": 2, "ㅈㄹㄱ": 1, "ㅎㅅ": 1, "ㄷㄷㅄ": 1, "ㄷㅎ": 0, // no word begins in one text and ends in the next
	} {
		found, err := s.Search(t.Context(), Query{Words: words}, keyset.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(found.Items); got != min(int(want), 1) || want > 0 && found.Items[0].Restaurant.ID != want {
			t.Errorf("%q found %v, want %d", words, found, want)
		}
	}
	if found, _ := s.Search(t.Context(), Query{PartySize: 4}, keyset.Request{}); len(found.Items) != 1 {
		t.Errorf("a party of 4 finds %v", found)
	}
}
