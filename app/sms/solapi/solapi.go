// Package solapi sends messages by Solapi: https://developers.solapi.com/references/messages/sendSimpleMessage.
package solapi

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/sms"
)

// API is where Solapi is.
const API = "https://api.solapi.com"

const maxAnswer = 1 << 20 // bytes

// Config is what an account at Solapi is known by.
type Config struct {
	Key, Secret string
	From        string // a number that is registered there, in digits
	Channel     string // of KakaoTalk (pfId), for AlimTalk
	BaseURL     string // API
}

// Provider implements sms.Provider.
type Provider struct {
	Config
	client http.Client
}

// New returns a provider that sends by an account at Solapi.
func New(c Config) *Provider { return &Provider{Config: c} }

// message is a message as Solapi is sent it. Without a type Solapi takes the one that the text needs.
type message struct {
	To     string            `json:"to"`
	From   string            `json:"from"`
	Text   string            `json:"text"`
	Kakao  *kakao            `json:"kakaoOptions,omitempty"`
	Custom map[string]string `json:"customFields"`
}

// kakao is a form of AlimTalk. Whoever has no KakaoTalk gets the message's text.
type kakao struct {
	Channel   string            `json:"pfId"`
	Template  string            `json:"templateId"`
	Variables map[string]string `json:"variables"` // by #{name}
}

// answer is what Solapi says of a message, or of a request that it refuses.
type answer struct {
	Status string `json:"statusCode"` // 2000: taken
	Error  string `json:"errorCode"`
}

// Send implements sms.Provider. Solapi has no key by which a repeat is known: a message whose answer was lost comes
// twice if it is sent again.
func (p *Provider) Send(ctx context.Context, m sms.Message) error {
	request, err := p.request(ctx, m)
	if err != nil {
		return err
	}
	response, err := p.client.Do(request)
	if err != nil {
		return fmt.Errorf("solapi: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	var said answer
	err = json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&said)
	return outcome(response.StatusCode, said, err)
}

// outcome is what an answer comes to.
func outcome(status int, said answer, unread error) error {
	refused := status >= http.StatusBadRequest && status < http.StatusInternalServerError &&
		status != http.StatusTooManyRequests && said.Error != ""
	switch {
	case refused:
		return &sms.RefusedError{Code: said.Error}
	case status != http.StatusOK:
		return fmt.Errorf("solapi: status %d %s", status, said.Error)
	case unread != nil:
		return fmt.Errorf("solapi: read an answer: %w", unread)
	case !strings.HasPrefix(said.Status, "2"):
		return &sms.RefusedError{Code: said.Status}
	}
	return nil
}

func (p *Provider) request(ctx context.Context, m sms.Message) (*http.Request, error) {
	out := message{To: m.To, From: p.From, Text: m.Text,
		Custom: map[string]string{"letter": strconv.FormatInt(m.LetterID, 10)}}
	if m.Template != nil {
		out.Kakao = &kakao{Channel: p.Channel, Template: m.Template.ID, Variables: map[string]string{}}
		for name, value := range m.Template.Values {
			out.Kakao.Variables["#{"+name+"}"] = value
		}
	}
	body, err := json.Marshal(map[string]message{"message": out})
	if err != nil {
		return nil, fmt.Errorf("solapi: write a request: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.BaseURL+"/messages/v4/send", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("solapi: write a request: %w", err)
	}
	request.Header.Set("Authorization", p.sign(time.Now()))
	request.Header.Set("Content-Type", "application/json")
	return request, nil
}

// sign says who asks: https://developers.solapi.com/references/authentication/api-key.
func (p *Provider) sign(now time.Time) string {
	date, salt := now.UTC().Format(time.RFC3339), rand.Text()
	sum := hmac.New(sha256.New, []byte(p.Secret))
	sum.Write([]byte(date + salt))
	return fmt.Sprintf("HMAC-SHA256 apiKey=%s, date=%s, salt=%s, signature=%s", p.Key, date, salt,
		hex.EncodeToString(sum.Sum(nil)))
}
