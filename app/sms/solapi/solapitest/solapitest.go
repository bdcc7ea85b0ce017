// Package solapitest is a fake of Solapi, held to its published contract.
package solapitest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// What the account's owner has set up: the keys, the number that messages come from, the channel at KakaoTalk.
const (
	Key     = "NCSTESTKEY000001"
	Secret  = "TESTSECRET0000000000000000000001"
	From    = "0212345678"
	Channel = "KA01PF000000000000000000000000001"
)

// Message is one that was taken.
type Message struct {
	To, From, Text string
	Kakao          *struct {
		Channel   string            `json:"pfId"`
		Template  string            `json:"templateId"`
		Variables map[string]string `json:"variables"`
	} `json:"kakaoOptions"`
	Custom map[string]string `json:"customFields"`
}

// Service is the fake. It is safe for concurrent use.
type Service struct {
	*httptest.Server

	mu       sync.Mutex
	status   int // of each answer; 0: what the contract says
	received []Message
	asked    int
}

// Start starts a service that ends with the test.
func Start(t testing.TB) *Service {
	s := &Service{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Answer has the service answer with a status from now on; 0: as the contract says.
func (s *Service) Answer(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// Received returns what was taken so far, and how often the service was asked.
func (s *Service) Received() (messages []Message, asked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message(nil), s.received...), s.asked
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.status != 0 {
		w.WriteHeader(s.status)
		return
	}
	m, status, answer := read(r)
	if status == http.StatusOK {
		s.received = append(s.received, m)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

var mobile = regexp.MustCompile(`^01\d{8,9}$`)

// read returns the message of a request, and what it is answered.
func read(r *http.Request) (m Message, status int, answer map[string]string) {
	refuse := func(status int, code string) (Message, int, map[string]string) {
		return Message{}, status, map[string]string{"errorCode": code, "errorMessage": "오류입니다."}
	}
	if r.Method != http.MethodPost || r.URL.Path != "/messages/v4/send" {
		return refuse(http.StatusNotFound, "ResourceNotFound")
	}
	if !isSigned(r.Header.Get("Authorization")) {
		return refuse(http.StatusForbidden, "SignatureDoesNotMatch")
	}
	var body struct{ Message Message }
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(&body); err != nil {
		return refuse(http.StatusBadRequest, "ValidationError")
	}
	m = body.Message
	switch {
	case !mobile.MatchString(m.To) || m.Text == "" || utf8.RuneCountInString(m.Text) > 1000 || !fits(m.Custom):
		return refuse(http.StatusBadRequest, "ValidationError")
	case m.From != From:
		return refuse(http.StatusBadRequest, "NotRegisteredSenderNumber")
	case m.Kakao != nil && m.Kakao.Channel != Channel:
		return refuse(http.StatusBadRequest, "InvalidPfId")
	}
	if m.Kakao != nil {
		for name := range m.Kakao.Variables {
			if !strings.HasPrefix(name, "#{") || !strings.HasSuffix(name, "}") {
				return refuse(http.StatusBadRequest, "ValidationError")
			}
		}
	}
	return m, http.StatusOK, map[string]string{"statusCode": "2000", "messageId": "M4V", "to": m.To}
}

// fits says whether fields of our own are as short as the contract asks.
func fits(custom map[string]string) bool {
	for name, value := range custom {
		if len(name) > 30 || len(value) > 100 {
			return false
		}
	}
	return true
}

var signed = regexp.MustCompile(`^HMAC-SHA256 apiKey=(\S+), date=(\S+), salt=(\S{12,64}), signature=([0-9a-f]{64})$`)

// isSigned says whether a request is of the account, and of these 15 minutes.
func isSigned(authorization string) bool {
	part := signed.FindStringSubmatch(authorization)
	if part == nil || part[1] != Key {
		return false
	}
	at, err := time.Parse(time.RFC3339, part[2])
	if err != nil || time.Since(at).Abs() > 15*time.Minute {
		return false
	}
	sum := hmac.New(sha256.New, []byte(Secret))
	sum.Write([]byte(part[2] + part[3]))
	return hex.EncodeToString(sum.Sum(nil)) == part[4]
}
