package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"lunchgo/app/events"
)

// Config is every setting of an installation, read from the environment. Durations are written 10s, 5m.
type Config struct {
	Addr string `env:"ADDR" envDefault:"127.0.0.1:8080"` // host:port to listen on; port 0 picks a free one
	// host:port of /metrics and /debug/pprof/, for operators only; set but empty: nowhere
	OpsAddr string `env:"OPS_ADDR" envDefault:"127.0.0.1:9090"`
	// how browsers reach it, e.g. https://lunch.example; http://ADDR if empty
	PublicURL string `env:"PUBLIC_URL"`
	// postgres://…; empty: a private server under DATA_DIR
	DatabaseURL string `env:"DATABASE_URL"`
	// postgres://… of a server that follows: reports and lists of guests are read there; empty: none
	ReplicaURL string `env:"DATABASE_REPLICA_URL"`
	// redis://…, several with commas: a cluster, ?master_name=: sentinels; empty: a private server
	RedisURL string `env:"REDIS_URL"`
	DataDir  string `env:"DATA_DIR" envDefault:".data"` // where private servers keep their data
	// signs sessions and tickets; the same in all instances; 32 characters or more
	Secret string `env:"SECRET"`
	// while there is no operator, a start prints the link that makes the first
	OperatorLink bool `env:"OPERATOR_LINK" envDefault:"true"`
	// load the demo restaurants; by default only into a private database
	Demo *bool `env:"DEMO"`

	DatabaseConns int `env:"DATABASE_CONNS" envDefault:"12"` // connections to PostgreSQL, at most
	// how long a hold lasts that its diner has not seen
	HoldUnseen    time.Duration `env:"HOLD_UNSEEN" envDefault:"3m"`
	LineMaxWait   time.Duration `env:"LINE_MAX_WAIT" envDefault:"30m"` // the longest time in a line
	LineMaxLength int           `env:"LINE_MAX_LENGTH" envDefault:"50000"`
	// how often the tables are audited by all instances together; 0: never
	AuditEvery time.Duration `env:"AUDIT_EVERY" envDefault:"5m"`
	// how long it serves after SIGTERM while /readyz is 503; 0 without a proxy
	Drain time.Duration `env:"DRAIN" envDefault:"0s"`
	// smtp(s)://user:password@host:port; empty: letters are shown at /mailbox instead
	SMTPURL  string `env:"SMTP_URL"`
	MailFrom string `env:"MAIL_FROM" envDefault:"LunchGo <lunchgo@localhost>"` // the sender of letters

	Kafka KafkaSettings `envPrefix:"KAFKA_"`

	// how long events that were sent can be replayed
	EventsKeep time.Duration `env:"EVENTS_KEEP" envDefault:"168h"`
	// webhooks also to addresses that are not public, and without TLS: for tests only
	WebhookPrivateNetworks bool `env:"WEBHOOK_PRIVATE_NETWORKS"`

	Holds HoldLimits `envPrefix:"LIMIT_"`

	TrustedProxies []string   `env:"TRUSTED_PROXIES"` // addresses or networks whose X-Forwarded-For is believed
	LogLevel       slog.Level `env:"LOG_LEVEL" envDefault:"INFO"`

	LogFormat string        `env:"LOG_FORMAT"`               // text or json; empty: text on a terminal, else json
	LogSlow   time.Duration `env:"LOG_SLOW" envDefault:"2s"` // requests that take longer get a line

	Traces Traces `envPrefix:"OTEL_"`

	opsChosen     bool          // OPS_ADDR is set: it must be free
	statementTime time.Duration // of commands for which nobody waits; 0: the usual one

	Limits Limits `envPrefix:"LIMIT_"`
}

// KafkaSettings are where events are sent to; see docs/events.md.
type KafkaSettings struct {
	Brokers  []string `env:"BROKERS"`                         // host:port of some, with commas; none: no events
	TLS      bool     `env:"TLS"`                             // whether to connect by TLS
	User     string   `env:"USER"`                            // empty: without signing in
	Password string   `env:"PASSWORD"`                        //
	SASL     string   `env:"SASL" envDefault:"SCRAM-SHA-512"` // how to sign in: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512
}

