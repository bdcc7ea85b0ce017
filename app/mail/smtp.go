package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// SMTP is a Carrier that hands letters to a mail server.
type SMTP struct {
	client *gomail.Client
	from   *mail.Address
	host   string
}

// NewSMTP returns a carrier for an address such as smtp://user:password@host:587, over TLS if the server offers it, or
// smtps://host:465, over TLS from the start. from is the sender, e.g. "LunchGo <hello@lunch.example>".
func NewSMTP(address, from string) (*SMTP, error) {
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail: sender %q: %w", from, err)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("mail: %q is no smtp:// or smtps:// address", address)
	}
	options := []gomail.Option{gomail.WithTimeout(sendTimeout), gomail.WithTLSPolicy(gomail.TLSOpportunistic)}
	if u.Scheme == "smtps" {
		options = append(options, gomail.WithSSL(), gomail.WithPort(465))
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		options = append(options, gomail.WithPort(port))
	}
	if password, ok := u.User.Password(); ok {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	client, err := gomail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	_, host, _ := strings.Cut(sender.Address, "@")
	return &SMTP{client: client, from: sender, host: host}, nil
}

// Carry implements Carrier. A letter that is sent twice has the same Message-ID, so that readers show it once.
func (s *SMTP) Carry(ctx context.Context, n Note, l Letter) error {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent()) // nobody learns which library to look for holes in
	m.FromMailAddress(s.from)
	to := &mail.Address{Name: n.Name, Address: n.Email}
	if n.Link.ID != "" {
		to.Name = "" // nobody knows yet that the name is its reader's
	}
	m.ToMailAddress(to)
	m.Subject(l.Subject)
	m.SetDateWithValue(n.CreatedAt)
	m.SetMessageIDWithValue(fmt.Sprintf("%d.%s@%s", n.ID, cmp.Or(n.Reservation.ID, string(n.Kind)), s.host))
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no answer by machines
	html, err := l.HTML(ctx)
	if err != nil {
		return err
	}
	m.SetBodyString(gomail.TypeTextPlain, l.Text())
	m.AddAlternativeString(gomail.TypeTextHTML, html)
	if l.Calendar != "" {
		err := m.AttachReader("lunchgo-"+n.Reservation.Code()+".ics", strings.NewReader(l.Calendar),
			gomail.WithFileContentType("text/calendar; charset=utf-8; method=PUBLISH"))
		if err != nil {
			return err
		}
	}
	return withoutAddresses(s.client.DialAndSendWithContext(ctx, m))
}

// mailAddress is an e-mail address in the words of a mail server.
var mailAddress = regexp.MustCompile(`[^\s<>"',;:()]+@[^\s<>"',;:()]+`)

// withoutAddresses returns what an error says without e-mail addresses: it goes into the log, and beside the letter's
// row. Mail servers repeat whom they refuse.
func withoutAddresses(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(mailAddress.ReplaceAllString(err.Error(), "…"))
}
