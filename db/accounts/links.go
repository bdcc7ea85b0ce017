package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// linkLife is how long a link stays after it was made: limits count a day back, and an objection lives for a week.
const linkLife = 14 * 24 * time.Hour

// SignUp implements identity.LinkStore.
func (s *Store) SignUp(ctx context.Context, u identity.User) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		made, err := t.Exec(ctx, `
			INSERT INTO users (id, email, name, phone, password_hash, language)
			VALUES ($1, $2, $3, $4, $5, COALESCE(NULLIF($6, ''), 'ko'))
			ON CONFLICT (email) WHERE NOT provisional DO NOTHING`,
			u.ID, strings.ToLower(u.Email), u.Name, u.Phone, u.PasswordHash, u.Language)
		if err != nil {
			return err
		}
		if err := agree(ctx, t, u); err != nil {
			return err
		}
		owner, err := s.lockOwner(ctx, t, identity.Addressee{Email: u.Email})
		if err != nil {
			return err
		}
		l := letter{kind: "confirm", Link: identity.Link{Kind: identity.LinkConfirm, UserID: owner.ID,
			Email: owner.Email}}
		if made == 0 {
			l.kind, l.Kind = "known", identity.LinkSignIn
		}
		_, err = s.write(ctx, t, l)
		return err
	})
}

// Introduce implements identity.LinkStore.
func (s *Store) Introduce(ctx context.Context, u identity.User) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		return s.introduce(ctx, t, u)
	})
}

// introduce is Introduce in a transaction.
func (s *Store) introduce(ctx context.Context, t *pg.Tx, u identity.User) error {
	made, err := insertProvisional(ctx, t, u)
	if err != nil {
		return err
	}
	if made == 0 {
		return t.Touch(ctx, identity.ErrNotFound, `
			SELECT id FROM users WHERE id = $1 AND email = $2 AND provisional AND email_confirmed_at IS NULL`,
			u.ID, u.Email)
	}
	if err := agree(ctx, t, u); err != nil {
		return err
	}
	_, err = s.write(ctx, t, letter{kind: "confirm", Link: identity.Link{Kind: identity.LinkConfirm, UserID: u.ID,
		Email: u.Email}})
	return err
}

// insertProvisional makes a provisional account, and returns 0 where it is made already.
func insertProvisional(ctx context.Context, t *pg.Tx, u identity.User) (made int64, err error) {
	return t.Exec(ctx, `
		INSERT INTO users (id, email, name, phone, password_hash, language, provisional)
		VALUES ($1, $2, $3, $4, '', COALESCE(NULLIF($5, ''), 'ko'), true)
		ON CONFLICT (id) DO NOTHING`, u.ID, u.Email, u.Name, u.Phone, u.Language)
}

// IntroduceGuest implements identity.LinkStore.
func (s *Store) IntroduceGuest(ctx context.Context, u identity.User) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		made, err := insertProvisional(ctx, t, u)
		if err != nil || made == 0 {
			return err
		}
		return CountPaymentLink(ctx, t, u.ID, u.Email)
	})
}

// CountPaymentLink notes that a letter with the link of a payment goes to an address. Returns
// *identity.LetterLimitError when too many did. The lock of the address alone keeps the count: the account has this
// letter only.
func CountPaymentLink(ctx context.Context, t *pg.Tx, userID, email string) error {
	return limitOf(NewStore(t.Pool).write(ctx, t, letter{unsent: true,
		Link: identity.Link{Kind: identity.LinkPayment, UserID: userID, Email: email}}))
}

// ConfirmGuest implements identity.LinkStore.
func (s *Store) ConfirmGuest(ctx context.Context, userID, reservationID string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		email, err := pg.Find[string](ctx, t, identity.ErrInvalidSession, `
			SELECT email
			FROM users
			WHERE id = $1 AND deleted_at IS NULL AND password_hash = ''
				AND NOT EXISTS (SELECT FROM reservations WHERE user_id = $1 AND id <> $2)
			FOR NO KEY UPDATE`, userID, reservationID)
		if err != nil {
			return err
		}
		return confirmAddress(ctx, t, identity.Link{UserID: userID, Email: email})
	})
}

// SendLink implements identity.LinkStore. For an address without a user it notes a link that is not sent.
func (s *Store) SendLink(ctx context.Context, kind identity.LinkKind, to identity.Addressee) error {
	return limitOf(pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (time.Duration, error) {
		owner, err := s.lockOwner(ctx, t, to)
		if err != nil || kind == identity.LinkConfirm && (owner.Confirmed || owner.ID == "") {
			return 0, err
		}
		if owner.ID == "" {
			owner.Email = fingerprint(to.Email)
		}
		return s.write(ctx, t, letter{kind: string(kind),
			Link: identity.Link{Kind: kind, UserID: owner.ID, Email: owner.Email, Next: to.Next}})
	}))
}

// fingerprint stands for an address of which we know nobody: only that it was asked for is remembered, not what it is.
func fingerprint(email string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(email)))
	return hex.EncodeToString(sum[:])
}

