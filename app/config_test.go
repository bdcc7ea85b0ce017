package main

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

func TestLoadConfig_NamesEveryFault(t *testing.T) {
	wrong := map[string]string{
		"ADDR":                           "nowhere",
		"OPS_ADDR":                       "9090",
		"DATABASE_URL":                   "mysql://x",
		"DATABASE_REPLICA_URL":           "mysql://x",
		"REDIS_URL":                      "redis://a:1,http://b",
		"SECRET":                         "short",
		"DATABASE_CONNS":                 "1",
		"DEMO":                           "perhaps",
		"LINE_MAX_LENGTH":                "long",
		"LOG_LEVEL":                      "LOUD",
		"KAFKA_TLS":                      "2",
		"LIMIT_READS":                    "0",
		"LIMIT_STREAMS":                  "many",
		"GOGC":                           "seldom",
		"PUBLIC_URL":                     "lunch.example",
		"LINE_MAX_WAIT":                  "-1s",
		"HOLD_UNSEEN":                    "0s",
		"AUDIT_EVERY":                    "10ms",
		"LIMIT_HOLDS":                    "0",
		"LIMIT_UNCONFIRMED_HOLDS":        "-1",
		"LIMIT_UNPAID":                   "0",
		"LIMIT_ENTRIES":                  "0",
		"DRAIN":                          "-1s",
		"TRUSTED_PROXIES":                "10.0.0.0/8,proxy",
		"SMTP_URL":                       "mail.example:25",
		"MAIL_FROM":                      "LunchGo",
		"KAFKA_BROKERS":                  "kafka-1:9092,kafka-2",
		"KAFKA_USER":                     "lunchgo",
		"KAFKA_SASL":                     "GSSAPI",
		"EVENTS_KEEP":                    "0s",
		"PAYMENTS":                       "cash",
		"PAYMENT_GRACE":                  "1h",
		"TOSS_CLIENT_KEY":                "test_gck_a",
		"TOSS_SECRET_KEY":                "test_ck_a",
		"STRIPE_SECRET_KEY":              "pk_test_a",
		"STRIPE_WEBHOOK_SECRET":          "whsec_",
		"TOSS_API":                       "api.tosspayments.com",
		"STRIPE_API":                     "https://api.stripe.com/v1",
		"LOG_FORMAT":                     "xml",
		"LOG_SLOW":                       "0s",
		"OTEL_EXPORTER_OTLP_ENDPOINT":    "collector:4318",
		"OTEL_EXPORTER_OTLP_PROTOCOL":    "grpc",
		"OTEL_TRACES_SAMPLER":            "some",
		"OTEL_EXPORTER_OTLP_HEADERS":     "secret",
		"OTEL_EXPORTER_OTLP_TIMEOUT":     "-1",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "zip",
	}
	for name, value := range wrong {
		t.Setenv(name, value)
	}
	_, err := LoadConfig()
	if err == nil {
		t.Fatal("no fault was found")
	}
	for part := range wrong {
		if part == "KAFKA_USER" {
			part = "KAFKA_PASSWORD" // which is missing
		}
		if !strings.Contains("\n"+err.Error(), "\n"+part+": must ") {
			t.Errorf("nothing is said about %s:\n%v", part, err)
		}
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != len(wrong) {
		t.Errorf("%d lines about %d settings:\n%v", lines, len(wrong), err)
	}
	if strings.Contains(err.Error(), "mysql://x") {
		t.Error("an address, which may hold a password, is shown")
	}
}

// An address that looks right and is of no use is named like the others, without the password in it.
func TestLoadConfig_NamesAddressesOfNoUse(t *testing.T) {
	wrong := map[string]string{
		"ADDR":                 "127.0.0.1:99999",
		"OPS_ADDR":             "127.0.0.1:metrics",
		"PUBLIC_URL":           "https://lunch.example:99999",
		"DATABASE_URL":         "postgres://me:hidden@db/lunchgo?sslmode=full",
		"DATABASE_REPLICA_URL": "postgres://me:hidden@db/lunchgo?connect_timeout=soon",
		"REDIS_URL":            "rediss://me:hidden@redis/first",
		"SMTP_URL":             "smtps://me:hidden@mail:99999",
	}
	for name, value := range wrong {
		t.Setenv(name, value)
	}
	_, err := LoadConfig()
	if err == nil {
		t.Fatal("no fault was found")
	}
	for name := range wrong {
		if strings.Count("\n"+err.Error(), "\n"+name+": ") != 1 {
			t.Errorf("%s is not named once:\n%v", name, err)
		}
	}
	if strings.Contains(err.Error(), "hidden") {
		t.Errorf("a password is shown:\n%v", err)
	}
}

// The address of the site is written in one way, and a path is refused: pages below one would not work.
func TestLoadConfig_PublicURL(t *testing.T) {
	for value, want := range map[string]string{
		"https://lunch.example": "https://lunch.example", "https://lunch.example/": "https://lunch.example",
		"http://lunch.example:8080//": "http://lunch.example:8080", "": "http://127.0.0.1:8080",
		"https://lunch.example/app": "", "https://lunch.example?": "", "https://lunch.example#top": "", "https://me@lunch.example": "",
	} {
		t.Setenv("PUBLIC_URL", value)
		c, err := LoadConfig()
		if (err != nil) != (want == "") || err == nil && c.site() != want {
			t.Errorf("%q: %q, %v; want %q", value, c.site(), err, want)
		}
	}
}

// An address for operators is there unless it is set to none.
func TestLoadConfig_OperatorsAddress(t *testing.T) {
	for _, test := range []struct {
		set    bool
		value  string
		want   string
		chosen bool
	}{
		{false, "", "127.0.0.1:9090", false},
		{true, "", "", true},
		{true, ":9100", ":9100", true},
	} {
		t.Setenv("OPS_ADDR", test.value)
		if !test.set {
			dbtest.Must(t, os.Unsetenv("OPS_ADDR"))
		}
		c, err := LoadConfig()
		if err != nil || c.OpsAddr != test.want || c.opsChosen != test.chosen {
			t.Errorf("%+v: %q, chosen %t, %v", test, c.OpsAddr, c.opsChosen, err)
		}
	}
}

// The default gives way to another instance of this machine; an address that was set must be free.
func TestListenForOperators_AddressIsTaken(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	quiet := slog.New(slog.NewTextHandler(&log, nil))
	first, err := listenForOperators(Config{OpsAddr: "127.0.0.1:0", opsChosen: true}, quiet)
	dbtest.Must(t, err)
	defer first.Close()
	taken := first.Addr().String()
	second, err := listenForOperators(Config{OpsAddr: taken}, quiet)
	dbtest.Must(t, err)
	defer second.Close()
	if second.Addr().String() == taken || !strings.Contains(log.String(), second.Addr().String()) {
		t.Errorf("listens on %s; the log says %q", second.Addr(), log.String())
	}
	if third, err := listenForOperators(Config{OpsAddr: taken, opsChosen: true}, quiet); err == nil {
		t.Errorf("listens on %s, which is not what was set", third.Addr())
	}
	if none, err := listenForOperators(Config{opsChosen: true}, quiet); none != nil || err != nil {
		t.Errorf("listens on %v, %v", none, err)
	}
}

// A private installation keeps its secret.
func TestSigningSecret_IsKept(t *testing.T) {
	t.Parallel()
	c := Config{DataDir: t.TempDir()}
	first, err := c.signingSecret()
	if err != nil || len(first) < minSecret {
		t.Fatalf("got %q, %v", first, err)
	}
	if again, err := c.signingSecret(); err != nil || string(again) != string(first) {
		t.Errorf("then %q, %v", again, err)
	}
}

// A private installation is a demo unless the settings say otherwise; one with a database of its operator's is none.
func TestDemo_OnlyPrivateByDefault(t *testing.T) {
	yes, no := true, false
	for name, test := range map[string]struct {
		database string
		demo     *bool
		want     bool
	}{
		"private":               {"", nil, true},
		"private, refused":      {"", &no, false},
		"own database":          {"postgres://db/lunchgo", nil, false},
		"own database, ordered": {"postgres://db/lunchgo", &yes, true},
	} {
		if c := (Config{DatabaseURL: test.database, Demo: test.demo}); c.demo() != test.want {
			t.Errorf("%s: demo %v", name, c.demo())
		}
	}
}

// Who restores a dump audits it without the installation's secret, and migrates it without a Redis. What signs needs
// the secret, and what has lines a Redis that is named: two instances on one database that start one each would have two
// lines for a slot. A start names both at once.
func TestRunCommand_SecretAndRedisWhereTheyAreNeeded(t *testing.T) {
	c, data := installation(t), t.TempDir()
	for name, value := range map[string]string{
		"DATABASE_URL": c.DatabaseURL, "DATA_DIR": data, "REDIS_URL": "", "SECRET": "", "LOG_LEVEL": "ERROR",
	} {
		t.Setenv(name, value)
	}
	for _, command := range []string{"migrate", "audit"} {
		if err := runCommand(t.Context(), []string{command}, io.Discard); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
	for _, command := range []string{"serve", "seed", "rush", "rotate"} {
		err := runCommand(t.Context(), []string{command}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "SECRET: must be set") ||
			strings.Contains(err.Error(), "\nREDIS_URL: must be set with DATABASE_URL") != (command != "rotate") {
			t.Errorf("%s: %v", command, err)
		}
	}
	if made, err := os.ReadDir(data); err != nil || len(made) > 0 {
		t.Errorf("private data was made: %v, %v", made, err)
	}
}

// A Redis of this machine's own stands beside a database that others may use where it is asked for by name.
func TestOpenBackends_PrivateRedisByName(t *testing.T) {
	t.Parallel()
	c := Config{DatabaseURL: installation(t).DatabaseURL, RedisURL: privateRedis, DatabaseConns: 2, DataDir: t.TempDir()}
	b, err := openBackends(t.Context(), c, slog.New(slog.DiscardHandler))
	dbtest.Must(t, err)
	if len(b.private) != 1 || b.redisURL == privateRedis {
		t.Errorf("%d servers were started; Redis is at %q", len(b.private), b.redisURL)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
