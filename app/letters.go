package main

import (
	"log/slog"
	"time"

	"lunchgo/app/mail"
	"lunchgo/app/reserve"
)

// mailEvery is how often due letters are looked for.
const mailEvery = 2 * time.Second

// newPost returns what sends letters; nil without a mail server.
func newPost(c Config, secret []byte, store mail.Store, catalog reserve.Catalog, log *slog.Logger) (*mail.Post, error) {
	if c.SMTPURL == "" {
		return nil, nil
	}
	carrier, err := mail.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, err
	}
	return &mail.Post{Store: store, Catalog: catalog, Carrier: carrier, Offers: reserve.NewOfferLinks(secret), Site: c.site(), Every: mailEvery, Now: time.Now, Log: log}, nil
}

// mailbox is where letters are shown that no mail server sends; nil if there is one.
func mailbox(c Config, store mail.Store) mail.Store {
	if c.SMTPURL != "" {
		return nil
	}
	return store
}