// limitOf is the error of a letter that has to wait.
func limitOf(wait time.Duration, err error) error {
	if err == nil && wait > 0 {
		return &identity.LetterLimitError{Wait: wait}
	}
	return err
}

// SendChange implements identity.LinkStore. The address that is written to may be another account's by now: then the
// link is noted, so that it counts, but not sent.
func (s *Store) SendChange(ctx context.Context, userID, email string) error {
	return limitOf(pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (time.Duration, error) {
		owner, err := s.lockOwner(ctx, t, identity.Addressee{UserID: userID})
		if err == nil && owner.ID == "" {
			err = identity.ErrNotFound
		}
		if err != nil {
			return 0, err
		}
		taken, err := pg.One[bool](ctx, t, `SELECT EXISTS (SELECT FROM users WHERE email = $1 AND NOT provisional)`,
			email)
		if err != nil {
			return 0, err
		}
		change := letter{kind: "change", unsent: taken, Link: identity.Link{Kind: identity.LinkChange, UserID: userID,
			Email: email, OtherEmail: owner.Email}}
		if wait, err := s.write(ctx, t, change); err != nil || wait > 0 || !owner.Confirmed {
			return wait, err
		}
		return 0, s.insertLink(ctx, t, letter{kind: "object", Link: identity.Link{Kind: identity.LinkObject,
			UserID: userID, Email: owner.Email, OtherEmail: email}})
	}))
}

type ownerRow struct {
	ID, Email string
	Confirmed bool
	Demo      bool
}

// lockOwner reads a user and locks the row, so that the letters to one user are counted one after another. It returns
// an empty row if there is none.
func (s *Store) lockOwner(ctx context.Context, t *pg.Tx, who identity.Addressee) (ownerRow, error) {
	owner, err := pg.One[ownerRow](ctx, t, s.db.Guarded(LockOwner, `
		SELECT id, email, email_confirmed_at IS NOT NULL AS confirmed, demo
		FROM users
		WHERE id = $1 OR $1 = '' AND email = $2 AND NOT provisional
		FOR NO KEY UPDATE`), who.UserID, strings.ToLower(who.Email))
	if errors.Is(err, sql.ErrNoRows) {
		return ownerRow{}, nil
	}
	return owner, err
}

// letter is a link that a letter brings.
type letter struct {
	identity.Link
	kind   string // of the letter
	unsent bool   // it is only noted
}

// write notes a letter, unless too many with its kind of link went to its user or its address: then it returns how long
// the next one has to wait. The caller has locked the user; the address is locked here, as several users may want the
// same one.
func (s *Store) write(ctx context.Context, t *pg.Tx, l letter) (wait time.Duration, err error) {
	if _, err := t.Exec(ctx, s.db.Guarded(LockAddress, `
		SELECT pg_advisory_xact_lock(hashtextextended('letters to ' || $1, 0))`), l.Email); err != nil {
		return 0, err
	}
	var ago []int64
	err = t.List(ctx, &ago, `
		SELECT (extract(epoch FROM statement_timestamp() - created_at) * 1e6)::bigint
		FROM (
			SELECT created_at FROM email_links WHERE user_id = $1 AND kind = $3
			UNION ALL
			SELECT created_at FROM email_links WHERE email = $2 AND kind = $3 AND user_id IS DISTINCT FROM $1
		) sent
		WHERE created_at BETWEEN statement_timestamp() - interval '1 day' AND statement_timestamp() -- none of a clock ahead
		ORDER BY created_at DESC
		LIMIT $4`, l.UserID, l.Email, string(l.Kind), l.Kind.LettersADay())
	if err != nil {
		return 0, err
	}
	sent := make([]time.Duration, 0, len(ago))
	for _, micros := range ago {
		sent = append(sent, time.Duration(micros)*time.Microsecond)
	}
	if wait := l.Kind.Wait(sent); wait > 0 {
		return wait, nil
	}
	return 0, s.insertLink(ctx, t, l)
}

// insertLink notes a link and the letter that brings it. It forgets links of long ago, whose letters go with them.
func (s *Store) insertLink(ctx context.Context, t *pg.Tx, l letter) error {
	return t.Run(ctx, s.db.Guarded(InsertLink, `
		WITH forgotten AS (
			DELETE FROM email_links
			WHERE id IN (
				SELECT id FROM email_links
				WHERE created_at < statement_timestamp() - $8 * interval '1 microsecond'
				LIMIT 100
				FOR UPDATE SKIP LOCKED
			)
		), link AS (
			INSERT INTO email_links (id, kind, user_id, email, other_email, next, expires_at)
			VALUES ($1, $2, NULLIF($3, ''), $4, $5, $10, statement_timestamp() + $6 * interval '1 microsecond')
			RETURNING id, user_id
		)
		INSERT INTO mails (kind, user_id, link_id)
		SELECT $7, user_id, id
		FROM link
		WHERE user_id IS NOT NULL AND NOT $9`),
		rand.Text(), string(l.Kind), l.UserID, l.Email, l.OtherEmail, l.Kind.Life().Microseconds(), l.kind,
		linkLife.Microseconds(), l.unsent, l.Next)
}
