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
	"slices"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/events/kafka"
	"lunchgo/app/redisclient"
	"lunchgo/app/token"
	"lunchgo/app/web/ratelimit"
	"lunchgo/db/pg"
	"lunchgo/views"
)

// Config is what the settings say; table has their names, defaults and meanings.
type Config struct {
	Addr, OpsAddr  string
	PublicURL      string // without a slash at its end
	TrustedProxies []string
	Secret         string
	OldSecret      string // verifies what it has signed beside Secret
	Demo           *bool
	OperatorLink   bool
	Drain          time.Duration

	DatabaseURL, ReplicaURL, RedisURL string
	DatabaseConns                     int
	DataDir                           string

	LineMaxWait, HoldUnseen time.Duration
	LineMaxLength           int
	UnusedKeep, LettersKeep time.Duration
	Holds                   booking.Limits
	Limits                  ratelimit.Limits
	MaxLines                int // in which an account waits at once

	Payments Payments
	Texts    Texts
	SignIn   SignIn
	Company  views.Company
	LegalDir string

	SMTPURL, MailFrom      string
	Kafka                  kafka.Cluster
	EventsKeep             time.Duration
	WebhookPrivateNetworks bool

	AuditEvery       time.Duration
	RushEvery        time.Duration
	LogLevel         slog.Level
	LogFormat        string
	LogSlow          time.Duration
	GoGC, GoMemLimit string
	Traces           Traces

	opsChosen     bool          // OPS_ADDR is set: it must be free
	statementTime time.Duration // of commands for which nobody waits; 0: the usual one
}

// minSecret is the least length of a secret in characters: 128 bits in base32 and hexadecimal.
const minSecret = 32

// maxDrain bounds how long an end may be put off.
const maxDrain = 5 * time.Minute

// LoadConfig reads the environment and checks it. Its error names every setting that is not right, one a line.
func LoadConfig() (Config, error) {
	var c Config
	var faults []*fault
	for _, s := range c.table() {
		if f := s.load(); f != nil {
			faults = append(faults, f)
		}
	}
	_, c.opsChosen = os.LookupEnv("OPS_ADDR")
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	var errs []error
	for _, f := range slices.Concat(faults, c.contradictions(), c.paymentFaults(), c.signInFaults(), c.companyFaults(),
		c.textFaults()) {
		if !strings.HasPrefix(f.name, tracesPrefix) || c.Traces.heed(f.name) {
			errs = append(errs, f)
		}
	}
	errs = append(errs, checkDatabase("DATABASE_URL", c.DatabaseURL),
		checkDatabase("DATABASE_REPLICA_URL", c.ReplicaURL), checkRedis(c.RedisURL), checkLegal(c.LegalDir))
	return c, errors.Join(errs...)
}

