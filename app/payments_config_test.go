package main

import (
	"strings"
	"testing"
	"time"

	"lunchgo/app/payments/stripe"
	"lunchgo/app/payments/toss"
)

// What the settings of payments say together, or what each of them must be.
func TestLoadConfig_Payments(t *testing.T) {
	const demo, site = "DEMO=true ", "PUBLIC_URL=https://lunchgo.example "
	const tossKeys = "TOSS_CLIENT_KEY=test_ck_a TOSS_SECRET_KEY=test_sk_a "
	const stripeKeys = "STRIPE_SECRET_KEY=rk_test_a STRIPE_WEBHOOK_SECRET=whsec_a "
	for name, c := range map[string]struct{ set, provider, faults string }{ // in any order
		"a demo":              {demo, "practice", ""},
		"no demo":             {"DEMO=false", "", ""},
		"practice in a demo":  {demo + "PAYMENTS=practice", "practice", ""},
		"practice without":    {"DEMO=false PAYMENTS=practice", "", "PAYMENTS"},
		"toss":                {"DEMO=false PAYMENTS=toss " + tossKeys + site, toss.Name, ""},
		"toss in a demo":      {demo + "PAYMENTS=toss PUBLIC_URL=http://localhost:8080 " + tossKeys, toss.Name, ""},
		"toss without keys":   {"PAYMENTS=toss " + site, "", "TOSS_CLIENT_KEY TOSS_SECRET_KEY"},
		"toss, half live":     {"DEMO=false PAYMENTS=toss TOSS_CLIENT_KEY=test_ck_a TOSS_SECRET_KEY=live_sk_a " + site, "", "TOSS_CLIENT_KEY"},
		"stripe":              {"DEMO=false PAYMENTS=stripe " + stripeKeys + site, stripe.Name, ""},
		"stripe without keys": {"PAYMENTS=stripe " + site, "", "STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET"},
		"without a site":      {"PAYMENTS=stripe " + stripeKeys, "", "PUBLIC_URL"},
		"live without TLS":    {"DEMO=false PAYMENTS=stripe PUBLIC_URL=http://lunchgo.example STRIPE_SECRET_KEY=sk_live_a STRIPE_WEBHOOK_SECRET=whsec_a", "", "PUBLIC_URL"},
		"live in a demo":      {demo + "PAYMENTS=stripe STRIPE_SECRET_KEY=sk_live_a STRIPE_WEBHOOK_SECRET=whsec_a " + site, "", "PAYMENTS"},
		"only keys":           {tossKeys, "", "PAYMENTS"},
		"keys of both":        {"DEMO=false PAYMENTS=stripe " + tossKeys + stripeKeys + site, stripe.Name, ""},
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
			to := config.payments()
			provider := ""
			if to.Provider != nil {
				provider = to.Provider.Name()
			} else if to.Practice {
				provider = "practice"
			}
			if c.faults == "" && (provider != c.provider || to.Grace != 3*time.Minute) {
				t.Errorf("%q takes payments, with %s of grace", provider, to.Grace)
			}
		})
	}
}
