package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

var update = flag.Bool("update", false, "write the table of settings into docs/operations.md")

// The document shows the table of the code. -update has it do so.
func TestSettings_AreDocumented(t *testing.T) {
	t.Parallel()
	const document = "../docs/operations.md"
	text, err := os.ReadFile(document)
	dbtest.Must(t, err)
	before, rest, found := strings.Cut(string(text), "| variable | default |")
	shown, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("there is no table")
	}
	table := settingsTable()
	if "| variable | default |"+shown+"\n" == table {
		return
	}
	if !*update {
		t.Fatal("the table of settings is not the code's: run go tool task generate")
	}
	dbtest.Must(t, os.WriteFile(document, []byte(before+table+"\n"+after), 0o644))
}

// A row is complete, and its default is one that it accepts.
func TestSettings_Rows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range new(Config).table() {
		if s.name == "" || seen[s.name] || s.accepts == "" || s.about == "" || strings.Contains(s.row(), "\n|") {
			t.Errorf("%s", s.row())
		}
		if seen[s.name] = true; s.preset != "" && !s.read(s.preset) {
			t.Errorf("%s does not accept its default %s", s.name, s.preset)
		}
	}
}

// Every secret may come from a file instead, without the newline at its end.
func TestLoadConfig_SecretsFromFiles(t *testing.T) {
	var c Config
	secrets := map[string]*string{"SECRET": &c.Secret, "SECRET_OLD": &c.OldSecret,
		"DATABASE_URL": &c.DatabaseURL, "REDIS_URL": &c.RedisURL, "DATABASE_REPLICA_URL": &c.ReplicaURL, "SMTP_URL": &c.SMTPURL, "KAFKA_PASSWORD": &c.Kafka.Password,
		"TOSS_SECRET_KEY": &c.Payments.TossSecretKey, "STRIPE_SECRET_KEY": &c.Payments.StripeSecretKey,
		"KAKAO_CLIENT_SECRET": &c.SignIn.KakaoSecret, "NAVER_CLIENT_SECRET": &c.SignIn.NaverSecret,
		"OIDC_CLIENT_SECRET": &c.SignIn.ClientSecret, "SOLAPI_API_SECRET": &c.Texts.Solapi.Secret,
		"STRIPE_WEBHOOK_SECRET":      &c.Payments.StripeWebhookSecret,
		"OTEL_EXPORTER_OTLP_HEADERS": &c.Traces.Headers, "OTEL_EXPORTER_OTLP_TRACES_HEADERS": &c.Traces.OfTraces.Headers}
	texts := map[string]string{"SECRET": "dLUW3gJ2pWcVYqmDz8Rk5HnXtA7bFs0E",
		"SECRET_OLD": "E0sFb7AtXnH5kR8zDmqYVcWp2Jg3WULd", "DATABASE_URL": "postgres://a:b@c/d",
		"DATABASE_REPLICA_URL": "postgres://a:b@e/d", "REDIS_URL": "redis://:x@y:1", "SMTP_URL": "smtps://u:p@m:465",
		"KAFKA_PASSWORD": " a password ", "TOSS_SECRET_KEY": "test_sk_a", "STRIPE_SECRET_KEY": "sk_test_a",
		"STRIPE_WEBHOOK_SECRET": "whsec_a", "KAKAO_CLIENT_SECRET": "k", "NAVER_CLIENT_SECRET": "n",
		"OIDC_CLIENT_SECRET": "o", "SOLAPI_API_SECRET": "s", "OTEL_EXPORTER_OTLP_HEADERS": "a=1",
		"OTEL_EXPORTER_OTLP_TRACES_HEADERS": "b=2"}
	t.Setenv("PAYMENTS", "stripe")
	t.Setenv("PUBLIC_URL", "https://lunchgo.example")
	for _, name := range []string{"KAKAO_CLIENT_ID", "NAVER_CLIENT_ID", "OIDC_CLIENT_ID", "OIDC_NAME"} {
		t.Setenv(name, "a")
	}
	t.Setenv("OIDC_ISSUER", "https://id.example")
	t.Setenv("KAFKA_USER", "lunchgo")
	t.Setenv("KAFKA_BROKERS", "k:9092")
	for name, text := range texts {
		inFile(t, name, text+"\n")
	}
	var err error
	if c, err = LoadConfig(); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.table() {
		if s.secret != (secrets[s.name] != nil) {
			t.Errorf("%s is a secret: %t", s.name, s.secret)
		}
	}
	for name, is := range secrets {
		if *is != texts[name] {
			t.Errorf("%s is %q, want %q", name, *is, texts[name])
		}
	}
}

// A secret that is set twice, or whose file is not there, empty or wrong, is named as every other fault, and not shown.
func TestLoadConfig_NamesFaultsOfFiles(t *testing.T) {
	inFile(t, "SECRET", "weak-and-short\n")
	inFile(t, "DATABASE_URL", "postgres://a:b@c/d")
	t.Setenv("DATABASE_URL", "postgres://a:b@c/d")
	inFile(t, "SMTP_URL", "\n")
	t.Setenv("REDIS_URL_FILE", filepath.Join(t.TempDir(), "none"))
	inFile(t, "ADDR", "nowhere") // is no secret: the variable means nothing
	_, err := LoadConfig()
	if err == nil {
		t.Fatal("no fault was found")
	}
	for _, want := range []string{"SECRET: must be 32 random characters",
		"DATABASE_URL_FILE: must not be set together with DATABASE_URL", "SMTP_URL_FILE: must be a file that holds",
		"REDIS_URL_FILE: must be a file that can be read: open /"} {
		if !strings.Contains("\n"+err.Error(), "\n"+want) {
			t.Errorf("no line %q:\n%v", want, err)
		}
	}
	if strings.Count(err.Error(), "\n") != 3 || strings.Contains(err.Error(), "weak-and-short") {
		t.Error(err)
	}
}

// inFile sets NAME_FILE to a file with a text.
func inFile(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	dbtest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	t.Setenv(name+fileSuffix, path)
}