// checkDatabase returns what PostgreSQL's client refuses of an address that looks right, such as a misspelt parameter.
func checkDatabase(name, address string) error {
	if !isDatabase(address) {
		return nil
	}
	if err := pg.CheckURL(address); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkRedis is checkDatabase for REDIS_URL.
func checkRedis(address string) error {
	if !isRedis(address) {
		return nil
	}
	client, err := redisclient.Open(address) // connects when it is asked something
	if err != nil {
		return err
	}
	return client.Close()
}

// contradictions returns what is wrong with settings only together.
func (c Config) contradictions() (faults []*fault) {
	check := func(wrong bool, name, must string) {
		if wrong {
			faults = append(faults, &fault{name, must})
		}
	}
	check(c.OldSecret != "" && c.OldSecret == c.Secret, "SECRET_OLD", "be another than SECRET")
	check(c.ReplicaURL != "" && c.private(), "DATABASE_REPLICA_URL", "go with DATABASE_URL, whose server it follows")
	check(c.Kafka.User != "" && c.Kafka.Password == "", "KAFKA_PASSWORD", "be set with KAFKA_USER")
	check(c.Kafka.User == "" && c.Kafka.Password != "", "KAFKA_USER", "be set with KAFKA_PASSWORD")
	check(len(c.Kafka.Brokers) == 0 && (c.Kafka.TLS || c.Kafka.User != ""), "KAFKA_BROKERS",
		"be set with KAFKA_TLS and KAFKA_USER")
	return faults
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
	_, port, err := net.SplitHostPort(text)
	return err == nil && isPort(port)
}

// isPort says whether text is a TCP port, by its number or name, or empty.
func isPort(text string) bool {
	_, err := net.LookupPort("tcp", text)
	return err == nil
}

// isHostAndPort says whether text is host:port, both given.
func isHostAndPort(text string) bool {
	host, port, err := net.SplitHostPort(text)
	number, portErr := strconv.ParseUint(port, 10, 16)
	return err == nil && portErr == nil && host != "" && number > 0
}

// kafka is where events are sent to.
func (c Config) kafka() kafka.Cluster {
	k := c.Kafka
	k.Source = c.site()
	return k
}

// secure says whether browsers reach the installation over TLS.
func (c Config) secure() bool { return strings.HasPrefix(c.PublicURL, "https://") }

// privateRedis is what REDIS_URL says to have a Redis of this machine's own beside a database that others may use.
const privateRedis = "private"

// checkSigning returns an error unless there is a secret to sign with, or one can be made. Commands that only read and
// change the database do without, such as an audit of a restored dump.
func (c Config) checkSigning() error {
	if c.Secret == "" && !c.private() {
		return &fault{"SECRET", "be set with DATABASE_URL, the same in all instances: openssl rand -hex 32 makes one"}
	}
	return nil
}

// checkLines returns an error unless there is a Redis for the lines, or one can be started: two instances on a database
// that start one each have two lines for one slot.
func (c Config) checkLines() error {
	if c.RedisURL == "" && !c.private() {
		return &fault{"REDIS_URL", "be set with DATABASE_URL, the same in all instances; " + privateRedis +
			" starts one here, for the only instance there is"}
	}
	return nil
}

// secrets are SECRET, or one that is made once and kept with the private data, and SECRET_OLD.
func (c Config) secrets() (token.Secrets, error) {
	signs, err := c.signingSecret()
	if c.OldSecret == "" || err != nil {
		return token.Secrets{signs}, err
	}
	return token.Secrets{signs, c.OldSecret}, nil
}

func (c Config) signingSecret() (string, error) {
	if c.Secret != "" {
		return c.Secret, nil
	}
	path := filepath.Join(c.DataDir, "secret")
	if kept, err := os.ReadFile(path); err == nil && len(kept) >= minSecret {
		return string(kept), nil
	}
	made := rand.Text() + rand.Text()
	if err := os.MkdirAll(c.DataDir, 0o755); err != nil {
		return "", fmt.Errorf("keep a secret: %w", err)
	}
	if err := os.WriteFile(path, []byte(made), 0o600); err != nil {
		return "", fmt.Errorf("keep a secret: %w", err)
	}
	return made, nil
}

// isURLOf returns what says whether a text is an absolute URL of one of the schemes.
func isURLOf(schemes ...string) func(string) bool {
	return func(text string) bool {
		u, err := url.Parse(text)
		return err == nil && u.Host != "" && isPort(u.Port()) && slices.Contains(schemes, u.Scheme)
	}
}

var (
	isDatabase = isURLOf("postgres", "postgresql")
	isRedis    = all(isURLOf("redis", "rediss"))
)

// isSite says whether text is the address of a whole site: pages below a path of another one do not work.
func isSite(text string) bool {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	return isURLOf("http", "https")(text) && err == nil && u.Path == "" && u.User == nil &&
		!strings.ContainsAny(text, "?#")
}

// isSender says whether text is the sender of letters.
func isSender(text string) bool {
	_, err := mail.ParseAddress(text)
	return err == nil
}

// isStrong says whether a secret is long enough, and cannot be guessed.
func isStrong(text string) bool { return len(text) >= minSecret && !isGuessable(text) }

// isPercent says whether Go takes text for GOGC.
func isPercent(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil || text == "off"
}

// isNetwork says whether text is an IP address or a network of some.
func isNetwork(text string) bool {
	_, notOne := netip.ParseAddr(text)
	_, notSome := netip.ParsePrefix(text)
	return notOne == nil || notSome == nil
}
