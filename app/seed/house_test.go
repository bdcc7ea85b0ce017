package seed

import (
	"os"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// Every restaurant of the demo has a story, a way there, pictures that are drawn, and a phone that is nobody's.
func TestHouses_SayWhoTheyAre(t *testing.T) {
	t.Parallel()
	all, err := houses(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	phones := map[string]bool{}
	for _, h := range all {
		r := h.Restaurant
		for _, text := range []booking.Text{r.Story, r.Directions} {
			if text.Ko == "" || text.En == "" {
				t.Errorf("%s: %+v", r.Slug, text)
			}
		}
		if phones[r.Phone] || !strings.HasPrefix(r.Phone, "02-555-01") {
			t.Errorf("%s: phone %q", r.Slug, r.Phone)
		}
		phones[r.Phone] = true
		for _, photo := range r.Photos {
			if _, err := os.Stat("../../static/pictures/" + photo + ".svg"); err != nil || photo == r.Picture {
				t.Errorf("%s: picture %q, %v", r.Slug, photo, err)
			}
		}
		if len(r.Photos) < 5 {
			t.Errorf("%s has %d pictures", r.Slug, len(r.Photos))
		}
	}
}
