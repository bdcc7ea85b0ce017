package webtest

import (
	"database/sql"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/sms/solapi"
	"lunchgo/app/sms/solapi/solapitest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// Where texts are sent a person says on the account's page, or by the API, that they want none.
func TestTexts_AreChosenInTheAccount(t *testing.T) {
	t.Parallel()
	service := solapitest.Start(t)
	setup := programtest.Setup{}
	setup.Config.Texts = program.TextsConfig{Provider: solapi.New(solapi.Config{Key: solapitest.Key,
		Secret: solapitest.Secret, From: solapitest.From, BaseURL: service.URL})}
	setup.Config.Mail.Site = "https://lunch.example"
	setup.Config.Paces.Mail = 20 * time.Millisecond
	r := newHarnessWith(t, setup)
	m := r.member(t, 0)
	wants := func(want bool) {
		t.Helper()
		if own := r.get(t, m.person, "/api/account").want(t, 200, ""); own.json["texts"] != want {
			t.Errorf("texts: %v", own.json["texts"])
		}
	}
	wants(true)
	form := url.Values{views.FieldName: {"김하늘"}, views.FieldPhone: {"010-1234-5678"}, views.FieldLanguage: {"ko"},
		views.FieldAllergies: {""}, views.FieldTexts: {views.ConsentNo}}
	r.page(t, m.person, views.AccountURL()).is(t, 200).has(t, `value="yes" selected`)
	r.send(t, m.person, views.AccountURL(), form).is(t, 303)
	wants(false)
	r.page(t, m.person, views.AccountURL()).is(t, 200).has(t, `value="no" selected`)
	r.call(t, m.person, "PATCH", "/api/account", map[string]any{"texts": true}).want(t, 200, "")
	wants(true)

	// the program has them noted, and sends them
	database, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer database.Close()
	dbtest.Eventually(t, "texts are wanted", func() (wanted bool) {
		dbtest.Must(t, database.QueryRowContext(t.Context(), `SELECT wants_texts()`).Scan(&wanted))
		return wanted
	})
	path := r.reserved(t, m.person, r.slot("19:00"), "")
	r.mustExec(t, `INSERT INTO mails (kind, user_id, reservation_id) VALUES ('offer', $1, $2)`, m.id,
		strings.TrimPrefix(path, "/api/reservations/"))
	dbtest.Eventually(t, "the text is sent", func() bool {
		got, _ := service.Received()
		return len(got) == 1 && got[0].To == "01012345678" && strings.Contains(got[0].Text, "https://lunch.example/offers/")
	})
}

// Where none are sent nobody is asked, and the form changes nothing about them.
func TestTexts_AreNotAskedWithoutSettings(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	m := r.member(t, 0)
	r.page(t, m.person, views.AccountURL()).is(t, 200).hasNot(t, `name="texts"`)
	r.send(t, m.person, views.AccountURL(), url.Values{views.FieldName: {"김하늘"}, views.FieldPhone: {"010-1234-5678"},
		views.FieldLanguage: {"ko"}, views.FieldAllergies: {""}}).is(t, 303)
	if own := r.get(t, m.person, "/api/account").want(t, 200, ""); own.json["texts"] != true {
		t.Error("the form ended texts that nobody was asked about")
	}
}
