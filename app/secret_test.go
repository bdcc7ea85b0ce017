package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

func TestLoadConfig_RefusesSecretsThatCanBeGuessed(t *testing.T) {
	for _, weak := range []string{
		strings.Repeat("a", 32), strings.Repeat("a", 200), strings.Repeat("ab", 16), strings.Repeat("password", 8),
		"0123456789abcdef0123456789abcdef", "abcdefghijklmnopqrstuvwxyz0123456789", "changemechangemechangemechangeme",
		"00000000000000000000000000000001", strings.Repeat("lunchgo-secret-", 4), "11112222333344445555666677778888",
		"please set SECRET to something long", "PleaseSetSECRETToSomethingVeryLong1",
		"your-secret-key-goes-here-0123456789", "this_is_the_default_signing_key_of_our_site",
		"insert a random string of 32 characters here", "the quick brown fox jumps over the lazy dog",
		"my lunch site has a key that nobody knows", "CHANGE-ME-CHANGE-ME-BEFORE-PRODUCTION-USE",
	} {
		t.Setenv("SECRET", weak)
		if _, err := LoadConfig(); err == nil || !strings.Contains(err.Error(), "openssl rand -hex 32") ||
			strings.Contains(err.Error(), weak) {
			t.Errorf("%q, worth %.0f bits: %v", weak, secretBits(weak), err)
		}
	}
}

func TestLoadConfig_AcceptsRandomSecrets(t *testing.T) {
	for range 2_000 {
		random := make([]byte, 32)
		_, _ = rand.Read(random)
		for _, good := range []string{hex.EncodeToString(random), hex.EncodeToString(random[:16]),
			base64.StdEncoding.EncodeToString(random), base64.URLEncoding.EncodeToString(random),
			rand.Text() + rand.Text(), "lunchgo-secret-" + hex.EncodeToString(random)} {
			if isGuessable(good) {
				t.Fatalf("%q is worth %.0f bits", good, secretBits(good))
			}
		}
	}
	t.Setenv("SECRET", rand.Text()+rand.Text())
	t.Setenv("SECRET_OLD", rand.Text()+rand.Text())
	if _, err := LoadConfig(); err != nil {
		t.Error(err)
	}
	t.Setenv("SECRET_OLD", os.Getenv("SECRET"))
	if _, err := LoadConfig(); err == nil || err.Error() != "SECRET_OLD: must be another than SECRET" {
		t.Error(err)
	}
}
