package letters_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/mail"
	"lunchgo/app/sms"
	"lunchgo/app/sms/solapi"
	"lunchgo/app/sms/solapi/solapitest"
	"lunchgo/db/dbtest"
	"lunchgo/db/door"
	"lunchgo/db/letters"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// texting is a site whose texts go to a fake of Solapi.
type texting struct {
	*testkit.Harness
	service *solapitest.Service
	store   *letters.TextStore
}

// newTexting is a site that sends texts, with diners who have mobile numbers.
func newTexting(t *testing.T) (x texting, diners []string) {
	t.Helper()
	h := testkit.Setup(t)
	x = texting{h, solapitest.Start(t), letters.NewTextStore(h.Pool)}
	diners = x.Diners(t, 3, 0)
	for i, id := range diners {
		x.MustExec(t, `UPDATE users SET phone = $2 WHERE id = $1`, id, fmt.Sprintf("010-1234-567%d", i))
	}
	dbtest.Must(t, x.store.Want(t.Context(), time.Minute))
	return x, diners
}

// send has an instance send once what is due, turns by AlimTalk.
func (x texting) send(t *testing.T, instance *pg.Pool) {
	t.Helper()
	composer := x.Composer()
	composer.Site = "https://lunch.example"
	sender := sms.Sender{Store: letters.NewTextStore(instance), Composer: composer, Now: time.Now,
		Provider: solapi.New(solapi.Config{Key: solapitest.Key, Secret: solapitest.Secret, From: solapitest.From,
			Channel: solapitest.Channel, BaseURL: x.service.URL}),
		Templates: map[mail.Kind]string{mail.Turn: "KA01TP1"}, Log: slog.New(slog.DiscardHandler)}
	if _, err := sender.Jobs(time.Hour)[1].Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (x texting) texts(t *testing.T) int {
	t.Helper()
	return x.Count(t, `SELECT count(*) FROM texts`)
}

// A turn goes to the diner's phone: by AlimTalk in Korean, by a text message in English. Once.
func TestTexts_OfATurn(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	x.MustExec(t, `UPDATE users SET language = 'en' WHERE id = $1`, diners[1])
	x.MustExec(t, `UPDATE users SET phone = '02-123-4567' WHERE id = $1`, diners[2]) // no mobile
	ids := map[string]string{}
	for i, id := range diners {
		ids[fmt.Sprintf("0101234567%d", i)] = lateTurn(t, x.Harness, id)
	}
	for range 2 {
		x.send(t, x.Pool)
	}
	got, asked := x.service.Received()
	if len(got) != 2 || asked != 2 {
		t.Fatalf("%d texts: %+v", asked, got)
	}
	for _, m := range got {
		link := "lunch.example/reservations/" + ids[m.To] + "/pay"
		if ids[m.To] == "" || !strings.Contains(m.Text, "https://"+link) {
			t.Errorf("sent %+v", m)
		}
		switch english := strings.Contains(m.Text, "is held"); {
		case english != (m.Kakao == nil):
			t.Errorf("in English %v, as a form: %+v", english, m.Kakao)
		case m.Kakao != nil:
			v := m.Kakao.Variables
			if v["#{Restaurant}"] != "담담반상" || v["#{Link}"] != link || v["#{Until}"] == "" {
				t.Errorf("the form says %v", v)
			}
		}
	}
}

// Nothing is noted where nobody sends texts, of load tests, for whoever wants none, and without a number.
func TestTexts_ToNobody(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"nobody sends": `UPDATE event_feeds SET wanted_until = now() - interval '1 second' WHERE name = 'texts'`,
		"a load test":  `UPDATE restaurants SET shadow = true`,
		"no texts":     `UPDATE users SET texts = false`,
		"no number":    `UPDATE users SET phone = ''`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, diners := newTexting(t)
			x.MustExec(t, change)
			lateTurn(t, x.Harness, diners[0])
			if n := x.texts(t); n != 0 {
				t.Errorf("%d texts", n)
			}
		})
	}
}

// An account whose address nobody has confirmed gets texts of what it gets letters of: three of a kind.
func TestTexts_WithLettersOnly(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	x.MustExec(t, `UPDATE users SET email_confirmed_at = NULL`)
	id := lateTurn(t, x.Harness, diners[0])
	for range 4 {
		x.MustExec(t, `INSERT INTO mails (kind, user_id, reservation_id) VALUES ('offer', $1, $2)`, diners[0], id)
	}
	if n := x.texts(t); n != 1+3 {
		t.Errorf("%d texts", n)
	}
}

