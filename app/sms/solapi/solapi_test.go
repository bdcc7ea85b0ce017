package solapi

import (
	"errors"
	"net/http"
	"testing"

	"lunchgo/app/sms"
	"lunchgo/app/sms/solapi/solapitest"
)

func account(s *solapitest.Service) Config {
	return Config{Key: solapitest.Key, Secret: solapitest.Secret, From: solapitest.From, Channel: solapitest.Channel,
		BaseURL: s.URL}
}

func TestSend_AsTheContractSays(t *testing.T) {
	t.Parallel()
	s := solapitest.Start(t)
	m := sms.Message{LetterID: 7, To: "01012345678", Text: "자리를 잡았습니다"}
	if err := New(account(s)).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	m.Template = &sms.Template{ID: "KA01TP1", Values: map[string]string{"Until": "19:30"}}
	if err := New(account(s)).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got, _ := s.Received()
	if len(got) != 2 || got[0].To != m.To || got[0].Text != m.Text || got[0].Kakao != nil ||
		got[0].Custom["letter"] != "7" {
		t.Fatalf("sent %+v", got)
	}
	if k := got[1].Kakao; k == nil || k.Template != "KA01TP1" || k.Variables["#{Until}"] != "19:30" {
		t.Errorf("the form is %+v", k)
	}
}

// A message that Solapi does not take is refused for good; without an answer of its own nobody knows.
func TestSend_Refused(t *testing.T) {
	t.Parallel()
	s := solapitest.Start(t)
	good := sms.Message{To: "01012345678", Text: "자리를 잡았습니다"}
	stranger, unregistered := account(s), account(s)
	stranger.Secret, unregistered.From = "another", "0299999999"
	for name, c := range map[string]struct {
		account Config
		to      string
		code    string
	}{
		"another secret":      {stranger, good.To, "SignatureDoesNotMatch"},
		"unregistered number": {unregistered, good.To, "NotRegisteredSenderNumber"},
		"no mobile number":    {account(s), "0212345678", "ValidationError"},
	} {
		m := good
		m.To = c.to
		var refused *sms.RefusedError
		if err := New(c.account).Send(t.Context(), m); !errors.As(err, &refused) || refused.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, status := range []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusUnauthorized} {
		s.Answer(status) // without a body
		var refused *sms.RefusedError
		if err := New(account(s)).Send(t.Context(), good); err == nil || errors.As(err, &refused) {
			t.Errorf("status %d: %v", status, err)
		}
	}
	if err := outcome(http.StatusOK, answer{Status: "1062"}, nil); err == nil {
		t.Error("a message that was not registered counts as sent")
	}
}
