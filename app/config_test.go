package main

import (
	"strings"
	"testing"
)

// Every fault of the settings is named at once.
func TestLoadConfig_NamesEveryFault(t *testing.T) {
	for name, value := range map[string]string{
		"ADDR": "nowhere", "DATABASE_URL": "mysql://x", "REDIS_URL": "redis://a:1,http://b", "SECRET": "short",
		"DATABASE_CONNS": "1", "PUBLIC_URL": "lunch.example", "LINE_GRACE": "-1s", "AUDIT_EVERY": "10ms",
		"TRUSTED_PROXIES": "10.0.0.0/8,proxy", "SMTP_URL": "mail.example:25", "MAIL_FROM": "LunchGo",
	} {
		t.Setenv(name, value)
	}
	_, err := LoadConfig()
	if err == nil {
		t.Fatal("no fault was found")
	}
	for _, part := range []string{"ADDR", "DATABASE_URL", "REDIS_URL", "SECRET", "DATABASE_CONNS", "PUBLIC_URL", "LINE_GRACE", "AUDIT_EVERY", "TRUSTED_PROXIES", "SMTP_URL", "MAIL_FROM"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("nothing is said about %s:\n%v", part, err)
		}
	}
	if strings.Contains(err.Error(), "mysql://x") {
		t.Error("an address, which may hold a password, is shown")
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
