package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"lunchgo/app/payments/stripe"
	"lunchgo/app/payments/toss"
)

// What the settings of payments say together, or what each of them must be.
func TestLoadConfig_Payments(t *testing.T) {
	const demo, noDemo, site = "DEMO=true ", "DEMO=false ", "PUBLIC_URL=https://lunchgo.example "
	const ofToss, ofStripe = "PAYMENTS=toss ", "PAYMENTS=stripe "
	const tossKeys = "TOSS_CLIENT_KEY=test_ck_a TOSS_SECRET_KEY=test_sk_a "
	const stripeKeys = "STRIPE_SECRET_KEY=rk_test_a STRIPE_WEBHOOK_SECRET=whsec_a "
	const halfLive = "TOSS_CLIENT_KEY=test_ck_a TOSS_SECRET_KEY=live_sk_a "
	const live = "STRIPE_SECRET_KEY=sk_live_a STRIPE_WEBHOOK_SECRET=whsec_a "
	for name, c := range map[string]struct{ set, provider, faults string }{ // in any order
		"a demo":              {demo, "practice", ""},
		"no demo":             {noDemo, "", ""},
		"practice in a demo":  {demo + "PAYMENTS=practice", "practice", ""},
		"practice without":    {noDemo + "PAYMENTS=practice", "", "PAYMENTS"},
		"toss":                {noDemo + ofToss + tossKeys + site, toss.Name, ""},
		"toss in a demo":      {demo + ofToss + tossKeys + "PUBLIC_URL=http://localhost:8080", toss.Name, ""},
		"toss without keys":   {ofToss + site, "", "TOSS_CLIENT_KEY TOSS_SECRET_KEY"},
		"toss, half live":     {noDemo + ofToss + halfLive + site, "", "TOSS_CLIENT_KEY"},
		"stripe":              {noDemo + ofStripe + stripeKeys + site, stripe.Name, ""},
		"stripe without keys": {ofStripe + site, "", "STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET"},
		"without a site":      {ofStripe + stripeKeys, "", "PUBLIC_URL"},
		"live":                {noDemo + ofStripe + live + site, stripe.Name, ""},
		"live without TLS":    {noDemo + ofStripe + live + "PUBLIC_URL=http://lunchgo.example", "", "PUBLIC_URL"},
		"live in a demo":      {demo + ofStripe + live + site, "", "PAYMENTS"},
		"only keys":           {tossKeys, "", "PAYMENTS"},
		"keys of both":        {noDemo + ofStripe + tossKeys + stripeKeys + site, stripe.Name, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for pair := range strings.FieldsSeq(c.set) {
				key, value, _ := strings.Cut(pair, "=")
				t.Setenv(key, value)
			}
			config, err := LoadConfig()
			var faulty []string
			if err != nil {
				for line := range strings.SplitSeq(err.Error(), "\n") {
					faulty = append(faulty, line[:strings.Index(line, ":")])
				}
			}
			if got := strings.Join(faulty, " "); got != c.faults {
				t.Fatalf("the faults are %q, want %q: %v", got, c.faults, err)
			}
			var log bytes.Buffer
			to := config.payments(slog.New(slog.NewTextHandler(&log, nil)))
			provider := ""
			if to.Provider != nil {
				provider = to.Provider.Name()
			} else if to.Practice {
				provider = "practice"
			}
			if c.faults == "" && (provider != c.provider || to.Grace != 3*time.Minute) {
				t.Errorf("%q takes payments, with %s of grace", provider, to.Grace)
			}
			warns := c.provider != "" && strings.HasPrefix(c.set, noDemo) && !strings.Contains(c.set, live)
			if c.faults == "" && strings.Contains(log.String(), "move no money") != warns {
				t.Errorf("the log is %q", &log)
			}
		})
	}
}
