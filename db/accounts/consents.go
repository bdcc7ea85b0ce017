package accounts

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/group"
	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

var _ identity.ConsentStore = (*Store)(nil)

// consent is what one person agrees to.
type consent struct {
	userID string
	identity.Agreement
}

// newConsents returns the presses that agree, as a batch: those of a rush go together in few statements.
func newConsents(db *pg.Pool) *group.Batch[consent, struct{}] {
	return group.NewBatch(pg.MostKeys, pg.KeyCalls, func(ctx context.Context, all []consent) ([]struct{}, error) {
		return make([]struct{}, len(all)), db.Exec(ctx, db.Guarded(InsertConsents, addConsents), consentArgs(all...)...)
	})
}

// addConsents stores what people agree to, the first time that they do. It stores nothing of somebody who is not there:
// an account of the same address may be somebody else's. Two statements at once take their rows in one order.
const addConsents = `
	INSERT INTO consents (user_id, document, version, way)
	SELECT u.id, agreed.document, NULLIF(agreed.version, '')::date, said.way
	FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS said (user_id, terms, privacy, way)
	JOIN users u ON u.id = said.user_id AND u.deleted_at IS NULL
	CROSS JOIN LATERAL (VALUES ('terms', said.terms), ('privacy', said.privacy)) AS agreed (document, version)
	WHERE agreed.version <> ''
	ORDER BY u.id, agreed.document, agreed.version
	ON CONFLICT (user_id, document, version) DO NOTHING`

func consentArgs(all ...consent) []any {
	var users, terms, privacy, ways pq.StringArray
	for _, c := range all {
		users, ways = append(users, c.userID), append(ways, string(c.Way))
		terms, privacy = append(terms, c.Terms), append(privacy, c.Privacy)
	}
	return []any{users, terms, privacy, ways}
}

// Agree implements identity.ConsentStore.
func (s *Store) Agree(ctx context.Context, userID string, a identity.Agreement) error {
	if a.Documents == (identity.Documents{}) {
		return nil
	}
	_, err := s.consents.Ask(ctx, consent{userID, a})
	return s.db.MapError(err)
}

// agree is Agree in the transaction that makes an account.
func agree(ctx context.Context, t *pg.Tx, u identity.User) error {
	if u.Agrees.Documents == (identity.Documents{}) {
		return nil
	}
	return t.Run(ctx, addConsents, consentArgs(consent{u.ID, u.Agrees})...)
}

type agreedRow struct {
	UserID string
	identity.Documents
}

const selectAgreed = `
	SELECT user_id, COALESCE(max(version) FILTER (WHERE document = 'terms')::text, '') AS terms,
		COALESCE(max(version) FILTER (WHERE document = 'privacy')::text, '') AS privacy
	FROM consents
	WHERE user_id = ANY ($1)
	GROUP BY user_id`

// FindAgreed implements identity.ConsentStore.
func (s *Store) FindAgreed(ctx context.Context, userID string) (identity.Documents, error) {
	row, err := s.agreed.Get(ctx, userID)
	if errors.Is(err, sql.ErrNoRows) {
		return identity.Documents{}, nil
	}
	return row.Documents, err
}
