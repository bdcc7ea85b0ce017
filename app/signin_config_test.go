package main

import (
	"strings"
	"testing"
)

// What the settings of providers of sign-ins say together.
func TestLoadConfig_SignIn(t *testing.T) {
	const site = "PUBLIC_URL=https://lunchgo.example "
	const kakao = "KAKAO_CLIENT_ID=a KAKAO_CLIENT_SECRET=b "
	const other = "OIDC_ISSUER=https://id.example OIDC_NAME=Example OIDC_CLIENT_ID=a OIDC_CLIENT_SECRET=b "
	for name, c := range map[string]struct{ set, providers, faults string }{ // in any order
		"none":           {"", "", ""},
		"Kakao":          {site + kakao, "kakao", ""},
		"all":            {site + other + kakao + "NAVER_CLIENT_ID=a NAVER_CLIENT_SECRET=b", "kakao naver oidc", ""},
		"half of Naver":  {site + "NAVER_CLIENT_ID=a", "", "NAVER_CLIENT_SECRET"},
		"half of Kakao":  {site + "KAKAO_CLIENT_ID=a", "", "KAKAO_CLIENT_SECRET"},
		"without a site": {kakao, "", "PUBLIC_URL"},
		"an issuer only": {site + "OIDC_ISSUER=https://id.example", "", "OIDC_NAME OIDC_CLIENT_ID OIDC_CLIENT_SECRET"},
		"no address":     {site + other + "OIDC_ISSUER=id.example", "", "OIDC_ISSUER"},
	} {
		t.Run(name, func(t *testing.T) {
			for pair := range strings.FieldsSeq(c.set) {
				key, value, _ := strings.Cut(pair, "=")
				t.Setenv(key, value)
			}
			config, err := LoadConfig()
			var faulty, providers []string
			if err != nil {
				for line := range strings.SplitSeq(err.Error(), "\n") {
					faulty = append(faulty, line[:strings.Index(line, ":")])
				}
			}
			if got := strings.Join(faulty, " "); got != c.faults || err != nil {
				if got != c.faults {
					t.Errorf("the faults are %q, want %q: %v", got, c.faults, err)
				}
				return
			}
			for _, p := range config.SignIn.providers() {
				providers = append(providers, p.Name)
			}
			if got := strings.Join(providers, " "); got != c.providers {
				t.Errorf("providers %q, want %q", got, c.providers)
			}
		})
	}
}
