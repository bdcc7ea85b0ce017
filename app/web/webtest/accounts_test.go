package webtest

import (
	"net/http"
	"testing"
)

var haneul = map[string]any{"email": "Haneul@Example.org", "password": "a long password", "name": "하늘 🌸",
	"phone": "010-1234-5678"}

func TestAccounts_SignInAndOut(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	made := r.post(t, person{}, "/api/users", "", haneul).want(t, 201, "")
	if made.text(t, "email") != "haneul@example.org" || made.text(t, "name") != "하늘 🌸" {
		t.Errorf("the account is %s", made.raw)
	}

	signIn := func(password string) answer {
		return r.post(t, person{}, "/api/sessions", "",
			map[string]any{"email": "haneul@example.org", "password": password})
	}
	refused := signIn("another password").want(t, 401, "wrong_password")
	if refused.header.Get("WWW-Authenticate") == "" {
		t.Error("401 without WWW-Authenticate")
	}
	r.post(t, person{}, "/api/sessions", "", map[string]any{"email": "nobody@example.org", "password": "x"}).want(t,
		401, "wrong_password")

	one := person{token: signIn("a long password").want(t, 200, "").text(t, "token")}
	two := person{token: signIn("a long password").want(t, 200, "").text(t, "token")}
	r.get(t, one, "/api/wallet").want(t, 200, "")
	r.delete(t, one, "/api/sessions").want(t, 204, "")
	r.get(t, one, "/api/wallet").want(t, 401, "unauthenticated")
	r.delete(t, one, "/api/sessions").want(t, 401, "unauthenticated")
	r.get(t, two, "/api/wallet").want(t, 200, "")
}

func TestSessions_ForeignOnesAreRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	tampered := []byte(who.token)
	tampered[3] ^= 1
	for _, token := range []string{"", "x", "a.b.c.d", string(tampered), who.token + "A",
		who.token[:len(who.token)-1]} {
		a := r.get(t, person{token: token}, "/api/wallet").want(t, 401, "unauthenticated")
		if a.header.Get("WWW-Authenticate") == "" {
			t.Error("401 without WWW-Authenticate")
		}
	}
	wrongScheme := r.do(t,
		call{method: http.MethodGet, path: "/api/wallet",
			headers: map[string]string{"Authorization": "Basic " + who.token}})
	wrongScheme.want(t, 401, "unauthenticated")
	// A browser's cookie is as good as a bearer token.
	cookie := r.do(t, call{method: http.MethodGet, path: "/api/wallet",
		headers: map[string]string{"Cookie": "session=" + who.token}})
	cookie.want(t, 200, "")
}

func TestSessions_EverythingPersonalNeedsOne(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	for _, c := range []call{
		{method: "DELETE", path: "/api/sessions"},
		{method: "GET", path: "/api/reservations"},
		{method: "POST", path: "/api/reservations"},
		{method: "GET", path: "/api/reservations/x"},
		{method: "DELETE", path: "/api/reservations/x"},
		{method: "POST", path: "/api/reservations/x/payment"},
		{method: "GET", path: "/api/tickets/x"},
		{method: "DELETE", path: "/api/tickets/x"},
		{method: "GET", path: "/api/tickets/x/events"},
		{method: "GET", path: "/api/wallet"},
		{method: "POST", path: "/api/wallet/charges"},
	} {
		if a := r.do(t, c); a.status != 401 || a.json["code"] != "unauthenticated" {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.status, a.raw)
		}
	}
}

func TestAccounts_SignUpNamesEveryFault(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a := r.post(t, person{}, "/api/users", "", map[string]any{"email": "no address", "password": "short", "name": "",
		"phone": "x"})
	a.want(t, 422, "invalid")
	got := map[any]any{}
	for _, f := range a.list(t, "fields") {
		got[f["name"]] = f["reason"]
	}
	for field, reason := range map[string]string{"email": "invalid_email", "password": "too_short", "name": "required",
		"phone": "invalid_phone"} {
		if got[field] != reason {
			t.Errorf("%s: %v, want %s", field, got[field], reason)
		}
	}
}
