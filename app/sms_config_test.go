package main

import (
	"strings"
	"testing"

	"lunchgo/app/mail"
)

// Texts need an account at Solapi with a number, and links an address; AlimTalk a channel.
func TestLoadConfig_Texts(t *testing.T) {
	all := map[string]string{"SOLAPI_API_KEY": "NCS1", "SOLAPI_API_SECRET": "secret", "SMS_FROM": "0212345678",
		"PUBLIC_URL": "https://lunchgo.example", "ALIMTALK_CHANNEL": "KA01PF1", "ALIMTALK_TURN": "KA01TP1"}
	for name, value := range all { // in any order
		t.Setenv(name, value)
	}
	config, err := LoadConfig()
	if texts := config.texts(); err != nil || texts.Provider == nil || len(texts.Templates) != 1 ||
		texts.Templates[mail.Turn] != "KA01TP1" {
		t.Errorf("%+v, %v", config.Texts, err)
	}
	for name, missed := range map[string]string{"SOLAPI_API_SECRET": "SOLAPI_API_SECRET", "SMS_FROM": "SMS_FROM",
		"PUBLIC_URL": "PUBLIC_URL", "ALIMTALK_CHANNEL": "ALIMTALK_CHANNEL", "SOLAPI_API_KEY": "ALIMTALK_CHANNEL"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "")
			if _, err := LoadConfig(); err == nil || !strings.Contains(err.Error(), missed) {
				t.Errorf("without it: %v", err)
			}
		})
	}
	t.Setenv("SMS_FROM", "02-1234-5678")
	if _, err := LoadConfig(); err == nil || !strings.Contains(err.Error(), "SMS_FROM") {
		t.Errorf("with dashes: %v", err)
	}
	t.Setenv("SMS_FROM", "0212345678")
	for name := range all { // in any order
		t.Setenv(name, "")
	}
	if config, err := LoadConfig(); err != nil || config.texts().Provider != nil {
		t.Errorf("without any: %v", err)
	}
}
