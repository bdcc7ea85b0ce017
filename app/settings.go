package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lunchgo/app/events/kafka"
)

// table is every setting of an installation, with where it is kept. docs/operations.md shows it, and a start reads it.
func (c *Config) table() []setting {
	return slices.Concat(c.siteSettings(), c.storeSettings(), c.lineSettings(), c.limitSettings(),
		c.Payments.settings(), c.SignIn.settings(), companySettings(&c.Company), legalSettings(&c.LegalDir),
		c.senderSettings(), c.Texts.settings(), c.watchSettings(), c.Traces.settings())
}

func (c *Config) siteSettings() []setting {
	strong := fmt.Sprintf("%d random characters or more, as of `openssl rand -hex 32`", minSecret)
	return []setting{
		{"ADDR", "127.0.0.1:8080", text(&c.Addr, "host:port", isAddress), "where it listens; port 0 takes a free one"},
		{"OPS_ADDR", "127.0.0.1:9090", value{accepts: "host:port, or empty for none", empty: true,
			read: func(text string) bool {
				c.OpsAddr = text
				return text == "" || isAddress(text)
			}}, "where `/metrics` and `/debug/pprof/` are, for operators only; set but empty: nowhere"},
		{"PUBLIC_URL", "", text(&c.PublicURL, "http(s)://host without a path", isSite),
			"how browsers reach it; with `https://` cookies are for TLS only; empty: by `ADDR`"},
		{"TRUSTED_PROXIES", "", list(&c.TrustedProxies, "an address or a network such as 10.0.0.0/8", isNetwork),
			"whose `X-Forwarded-For` counts; behind a proxy without it, all visitors share its address"},
		{"SECRET", "", secret(&c.Secret, strong, isStrong),
			"signs sessions and tickets, the same in all instances; needed with `DATABASE_URL`"},
		{"SECRET_OLD", "", secret(&c.OldSecret, strong, isStrong),
			"what it has signed is still good, beside what `SECRET` signs: see [below](#another-secret)"},
		{"DEMO", "", boolean(func(yes bool) { c.Demo = &yes }),
			"`true`: with demo accounts and play money, and owners publish by themselves; empty: for a private database"},
		{"OPERATOR_LINK", "true", boolean(func(yes bool) { c.OperatorLink = yes }),
			"whether a start prints the link that makes the first operator, while there is none"},
		{"DRAIN", "0s", period(&c.Drain, fmt.Sprintf("a time of 0s to %.0fs", maxDrain.Seconds()), func(d time.Duration) bool {
			return d >= 0 && d <= maxDrain
		}), "how long it serves on after SIGTERM while `/readyz` is 503; `3s` behind a load balancer"},
	}
}

func (c *Config) storeSettings() []setting {
	const database = "postgres://user:password@host/database"
	return []setting{
		{"DATABASE_URL", "", secret(&c.DatabaseURL, database, isDatabase),
			"PostgreSQL, or PgBouncer in transaction mode; empty: a private one under `DATA_DIR`"},
		{"DATABASE_CONNS", "12", number(&c.DatabaseConns, 2), "connections to PostgreSQL, at most"},
		{"DATABASE_REPLICA_URL", "", secret(&c.ReplicaURL, database, isDatabase), "a server that follows: reports and " +
			"the list of guests are read there, all that is committed, while it is less than a second behind"},
		{"REDIS_URL", "", secret(&c.RedisURL, "redis(s)://host:port, several with commas, or private",
			func(text string) bool { return text == privateRedis || isRedis(text) }),
			"Redis, the same for all instances, needed with `DATABASE_URL`; several addresses: a cluster; " +
				"`?master_name=…&addr=…`: sentinels; `private`, or empty without `DATABASE_URL`: one of its own"},
		{"DATA_DIR", ".data", text(&c.DataDir, "a folder", nil), "data of the private servers"},
	}
}

func (c *Config) lineSettings() []setting {
	return []setting{
		{"LINE_MAX_WAIT", "30m", duration(&c.LineMaxWait), "the longest time in a line"},
		{"LINE_MAX_LENGTH", "50000", number(&c.LineMaxLength, 1), "the longest line"},
		{"HOLD_UNSEEN", "3m", duration(&c.HoldUnseen), "how long a hold lasts that its diner has not seen"},
		{"ACCOUNT_KEEP_DAYS", "90", days(&c.UnusedKeep), "after how many days an account goes that nobody has " +
			"confirmed or used, and that holds nothing; 0: never"},
		{"LETTERS_KEEP_DAYS", "365", days(&c.LettersKeep), "after how many days a letter goes, sent or not; 0: never"},
	}
}

