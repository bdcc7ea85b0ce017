package mail

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"lunchgo/app/booking"
)

// server is a mail server that keeps what it is given, and refuses the first few.
type server struct {
	url    string
	mu     sync.Mutex
	refuse int
	got    []received
}

type received struct {
	from, to string
	data     string
}

// session is a connection to the server.
type session struct {
	*server
	letter received
}

func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.letter = received{from: from}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.letter.to = to
	if strings.HasPrefix(to, "gone") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<" + to +
			"> is unknown (" + to + ")"}
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse > 0 {
		s.refuse--
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "not now"}
	}
	s.letter.data = string(data)
	s.got = append(s.got, s.letter)
	return nil
}

func (s *server) letters() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.got...)
}

func startServer(t *testing.T, refuse int) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{url: "smtp://" + listener.Addr().String(), refuse: refuse}
	smtpServer := smtp.NewServer(s)
	smtpServer.Domain = "localhost"
	served := make(chan error, 1)
	go func() { served <- smtpServer.Serve(listener) }()
	t.Cleanup(func() {
		_ = smtpServer.Close()
		if err := <-served; err != nil && !errors.Is(err, smtp.ErrServerClosed) {
			t.Error(err)
		}
	})
	return s
}

// parts are the contents of a letter by media type, decoded.
func parts(t *testing.T, contentType, body string) map[string]string {
	t.Helper()
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(media, "multipart/") {
		return map[string]string{media: body}
	}
	all := map[string]string{}
	r := multipart.NewReader(strings.NewReader(body), params["boundary"])
	for {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		var content io.Reader = part
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			content = quotedprintable.NewReader(part)
		}
		raw, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		for media, text := range parts(t, part.Header.Get("Content-Type"), string(raw)) {
			all[media] = text
		}
	}
}

func TestSMTP_LetterReachesAServer(t *testing.T) {
	t.Parallel()
	s := startServer(t, 0)
	carrier, err := NewSMTP(s.url, "런치고 <hello@lunch.example>")
	if err != nil {
		t.Fatal(err)
	}
	n := note(Confirmed, booking.Confirmed)
	l, err := composeReservation(n, place(t), "https://lunch.example")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // once more: it is the same letter
		if err := carrier.Carry(t.Context(), n, l); err != nil {
			t.Fatal(err)
		}
	}
	got := s.letters()
	if len(got) != 2 || got[0].from != "hello@lunch.example" || got[0].to != "ann@example.org" {
		t.Fatalf("%d letters: %+v", len(got), got)
	}
	m, err := mail.ReadMessage(strings.NewReader(got[0].data))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != l.Subject {
		t.Errorf("subject %q, %v", subject, err)
	}
	again, err := mail.ReadMessage(strings.NewReader(got[1].data))
	for name, values := range m.Header {
		if said := strings.ToLower(name + strings.Join(values, " ")); strings.Contains(said, "agent") ||
			strings.Contains(said, "mailer") || strings.Contains(said, "go-mail") {
			t.Errorf("the letter names its library: %s: %q", name, values)
		}
	}
	if err != nil || m.Header.Get("Message-Id") == "" || m.Header.Get("Message-Id") != again.Header.Get("Message-Id") {
		t.Errorf("message ids %q and %q, %v", m.Header.Get("Message-Id"), again.Header.Get("Message-Id"), err)
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		t.Fatal(err)
	}
	all := parts(t, m.Header.Get("Content-Type"), string(body))
	if !strings.Contains(all["text/plain"], "예약이 확정되었습니다") || !strings.Contains(all["text/html"], "<h1") ||
		all["text/calendar"] == "" {
		t.Errorf("parts: %v", all)
	}
}

// What a mail server says of a letter goes into the log, whom it was for does not.
func TestSMTP_ErrorsNameNobody(t *testing.T) {
	t.Parallel()
	carrier, err := NewSMTP(startServer(t, 0).url, "hello@lunch.example")
	if err != nil {
		t.Fatal(err)
	}
	n := note(Confirmed, booking.Confirmed)
	n.Email = "gone.kim+lunch@example.org"
	l, err := composeReservation(n, place(t), "https://lunch.example")
	if err != nil {
		t.Fatal(err)
	}
	err = carrier.Carry(t.Context(), n, l)
	if err == nil || !strings.Contains(err.Error(), "is unknown") || strings.ContainsAny(err.Error(), "@") ||
		strings.Contains(err.Error(), "kim") {
		t.Errorf("the error is %v", err)
	}
}

func TestSMTP_Addresses(t *testing.T) {
	t.Parallel()
	for address, fine := range map[string]bool{
		"smtp://mail.example": true, "smtp://user:secret@mail.example:2525": true, "smtps://mail.example": true,
		"": false, "mail.example:25": false, "smtp://": false, "smtp://mail.example:port": false,
	} {
		if _, err := NewSMTP(address, "a@b.example"); (err == nil) != fine {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := NewSMTP("smtp://mail.example", "nobody"); err == nil {
		t.Error("a sender without an address")
	}
}
