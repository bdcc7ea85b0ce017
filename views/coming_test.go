package views_test

import (
	"net/http"
	"testing"

	"lunchgo/views"
)

// A link with the answer has said it once the page is open; one without it asks.
func TestComing_IsSaidByOpeningTheLink(t *testing.T) {
	t.Parallel()
	for fragment, said := range map[string]bool{"": false, "#" + views.ComingYes: true} {
		s := newSite(t)
		posts := make(chan string, 9)
		s.mux.HandleFunc("POST "+views.ComingURL("T"), func(w http.ResponseWriter, r *http.Request) {
			posts <- r.URL.Path
			http.Redirect(w, r, "/ko/coming-said", http.StatusSeeOther)
		})
		b := newTab(t)
		b.open(s.URL + "/ko/coming" + fragment)
		if said {
			b.until(`location.pathname === "/ko/coming-said"`)
		}
		if (len(posts) == 1) != said {
			t.Errorf("%q: posted %d times", fragment, len(posts))
		}
	}
}