func (c *Config) limitSettings() []setting {
	l := &c.Limits
	return []setting{
		{"LIMIT_HOLDS", "3", number(&c.Holds.Holds, 1), "of an account: reservations that wait for payment"},
		{"LIMIT_UNCONFIRMED_HOLDS", "1", number(&c.Holds.UnconfirmedHolds, 1),
			"of an account: the same, while its e-mail address is not confirmed"},
		{"LIMIT_UNCONFIRMED_SHARE", "50", number(&c.Holds.UnconfirmedShare, 1),
			"percent of a slot's covers that such accounts hold together, while payment is awaited"},
		{"LIMIT_UNPAID", "10", number(&c.Holds.Unpaid, 1), "of an account: reservations to come that cost nothing"},
		{"LIMIT_ENTRIES", "5", number(&c.Holds.Entries, 1), "of an account: waitlists on which it waits"},
		{"LIMIT_PRESSES", "30", number(&l.Presses, 1), "of an account a minute: bookings and coupon claims"},
		{"LIMIT_CHANGES", "30", number(&l.Changes, 1),
			"of an account a minute: changes, payments, cancellations, quotes, the wallet, waitlists"},
		{"LIMIT_STAFF", "300", number(&l.Staff, 1), "of a member of staff a minute: changes"},
		{"LIMIT_LINES", "5", number(&c.MaxLines, 1),
			"of an account: lines in which it waits at once, for one day of a restaurant"},
		{"LIMIT_STREAMS", "20", number(&l.Streams, 1), "of an account: event streams that are open at once"},
		{"LIMIT_ANONYMOUS_STREAMS", "200", number(&l.AnonymousStreams, 1),
			"of an address without an account: event streams that are open at once"},
		{"LIMIT_SIGNUPS", "20", number(&l.SignUps, 1), "of an address an hour: new accounts"},
		{"LIMIT_READS", "500", number(&l.Reads, 1),
			"of an address without an account: requests a second, at each instance"},
		{"LIMIT_ACCOUNT_READS", "3000", number(&l.AccountReads, 1),
			"of an account a minute: pages and lists that it reads, and as much that it sends, at each instance"},
	}
}

func (c *Config) senderSettings() []setting {
	k := &c.Kafka
	return []setting{
		{"SMTP_URL", "", secret(&c.SMTPURL, "smtp(s)://user:password@host:port", isURLOf("smtp", "smtps")),
			"the mail server; without one a demo shows letters at `/mailbox`, and nobody else can confirm an address"},
		{"MAIL_FROM", "LunchGo <lunchgo@localhost>", text(&c.MailFrom, "Name <address@host>", isSender),
			"the sender of letters"},
		{"KAFKA_BROKERS", "", list(&k.Brokers, "host:port", isHostAndPort),
			"some of Kafka's: events go there; empty: none are written"},
		{"KAFKA_TLS", "false", boolean(func(yes bool) { k.TLS = yes }), "whether to connect to Kafka by TLS"},
		{"KAFKA_USER", "", text(&k.User, "a name", nil), "who signs in to Kafka; empty: nobody does"},
		{"KAFKA_PASSWORD", "", secret(&k.Password, "a password", nil), "the password of `KAFKA_USER`"},
		{"KAFKA_SASL", "SCRAM-SHA-512", text(&k.Mechanism, "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512",
			kafka.IsMechanism), "how to sign in to Kafka"},
		{"EVENTS_KEEP", "168h", duration(&c.EventsKeep), "how long events that were sent can be replayed"},
		{"WEBHOOK_PRIVATE_NETWORKS", "false", boolean(func(yes bool) { c.WebhookPrivateNetworks = yes }),
			"`true`: webhooks also to addresses that are not public, and without TLS; for tests only"},
	}
}

func (c *Config) watchSettings() []setting {
	return []setting{
		{"AUDIT_EVERY", "5m", period(&c.AuditEvery, "0, or a time of 1s or more", func(d time.Duration) bool {
			return d == 0 || d >= time.Second
		}), "how often the instances together audit the tables; 0: never"},
		{"DEMO_RUSH_EVERY", "0s", period(&c.RushEvery, "0, or a time of 2m or more", func(d time.Duration) bool {
			return d == 0 || d >= 2*time.Minute
		}), "how often a crowd of a demo joins a line by itself; 0: when a visitor asks for it at `/rush`"},
		{"LOG_LEVEL", "INFO", value{accepts: "DEBUG, INFO, WARN or ERROR", read: func(text string) bool {
			return c.LogLevel.UnmarshalText([]byte(text)) == nil
		}}, "from what level on the log has lines"},
		{"LOG_FORMAT", "", word(&c.LogFormat, logText, logJSON), "empty: text at a terminal, else JSON"},
		{"LOG_SLOW", "2s", duration(&c.LogSlow), "from when a request is logged as slow"},
		{"GOGC", "", text(&c.GoGC, "a number, or off", isPercent),
			"[Go's own](https://go.dev/doc/gc-guide), as the next: the pace of garbage collection; see below"},
		{"GOMEMLIMIT", "", text(&c.GoMemLimit, "bytes such as 600MiB", nil),
			"how much memory to stay within"},
	}
}

// settingsTable is the table as Markdown.
func settingsTable() string {
	var text strings.Builder
	text.WriteString("| variable | default | takes | meaning |\n|---|---|---|---|\n")
	for _, s := range new(Config).table() {
		text.WriteString(s.row())
	}
	return text.String()
}