// An account gets ten texts a day, whatever happens.
func TestTexts_TenADay(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	id := lateTurn(t, x.Harness, diners[0])
	x.MustExec(t,
		`INSERT INTO mails (kind, user_id, reservation_id) SELECT 'offer', $1, $2 FROM generate_series(1, 20)`,
		diners[0], id)
	if n := x.texts(t); n != 10 {
		t.Errorf("%d texts", n)
	}
	x.MustExec(t, `UPDATE mails SET created_at = created_at - interval '1 day'`)
	x.MustExec(t, `INSERT INTO mails (kind, user_id, reservation_id) VALUES ('offer', $1, $2)`, diners[0], id)
	if n := x.texts(t); n != 11 {
		t.Errorf("%d texts on the day after", n)
	}
}

// What is not taken is tried again while it is worth something, and never once it is refused or over.
func TestTexts_TriedAgain(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	id := lateTurn(t, x.Harness, diners[0])
	again := func(want int) {
		t.Helper()
		x.MustExec(t, `UPDATE texts SET due_at = now() WHERE due_at IS NOT NULL`)
		x.send(t, x.Pool)
		if _, asked := x.service.Received(); asked != want {
			t.Errorf("asked %d times, want %d", asked, want)
		}
	}
	x.service.Answer(http.StatusBadGateway)
	again(1)
	x.send(t, x.Pool) // not due
	again(2)
	x.service.Answer(0)
	again(3)
	again(3) // taken
	x.MustExec(t, `UPDATE texts SET due_at = now()`)
	x.MustExec(t, `UPDATE reservations SET hold_expires_at = now() WHERE id = $1`, id)
	again(3) // over
	if left := x.Count(t, `SELECT count(*) FROM texts WHERE due_at IS NOT NULL`); left != 0 {
		t.Errorf("%d texts are left", left)
	}
	lateTurn(t, x.Harness, diners[1])
	x.MustExec(t, `UPDATE users SET phone = '' WHERE id = $1`, diners[1]) // meanwhile
	again(4)
	again(4) // refused
}

// The party at a door that has said its number hears when it is called, without an account.
func TestTexts_OfACall(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	d := testkit.Doorway{Harness: x.Harness, Store: door.NewStore(x.Pool), Hosts: diners}
	party, silent := d.MustJoin(t, "a"), d.MustJoin(t, "b")
	x.MustExec(t, `UPDATE door_parties SET phone = '' WHERE id = $1`, silent.ID)
	x.MustExec(t, `UPDATE door_parties SET phone = '+82 10 9999 0000' WHERE id = $1`, party.ID)
	d.Call(t, silent)
	d.Call(t, party)
	x.send(t, x.Pool)
	got, _ := x.service.Received()
	if len(got) != 1 || got[0].To != "01099990000" || !strings.Contains(got[0].Text, "https://lunch.example/door/") {
		t.Fatalf("sent %+v", got)
	}
	if calls := d.CallsOf(t); len(calls) != 0 {
		t.Errorf("letters to nobody: %+v", calls)
	}
}

func TestTakeTexts_OnceByManyInstances(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	lateTurn(t, x.Harness, diners[0])
	var running sync.WaitGroup
	for range 3 {
		instance := testkit.OpenAt(t, pg.Config{URL: x.URL})
		running.Go(func() {
			for range 3 {
				x.send(t, instance)
			}
		})
	}
	running.Wait()
	if got, _ := x.service.Received(); len(got) != 1 {
		t.Errorf("arrived %d times", len(got))
	}
}

// Without the lease whoever comes by while a text is sent sends it as well.
func TestTakeTexts_WithoutLeaseIsTwice(t *testing.T) {
	t.Parallel()
	x, diners := newTexting(t)
	lateTurn(t, x.Harness, diners[0])
	instance := testkit.OpenAt(t, pg.Config{URL: x.URL})
	instance.Weaken(letters.TakeTexts, dbtest.Replacing("10 * 2 ^ least(attempts, 10)", "0"))
	taken := 0
	for range 2 {
		texts, err := letters.NewTextStore(instance).TakeTexts(t.Context(), 10)
		dbtest.Must(t, err)
		taken += len(texts)
	}
	if taken != 2 {
		t.Error("no text was taken twice: the test above proves nothing")
	}
}
