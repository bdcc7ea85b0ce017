package main

import (
	"os"
	"strings"
	"testing"

	"lunchgo/app/legal"
	"lunchgo/views"
)

// A company is named whole or not at all; some need no number of a mail-order business.
func TestLoadConfig_Company(t *testing.T) {
	all := map[string]string{"COMPANY_NAME": "런치고", "COMPANY_REPRESENTATIVE": "김하늘",
		"COMPANY_REGISTRATION": "123-45-67890", "COMPANY_ADDRESS": "서울 종로구 북촌로 12", "COMPANY_PHONE": "02-123-4567",
		"COMPANY_EMAIL": "help@lunchgo.example"}
	for name, value := range all { // in any order
		t.Setenv(name, value)
	}
	config, err := LoadConfig()
	if err != nil || config.Company.Representative != "김하늘" || config.Company.MailOrder != "" {
		t.Errorf("%+v, %v", config.Company, err)
	}
	for name := range all { // in any order
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "")
			if _, err := LoadConfig(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("without it: %v", err)
			}
		})
	}
}

// Documents that are not right keep the site from starting, and are named.
func TestLoadConfig_LegalDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("LEGAL_DIR", dir)
	if _, err := LoadConfig(); err != nil {
		t.Errorf("a folder without any: %v", err)
	}
	if err := os.WriteFile(dir+"/terms.2027-01-01.ko.md", []byte("# Title\n\nText"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadConfig(); err == nil || !strings.Contains(err.Error(), "terms.2027-01-01.en.md") {
		t.Errorf("a version in one language: %v", err)
	}
}

// The terms speak of a company: a demo that names nobody has a made-up one, and whoever runs a site names their own.
func TestCompany_IsMadeUpOnlyInADemo(t *testing.T) {
	t.Parallel()
	own, yes, no := views.Company{Name: "런치고"}, true, false
	for _, test := range []struct {
		demo    *bool
		company views.Company
		want    string
	}{{&no, views.Company{}, ""}, {&yes, own, "런치고"}, {&no, own, "런치고"}, {&yes, views.Company{}, "런치고 데모 (가상 회사)"}} {
		if got := (Config{Demo: test.demo, Company: test.company}).company(); got.Name != test.want {
			t.Errorf("%+v: %q", test, got.Name)
		}
	}
}

// The built-in privacy policy says for how long the usual settings have things stored.
func TestSettings_AreThoseOfThePrivacyPolicy(t *testing.T) {
	t.Parallel()
	of := legal.BuiltIn().InForce(legal.Privacy, "2999-01-01").Body
	var c Config
	for _, s := range c.table() {
		if s.name != "ACCOUNT_KEEP_DAYS" && s.name != "LETTERS_KEEP_DAYS" {
			continue
		}
		if !strings.Contains(of.Ko, s.preset+"일") || !strings.Contains(of.En, s.preset+" days") {
			t.Errorf("%s: %s days are not in the text", s.name, s.preset)
		}
	}
}
