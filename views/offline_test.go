package views_test

import (
	"net/http"
	"regexp"
	"slices"
	"testing"

	"lunchgo/static"
	"lunchgo/views"
)

// keeping is a diner's list of reservations in a browser that has its copies.
func keeping(t *testing.T) (tab, *site) {
	t.Helper()
	s := newSite(t)
	s.route(views.ReservationsURL(), "/ko/reservations")
	s.route(views.ReservationURL("r1"), "/ko/reservation-confirmed")
	s.route(views.OfflineURL(), "/ko/offline")
	b := newTab(t)
	b.open(s.URL + views.ReservationsURL())
	b.until(copies + `.then((all) => all.includes("/offline") && all.some((path) => path.endsWith("/app.css")))`)
	return b, s
}

// copies are the paths of what the browser keeps.
const copies = `caches.open("copies").then((c) => c.keys()).then((all) => all.map((r) => new URL(r.url).pathname))`

// readable is the text of a page that has its style sheet.
const readable = `(document.styleSheets.length === 1 ? document.querySelector("main").innerText : "")`

// Without a connection a diner has the list and the pass, by the address of its QR code too. They say that they are
// copies. Any other page says what is the matter, and leads there.
func TestOffline_ShowsCopies(t *testing.T) {
	t.Parallel()
	b, s := keeping(t)
	s.CloseClientConnections()
	s.Close()
	for _, c := range []struct{ path, want string }{
		{views.ReservationsURL(), "다가오는 예약"},
		{views.ReservationURL("r1"), "예약이 확정되었습니다"},
		{views.PassURL("r1"), "예약이 확정되었습니다"},
	} {
		b.open(s.URL + c.path)
		b.until(readable + `.includes("` + c.want + `")`)
		b.until(`getComputedStyle(document.querySelector(".copy-note") ?? document.body).display !== "none"`)
	}
	b.until(`document.querySelector(".qr").getBoundingClientRect().width > 200`)
	for _, path := range []string{"/", views.ReservationURL("r2"), views.AccountURL()} {
		b.open(s.URL + path)
		b.until(readable + `.includes("연결이 끊겼습니다")`)
	}
	b.click(".error-page .button")
	b.until(`location.pathname === "/reservations" && ` + readable + `.includes("다가오는 예약")`)
}

// Copies go with their session: when its diner leaves, when it is over, and when another begins.
func TestOffline_KeepsNothingForAnother(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b tab, s *site){
		"signs out": func(b tab, s *site) {
			s.mux.HandleFunc("POST /signout", func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "/ko/search", http.StatusSeeOther)
			})
			b.run(`document.querySelector("form[action='/signout']").submit()`)
			b.until(`location.pathname === "/ko/search"`)
		},
		"another signs in": func(b tab, s *site) {
			s.mux.HandleFunc("POST /signin", func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "/ko/search", http.StatusSeeOther)
			})
			b.open(s.URL + "/ko/signin")
			b.run(`document.querySelector("form[action='/signin']").submit()`)
			b.until(`location.pathname === "/ko/search"`)
		},
		"is signed out elsewhere": func(b tab, s *site) {
			s.route(views.ReservationsURL(), "/gone")
			s.mux.Handle("GET /gone", http.RedirectHandler("/ko/signin", http.StatusSeeOther))
			b.open(s.URL + views.ReservationsURL())
			b.until(`location.pathname === "/ko/signin"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, s := keeping(t)
			end(b, s)
			b.until(`caches.has("copies").then((has) => !has)`)
		})
	}
	t.Run("a page of another", func(t *testing.T) {
		t.Parallel()
		b, _ := keeping(t)
		b.run(`navigator.serviceWorker.ready.then((r) => r.active.postMessage({session: "another", pages: ["/offline"]}))`)
		b.until(copies + `.then((all) => all.includes("/offline") && !all.includes("/reservations"))`)
	})
}

// The worker says that it fetches for later. A copy has the page's headers, and goes when the page is gone.
func TestOffline_CopiesAreAsThePagesAre(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	purposes := make(chan string, 9)
	page := samples("ko")["offline"]
	s.mux.HandleFunc("GET /watched", func(w http.ResponseWriter, r *http.Request) {
		purposes <- r.Header.Get("Purpose")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if err := page.Render(r.Context(), w); err != nil {
			t.Error(err)
		}
	})
	s.route(views.OfflineURL(), "/watched")
	s.route(views.ReservationsURL(), "/ko/reservations")
	s.route(views.ReservationURL("r1"), "/ko/reservation-confirmed")
	b := newTab(t)
	b.open(s.URL + views.ReservationsURL())
	b.until(copies + `.then((all) => all.includes("/offline") && all.includes("/reservations/r1"))`)
	if purpose := <-purposes; purpose != "keep" {
		t.Errorf("it fetches for %q", purpose)
	}
	b.until(`caches.match("/offline").then((copy) => copy.headers.get("x-content-type-options") === "nosniff")`)
	s.route(views.ReservationURL("r1"), "/gone")
	b.open(s.URL + views.ReservationURL("r1"))
	b.until(copies + `.then((all) => all.includes("/reservations") && !all.includes("/reservations/r1"))`)
}

// What the worker has names the addresses of the site.
func TestOffline_KnowsTheAddresses(t *testing.T) {
	t.Parallel()
	worker, err := static.FS.ReadFile("js/sw.js")
	must(t, err)
	named := regexp.MustCompile(`"/[a-z/-]+"`).FindAllString(string(worker), -1)
	for _, path := range []string{views.OfflineURL(), views.SignOutURL(), views.AccountDeleteURL(), views.SignInURL(""),
		views.SignUpURL(""), views.UseLinkURL(), views.RushURL()} {
		if !slices.Contains(named, `"`+path+`"`) {
			t.Errorf("the worker does not name %s, but %v", path, named)
		}
	}
}