// Limits are what one account may do, or one address without an account. Beyond them the answer is 429 with
// Retry-After.
type Limits struct {
	// of an account a minute: bookings and coupon claims
	Presses int `env:"PRESSES" envDefault:"30"`
	// of an account a minute: changes, payments, cancellations, quotes, the wallet, waitlists
	Changes int `env:"CHANGES" envDefault:"30"`
	Staff   int `env:"STAFF" envDefault:"300"` // that a member of staff changes a minute
	// that an account waits in at once, for one day of a restaurant
	Lines   int `env:"LINES" envDefault:"5"`
	Streams int `env:"STREAMS" envDefault:"20"` // event streams of an account, open at once
	// event streams of an address without an account, open at once
	AnonymousStreams int `env:"ANONYMOUS_STREAMS" envDefault:"200"`
	SignUps          int `env:"SIGNUPS" envDefault:"20"` // of an address an hour
	// requests of an address without an account, a second and process
	Reads int `env:"READS" envDefault:"500"`
}

// areSet says whether each limit allows something.
func (l Limits) areSet() bool {
	return min(l.Presses, l.Changes, l.Staff, l.Lines, l.Streams, l.AnonymousStreams, l.SignUps, l.Reads) > 0
}

// HoldLimits are what one account may have at a time; see booking.Limits.
type HoldLimits struct {
	Holds            int `env:"HOLDS" envDefault:"3"`             // reservations that wait for payment
	UnconfirmedHolds int `env:"UNCONFIRMED_HOLDS" envDefault:"1"` // the same while the e-mail address is not confirmed
	Unpaid           int `env:"UNPAID" envDefault:"10"`           // reservations to come that cost nothing
	Entries          int `env:"ENTRIES" envDefault:"5"`           // waitlists on which it waits
}

// minSecret is the least length of a secret in characters: 128 bits in base32 and hexadecimal.
const minSecret = 32

// maxDrain bounds how long an end may be put off.
const maxDrain = 5 * time.Minute

// LoadConfig reads the environment and checks it. Its error names every fault at once.
func LoadConfig() (Config, error) {
	c, err := env.ParseAs[Config]()
	if addr, set := os.LookupEnv("OPS_ADDR"); set {
		c.OpsAddr, c.opsChosen = addr, true // set but empty is an answer too
	}
	faults := []error{err}
	fault := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	if err == nil {
		fault(!isAddress(c.Addr), "ADDR is host:port, not %q", c.Addr)
		fault(c.OpsAddr != "" && !isAddress(c.OpsAddr), "OPS_ADDR is host:port, or empty for none, not %q", c.OpsAddr)
		fault(!isURL(c.DatabaseURL, "postgres", "postgresql"),
			"DATABASE_URL is postgres://user:password@host/database, not what it says now")
		fault(!isURL(c.ReplicaURL, "postgres", "postgresql"),
			"DATABASE_REPLICA_URL is postgres://user:password@host/database, not what it says now")
		fault(c.ReplicaURL != "" && c.private(), "DATABASE_REPLICA_URL goes with DATABASE_URL, whose server it follows")
		for part := range strings.SplitSeq(c.RedisURL, ",") {
			fault(!isURL(part, "redis", "rediss"),
				"REDIS_URL is redis://host:port, or several with commas, not what it says now")
		}
		c.PublicURL = strings.TrimRight(c.PublicURL, "/")
		fault(!isSite(c.PublicURL), "PUBLIC_URL is http(s)://host, without a path, not %q", c.PublicURL)
		fault(!isURL(c.SMTPURL, "smtp", "smtps"), "SMTP_URL is smtp(s)://user:password@host:port, not what it says now")
		_, fromErr := mail.ParseAddress(c.MailFrom)
		fault(fromErr != nil, "MAIL_FROM is Name <address@host>, not %q", c.MailFrom)
		for _, proxy := range c.TrustedProxies {
			fault(!isNetwork(proxy), "TRUSTED_PROXIES are addresses or networks such as 10.0.0.0/8, not %q", proxy)
		}
		for _, broker := range c.Kafka.Brokers {
			fault(!isHostAndPort(broker), "KAFKA_BROKERS is host:port, or several with commas, not %q", broker)
		}
		fault(!events.IsMechanism(c.Kafka.SASL), "KAFKA_SASL is PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512, not %q",
			c.Kafka.SASL)
		fault((c.Kafka.User == "") != (c.Kafka.Password == ""), "KAFKA_USER and KAFKA_PASSWORD are set both or neither")
		fault(len(c.Kafka.Brokers) == 0 && (c.Kafka.TLS || c.Kafka.User != ""),
			"KAFKA_TLS and KAFKA_USER need KAFKA_BROKERS")
		fault(c.EventsKeep <= 0, "EVENTS_KEEP is above zero")
		fault(c.DatabaseConns < 2, "DATABASE_CONNS is at least 2, not %d", c.DatabaseConns)
		fault(c.HoldUnseen <= 0, "HOLD_UNSEEN is above zero")
		fault(c.LineMaxWait <= 0 || c.LineMaxLength <= 0, "LINE_MAX_WAIT and LINE_MAX_LENGTH are above zero")
		fault(!c.Limits.areSet(), "LIMIT_… are 1 or more")
		for name, limit := range map[string]int{"HOLDS": c.Holds.Holds, "UNCONFIRMED_HOLDS": c.Holds.UnconfirmedHolds,
			"UNPAID": c.Holds.Unpaid, "ENTRIES": c.Holds.Entries} {
			fault(limit < 1, "LIMIT_%s is 1 or more, not %d", name, limit)
		}
		fault(c.Drain < 0 || c.Drain > maxDrain, "DRAIN is 0s to %s, not %s", maxDrain, c.Drain)
		fault(c.LogFormat != "" && c.LogFormat != logText && c.LogFormat != logJSON,
			"LOG_FORMAT is text or json, not %q", c.LogFormat)
		fault(c.LogSlow <= 0, "LOG_SLOW is above zero")
		faults = append(faults, c.Traces.check())
		fault(c.AuditEvery != 0 && c.AuditEvery < time.Second, "AUDIT_EVERY is 1s or more, or 0 for never")
		fault(c.Secret != "" && len(c.Secret) < minSecret,
			"SECRET has at least %d characters, not %d: make one with  openssl rand -hex 32", minSecret, len(c.Secret))
		fault(len(c.Secret) >= minSecret && isGuessable(c.Secret),
			"SECRET can be guessed: make one with  openssl rand -hex 32")
	}
	return c, errors.Join(faults...)
}

