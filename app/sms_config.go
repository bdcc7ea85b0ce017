package main

import (
	"regexp"
	"strings"

	"lunchgo/app/mail"
	"lunchgo/app/program"
	"lunchgo/app/sms/solapi"
)

// Texts is what the settings say about text messages.
type Texts struct {
	Solapi    solapi.Config
	Templates map[mail.Kind]*string // forms of AlimTalk
}

func (t *Texts) settings() []setting {
	s := &t.Solapi
	list := []setting{
		{"SOLAPI_API_KEY", "", text(&s.Key, "an API key", nil),
			"who sends [text messages](#text-messages) by Solapi; empty: nobody"},
		{"SOLAPI_API_SECRET", "", secret(&s.Secret, "an API secret", nil), "of the same key"},
		{"SMS_FROM", "", text(&s.From, "a phone number in digits", isDigits),
			"from which texts come: one that is registered at Solapi"},
		{"SOLAPI_API", solapi.API, text(&s.BaseURL, "http(s)://host without a path", isSite),
			"another address for tests only"},
		{"ALIMTALK_CHANNEL", "", text(&s.Channel, "a pfId", nil), "of KakaoTalk, by which AlimTalk is sent"},
	}
	t.Templates = map[mail.Kind]*string{}
	for _, of := range []struct {
		kind  mail.Kind
		about string
	}{
		{mail.Turn, "that a turn has come"}, {mail.Offer, "of an offer"}, {mail.Reminder, "of a reminder"},
		{mail.Door, "that a table is ready"}, {mail.PaymentLink, "that asks for a deposit"},
	} {
		id := new(string)
		t.Templates[of.kind] = id
		list = append(list, setting{"ALIMTALK_" + strings.ToUpper(string(of.kind)), "", text(id, "a templateId", nil),
			"the form of AlimTalk " + of.about + "; empty: a text message"})
	}
	return list
}

var isDigits = regexp.MustCompile(`^[0-9]{8,11}$`).MatchString

// textFaults returns what is wrong with the settings of text messages only together.
func (c Config) textFaults() (faults []*fault) {
	t := c.Texts
	if t.Solapi.Key != "" {
		faults = unset("SOLAPI_API_KEY", named{"SOLAPI_API_SECRET", t.Solapi.Secret}, named{"SMS_FROM", t.Solapi.From},
			named{"PUBLIC_URL", c.PublicURL}) // texts hold links
	}
	if len(t.templates()) > 0 && (t.Solapi.Key == "" || t.Solapi.Channel == "") {
		faults = append(faults, &fault{"ALIMTALK_CHANNEL", "be set, with SOLAPI_API_KEY, where a form of AlimTalk is"})
	}
	return faults
}

// templates are the forms that are set.
func (t Texts) templates() map[mail.Kind]string {
	set := map[mail.Kind]string{}
	for kind, id := range t.Templates {
		if *id != "" {
			set[kind] = *id
		}
	}
	return set
}

// texts returns who sends texts; nobody without settings.
func (c Config) texts() program.TextsConfig {
	if c.Texts.Solapi.Key == "" {
		return program.TextsConfig{}
	}
	account := c.Texts.Solapi
	account.BaseURL = strings.TrimRight(account.BaseURL, "/")
	return program.TextsConfig{Provider: solapi.New(account), Templates: c.Texts.templates()}
}
