package passkey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/redis/go-redis/v9"
)

// Life is how long somebody may take to answer a challenge.
const Life = 5 * time.Minute

// challenges keeps in Redis, for all instances, what was asked of browsers. Each can be answered once.
type challenges struct {
	redis  redis.Cmdable
	prefix string
}

func (c challenges) key(challenge string) string { return c.prefix + "passkey:" + challenge }

// store keeps what was asked for Life. Returns ErrAway.
func (c challenges) store(ctx context.Context, asked *webauthn.SessionData) error {
	text, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	if err := c.redis.Set(ctx, c.key(asked.Challenge), text, Life).Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	return nil
}

// take returns what was asked, to one caller alone. Returns ErrRefused, ErrAway.
func (c challenges) take(ctx context.Context, challenge string) (asked webauthn.SessionData, err error) {
	text, err := c.redis.GetDel(ctx, c.key(challenge)).Bytes()
	switch {
	case errors.Is(err, redis.Nil):
		return asked, fmt.Errorf("%w: nothing of the kind was asked, or it was answered, or too long ago", ErrRefused)
	case err != nil:
		return asked, fmt.Errorf("%w: %w", ErrAway, err)
	}
	return asked, json.Unmarshal(text, &asked)
}