// private says whether the installation runs its own database, which makes it a demo unless DEMO says otherwise.
func (c Config) private() bool { return c.DatabaseURL == "" }

func (c Config) demo() bool {
	if c.Demo != nil {
		return *c.Demo
	}
	return c.private()
}

// site is the address under which people find the installation, without a slash at its end.
func (c Config) site() string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return localURL(c.Addr)
}

// localURL is how a program on this machine reaches what listens on addr.
func localURL(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// isAddress says whether text is host:port.
func isAddress(text string) bool {
	_, _, err := net.SplitHostPort(text)
	return err == nil
}

// isHostAndPort says whether text is host:port, both given.
func isHostAndPort(text string) bool {
	host, port, err := net.SplitHostPort(text)
	number, portErr := strconv.ParseUint(port, 10, 16)
	return err == nil && portErr == nil && host != "" && number > 0
}

// kafka is where events are sent to.
func (c Config) kafka() events.Kafka {
	return events.Kafka{Brokers: c.Kafka.Brokers, Source: c.site(), TLS: c.Kafka.TLS, User: c.Kafka.User,
		Password: c.Kafka.Password, Mechanism: c.Kafka.SASL}
}

// secure says whether browsers reach the installation over TLS.
func (c Config) secure() bool { return strings.HasPrefix(c.PublicURL, "https://") }

// checkSigning returns an error unless there is a secret to sign with, or one can be made. Commands that only read and
// change the database do without, such as an audit of a restored dump.
func (c Config) checkSigning() error {
	if c.Secret == "" && !c.private() {
		return fmt.Errorf("SECRET is needed with DATABASE_URL: at least %d characters, the same in all instances",
			minSecret)
	}
	return nil
}

// signingSecret is SECRET, or one that is made once and kept with the private data.
func (c Config) signingSecret() ([]byte, error) {
	if c.Secret != "" {
		return []byte(c.Secret), nil
	}
	path := filepath.Join(c.DataDir, "secret")
	if kept, err := os.ReadFile(path); err == nil && len(kept) >= minSecret {
		return kept, nil
	}
	made := []byte(rand.Text() + rand.Text())
	if err := os.MkdirAll(c.DataDir, 0o755); err != nil {
		return nil, fmt.Errorf("keep a secret: %w", err)
	}
	if err := os.WriteFile(path, made, 0o600); err != nil {
		return nil, fmt.Errorf("keep a secret: %w", err)
	}
	return made, nil
}

// isURL says whether text is empty or an absolute URL of one of the schemes.
func isURL(text string, schemes ...string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return false
	}
	for _, scheme := range schemes {
		if u.Scheme == scheme {
			return true
		}
	}
	return false
}

// isSite says whether text is empty, or the address of a whole site: pages below a path of another one do not work.
func isSite(text string) bool {
	u, err := url.Parse(text)
	return isURL(text, "http", "https") && err == nil && u.Path == "" && u.User == nil &&
		!strings.ContainsAny(text, "?#")
}

// isNetwork says whether text is an IP address or a network of some.
func isNetwork(text string) bool {
	_, notOne := netip.ParseAddr(text)
	_, notSome := netip.ParsePrefix(text)
	return notOne == nil || notSome == nil
}
