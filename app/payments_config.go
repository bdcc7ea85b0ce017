package main

import (
	"log/slog"
	"strings"
	"time"

	"lunchgo/app/payments/practice"
	"lunchgo/app/payments/stripe"
	"lunchgo/app/payments/toss"
	"lunchgo/app/program"
)

// Payments is what the settings say about payments by card.
type Payments struct {
	Provider                             string // empty: the practice bank in a demo, none elsewhere
	Grace                                time.Duration
	TossClientKey, TossSecretKey         string
	StripeSecretKey, StripeWebhookSecret string
	TossAPI, StripeAPI                   string
}

// maxGrace bounds PAYMENT_GRACE: nobody else gets the seats meanwhile.
const maxGrace = 30 * time.Minute

func (p *Payments) settings() []setting {
	return []setting{
		{"PAYMENTS", "", word(&p.Provider, toss.Name, stripe.Name, practice.Name),
			"who takes [payments](payments.md) by card: Toss Payments, Stripe, or the practice bank of demos; empty: the " +
				"practice bank in a demo, nobody elsewhere"},
		{"PAYMENT_GRACE", "3m", period(&p.Grace, "a time of 0s to 30m", func(d time.Duration) bool {
			return d >= 0 && d <= maxGrace
		}), "by how long a payment window that was opened in time prolongs its hold, once"},
		{"TOSS_CLIENT_KEY", "", text(&p.TossClientKey, "test_ck_… or live_ck_…", beginsWith("test_ck_", "live_ck_")),
			"of Toss Payments, for its payment window; not that of the widget, which begins `test_gck_`"},
		{"TOSS_SECRET_KEY", "", secret(&p.TossSecretKey, "test_sk_… or live_sk_…", beginsWith("test_sk_", "live_sk_")),
			"of the same set as `TOSS_CLIENT_KEY`"},
		{"STRIPE_SECRET_KEY", "", secret(&p.StripeSecretKey, "sk_test_…, sk_live_…, rk_test_… or rk_live_…",
			beginsWith("sk_test_", "sk_live_", "rk_test_", "rk_live_")), "of Stripe; a restricted key, `rk_…`, is enough"},
		{"STRIPE_WEBHOOK_SECRET", "", secret(&p.StripeWebhookSecret, "whsec_…", beginsWith("whsec_")),
			"of the endpoint at Stripe that sends to `/hooks/payments/stripe`"},
		{"TOSS_API", toss.API, text(&p.TossAPI, "http(s)://host without a path", isSite), "another address for tests only"},
		{"STRIPE_API", stripe.API, text(&p.StripeAPI, "http(s)://host without a path", isSite),
			"another address for tests only"},
	}
}

// beginsWith returns what says whether a text has one of the beginnings, and something after it.
func beginsWith(prefixes ...string) func(string) bool {
	return func(text string) bool {
		for _, prefix := range prefixes {
			if rest, ok := strings.CutPrefix(text, prefix); ok && rest != "" && !strings.ContainsAny(rest, " \t\n") {
				return true
			}
		}
		return false
	}
}

// paymentFaults returns what is wrong with the settings of payments only together, and with others.
func (c Config) paymentFaults() (faults []*fault) {
	p := c.Payments
	check := func(wrong bool, name, must string) {
		if wrong {
			faults = append(faults, &fault{name, must})
		}
	}
	needs := func(provider, value, name string) {
		check(p.Provider == provider && value == "", name, "be set with PAYMENTS="+provider)
	}
	check(p.Provider == practice.Name && !c.demo(), "PAYMENTS",
		"be toss or stripe without DEMO: the practice bank has no money")
	check(p.Provider == "" && p.hasKeys(), "PAYMENTS", "be set with the keys of a provider")
	needs(toss.Name, p.TossClientKey, "TOSS_CLIENT_KEY")
	needs(toss.Name, p.TossSecretKey, "TOSS_SECRET_KEY")
	needs(stripe.Name, p.StripeSecretKey, "STRIPE_SECRET_KEY")
	needs(stripe.Name, p.StripeWebhookSecret, "STRIPE_WEBHOOK_SECRET")
	check(p.TossClientKey != "" && p.TossSecretKey != "" && isLive(p.TossClientKey) != isLive(p.TossSecretKey),
		"TOSS_CLIENT_KEY", "be of the same set as TOSS_SECRET_KEY, for tests or live")
	charges := p.Provider == toss.Name || p.Provider == stripe.Name
	check(charges && c.PublicURL == "", "PUBLIC_URL",
		"be set with PAYMENTS: from a provider's page browsers come back there")
	check(p.takesMoney() && c.PublicURL != "" && !c.secure(), "PUBLIC_URL", "begin with https:// with a live key")
	check(p.takesMoney() && c.demo(), "PAYMENTS", "have keys for tests with DEMO, whose passwords everybody knows")
	return faults
}

// hasKeys says whether there is a key of some provider.
func (p Payments) hasKeys() bool {
	return p.TossClientKey != "" || p.TossSecretKey != "" || p.StripeSecretKey != "" || p.StripeWebhookSecret != ""
}

// takesMoney says whether the provider's key is a live one.
func (p Payments) takesMoney() bool {
	return p.Provider == toss.Name && isLive(p.TossSecretKey) || p.Provider == stripe.Name && isLive(p.StripeSecretKey)
}

func isLive(key string) bool { return strings.Contains(key, "live_") }

// payments returns who takes payments by card. It warns of an installation that is no demo and takes no money.
func (c Config) payments(log *slog.Logger) program.PaymentsConfig {
	p := c.Payments
	if p.hasKeys() && !p.takesMoney() && !c.demo() {
		log.Warn("payments move no money: the provider's keys are for tests", "provider", p.Provider)
	}
	to := program.PaymentsConfig{Grace: p.Grace}
	switch p.Provider {
	case toss.Name:
		to.Provider = toss.New(toss.Config{SecretKey: p.TossSecretKey, ClientKey: p.TossClientKey,
			BaseURL: strings.TrimRight(p.TossAPI, "/")})
	case stripe.Name:
		to.Provider = stripe.New(stripe.Config{SecretKey: p.StripeSecretKey, SigningSecret: p.StripeWebhookSecret,
			BaseURL: strings.TrimRight(p.StripeAPI, "/")})
	default:
		to.Practice = c.demo() // where the settings were checked, that is so with PAYMENTS=practice
	}
	return to
}
