// Package oidctest is a provider of sign-ins for tests: the OpenID Connect server of zitadel/oidc, which the OpenID
// Foundation has certified, with people of the test's own.
package oidctest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"

	"lunchgo/app/identity/oidc"
)

// Person has an account at the provider. Only ID and Email matter to most tests.
type Person = storage.User

const (
	clientID = "lunchgo"
	secret   = "a secret of lunchgo"
	password = "a password there"
)

// people implements storage.UserStore.
type people []Person

func (p people) find(is func(Person) bool) *Person {
	for i := range p {
		if is(p[i]) {
			return &p[i]
		}
	}
	return nil
}

func (p people) GetUserByID(id string) *Person {
	return p.find(func(u Person) bool { return u.ID == id })
}
func (p people) GetUserByUsername(name string) *Person {
	return p.find(func(u Person) bool { return u.Username == name })
}
func (p people) ExampleClientID() string { return clientID }

// Server is a provider that serves until the test ends.
type Server struct {
	*httptest.Server
	clients map[string]*storage.Client
}

// Start starts a provider.
func Start(t testing.TB, all ...Person) *Server {
	t.Helper()
	for i := range all {
		all[i].Username, all[i].Password = all[i].ID, password
	}
	s := &Server{clients: map[string]*storage.Client{}}
	var handler http.Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	handler = exampleop.SetupServer(s.URL, storage.NewStorageWithClients(people(all), s.clients), nil, false)
	return s
}

// Config is the provider, to a site that is no client of it yet.
func (s *Server) Config() oidc.Config {
	return oidc.Config{Name: "test", Label: "Test", Issuer: s.URL, ClientID: clientID, ClientSecret: secret,
		Scopes: []string{"profile", "email", "phone"}}
}

// Register makes a site a client, to which browsers come back at an address. No browser may be under way.
func (s *Server) Register(back string) {
	s.clients[clientID] = storage.WebClient(clientID, secret, back)
}

// SignIn signs a person in as a browser does that was sent to an address of the provider, and returns where that sends
// the browser back to.
func (s *Server) SignIn(t testing.TB, address, id string) *url.URL {
	t.Helper()
	form := s.redirect(t, http.MethodGet, address, "")
	request, err := url.Parse(form)
	must(t, err)
	fields := url.Values{"username": {id}, "password": {password}, "id": {request.Query().Get("authRequestID")}}
	back, err := url.Parse(s.redirect(t, http.MethodGet, s.redirect(t, http.MethodPost, form, fields.Encode()), ""))
	must(t, err)
	return back
}

// redirect sends a request, and returns where its answer leads.
func (s *Server) redirect(t testing.TB, method, address, body string) string {
	t.Helper()
	if strings.HasPrefix(address, "/") {
		address = s.URL + address
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	must(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.Client().Transport.RoundTrip(request)
	must(t, err)
	must(t, response.Body.Close())
	if response.StatusCode != http.StatusFound {
		t.Fatalf("%s %s: %s", method, address, response.Status)
	}
	return response.Header.Get("Location")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
