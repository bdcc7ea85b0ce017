package main

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"lunchgo/app/redisclient"
	"lunchgo/db/dbtest"
)

// Settings are refused, or such that the program can be built with them.
func FuzzLoadConfig(f *testing.F) {
	f.Add("127.0.0.1:8080", "https://lunch.example/", "redis://a:1,redis://b:2", "10.0.0.0/8,::1", "5m")
	f.Add("nowhere", "https://x/y?z#", "redis://", "10.0.0.0/99", "-1s")
	f.Add(":", "http://[::1", "redis://%zz", ",", "9999999h")
	f.Fuzz(func(t *testing.T, addr, public, redisURL, proxies, every string) {
		for name, value := range map[string]string{"ADDR": addr, "OPS_ADDR": addr, "PUBLIC_URL": public,
			"REDIS_URL":       redisURL,
			"TRUSTED_PROXIES": proxies, "AUDIT_EVERY": every} {
			if strings.ContainsRune(value, 0) {
				return // no environment holds it
			}
			dbtest.Must(t, os.Setenv(name, value))
			defer func() { _ = os.Unsetenv(name) }()
		}
		c, err := LoadConfig()
		if err != nil {
			return
		}
		site, err := url.Parse(c.site())
		if err != nil && c.PublicURL != "" || err == nil && site.Path != "" || strings.HasSuffix(c.site(), "/") {
			t.Errorf("%q: the site is at %q, %v", public, c.site(), err)
		}
		if redisURL != "" {
			client, err := redisclient.Open(redisURL)
			if err == nil {
				_ = client.Close()
			}
		}
	})
}
