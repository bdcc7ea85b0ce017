package main

import (
	"strings"
	"testing"
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
