package webhooks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"lunchgo/app/token"
)

// secretPrefix begins every secret, so that programs that look for secrets in code find it.
const secretPrefix = "whsec_"

// secretBytes is the length of the key in a secret; the specification allows 24 to 64.
const secretBytes = 32

// OldSecretLife is how long the secret before is still used for a second signature after a rotation.
const OldSecretLife = 24 * time.Hour

// Secret is the key of an endpoint as its owner reads it: whsec_ and the key in base64.
type Secret string

// NewSecret returns a random secret.
func NewSecret() Secret {
	var key [secretBytes]byte
	_, _ = rand.Read(key[:]) // never fails
	return Secret(secretPrefix + base64.StdEncoding.EncodeToString(key[:]))
}

// ErrSecret says that a text is no secret, or that one cannot be read: it was stored under another SECRET.
var ErrSecret = errors.New("webhooks: the secret cannot be read")

// Sign returns the signature of a body under an id, sent at a time: "v1," and base64.
func (s Secret) Sign(id string, at time.Time, body []byte) (string, error) {
	encoded, ok := strings.CutPrefix(string(s), secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) == 0 {
		return "", ErrSecret
	}
	mac := hmac.New(sha256.New, key)
	_, _ = io.WriteString(mac, fmt.Sprintf("%s.%d.", id, at.Unix()))
	_, _ = mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

// Vault keeps secrets unreadable in the database: whoever has a dump of it, but not the installation's SECRET, cannot
// sign.
type Vault struct{ sealers []cipher.AEAD } // the first seals, all open

// NewVault derives the keys from the installation's secrets, so every process of it can read what another stored.
func NewVault(secrets token.Secrets) (Vault, error) {
	var v Vault
	for _, secret := range secrets {
		sealer, err := newSealer(secret)
		if err != nil {
			return Vault{}, err
		}
		v.sealers = append(v.sealers, sealer)
	}
	return v, nil
}

func newSealer(secret string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "lunchgo webhook secrets v1", 32)
	if err != nil {
		return nil, fmt.Errorf("webhooks: derive the key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("webhooks: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal returns a secret as it is stored for an endpoint. It opens for no other one.
func (v Vault) Seal(endpoint string, s Secret) []byte {
	return v.sealers[0].Seal(nil, nil, []byte(s), []byte(endpoint))
}

// Open returns the secret that Seal was given. Returns ErrSecret.
func (v Vault) Open(endpoint string, sealed []byte) (Secret, error) {
	for _, sealer := range v.sealers {
		if plain, err := sealer.Open(nil, nil, sealed, []byte(endpoint)); err == nil {
			return Secret(plain), nil
		}
	}
	return "", ErrSecret
}

// Renew returns the keys of an endpoint sealed under the installation's first secret; as they are where they were.
// Returns ErrSecret if one that still signs cannot be read.
func (v Vault) Renew(endpoint string, k Keys, now time.Time) (Keys, error) {
	var err, oldErr error
	k.Current, err = v.renew(endpoint, k.Current)
	if k.Old != nil && now.Before(k.OldUntil) {
		k.Old, oldErr = v.renew(endpoint, k.Old)
	}
	return k, errors.Join(err, oldErr)
}

func (v Vault) renew(endpoint string, sealed []byte) ([]byte, error) {
	if _, err := v.sealers[0].Open(nil, nil, sealed, []byte(endpoint)); err == nil {
		return sealed, nil
	}
	secret, err := v.Open(endpoint, sealed)
	if err != nil {
		return sealed, err
	}
	return v.Seal(endpoint, secret), nil
}

// Signatures returns the header webhook-signature: one signature for each secret, the newest first.
func Signatures(secrets []Secret, id string, at time.Time, body []byte) (string, error) {
	all := make([]string, len(secrets))
	for i, s := range secrets {
		var err error
		if all[i], err = s.Sign(id, at, body); err != nil {
			return "", err
		}
	}
	return strings.Join(all, " "), nil
}
