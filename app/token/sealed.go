package token

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"slices"
)

// Sealer makes tokens whose payload nobody without the installation's secret can read, make or change. Equal payloads
// have equal tokens: the signature is the initial vector of the cipher, as in RFC 5297. It is safe for concurrent use.
type Sealer struct{ keys []sealingKey } // the first seals, all open

type sealingKey struct {
	mac   []byte
	block cipher.Block
}

// NewSealer derives a purpose's keys from the installation's secrets, as NewSigner does.
func NewSealer(secrets Secrets, purpose string) Sealer {
	var s Sealer
	for _, secret := range secrets {
		block, err := aes.NewCipher(sumOf([]byte(secret), purpose+" cipher"))
		if err != nil {
			panic(err) // the key has a length that AES takes
		}
		s.keys = append(s.keys, sealingKey{mac: sumOf([]byte(secret), purpose+" signature"), block: block})
	}
	return s
}

// Seal returns the token of a payload, safe in a URL.
func (s Sealer) Seal(payload string) string {
	return s.keys[0].seal(payload)
}

// Open returns the payload of a token that Seal returned; false for any other text, another spelling included.
func (s Sealer) Open(token string) (payload string, ok bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(sealed) < Short {
		return "", false
	}
	for _, key := range s.keys {
		plain := string(key.crypt(sealed[:Short], sealed[Short:]))
		if hmac.Equal([]byte(token), []byte(key.seal(plain))) {
			return plain, true
		}
	}
	return "", false
}

func (k sealingKey) seal(payload string) string {
	signature := sumOf(k.mac, payload)[:Short]
	return base64.RawURLEncoding.EncodeToString(slices.Concat(signature, k.crypt(signature, []byte(payload))))
}

// crypt seals and opens: the cipher is its own inverse.
func (k sealingKey) crypt(vector, text []byte) []byte {
	out := make([]byte, len(text))
	cipher.NewCTR(k.block, vector).XORKeyStream(out, text)
	return out
}

func sumOf(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = io.WriteString(h, text)
	return h.Sum(nil)
}
