package receipt

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"lunchgo/app/token"
)

// PublicKey checks what a Signer signed. Its text is 64 hexadecimal digits of Ed25519.
type PublicKey [ed25519.PublicKeySize]byte

// String returns the key in hexadecimal digits.
func (k PublicKey) String() string { return hex.EncodeToString(k[:]) }

// MarshalText implements encoding.TextMarshaler.
func (k PublicKey) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, k[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *PublicKey) UnmarshalText(text []byte) error { return decodeHex(k[:], string(text)) }

// keyIDDigits is how many digits of a key's hash name it.
const keyIDDigits = 16

// ID names the key in receipts.
func (k PublicKey) ID() string {
	sum := sha256.Sum256(k[:])
	return hex.EncodeToString(sum[:])[:keyIDDigits]
}

// Signer signs receipts. It is safe for concurrent use.
type Signer struct {
	private ed25519.PrivateKey
	keys    []PublicKey // of all secrets, its own first
	id      string
}

// NewSigner derives the keys from the installation's secrets, so that every process of it signs alike.
func NewSigner(secrets token.Secrets) (Signer, error) {
	var s Signer
	for _, secret := range secrets {
		private, err := deriveKey(secret)
		if err != nil {
			return Signer{}, err
		}
		if s.keys = append(s.keys, PublicKey(private.Public().(ed25519.PublicKey))); s.private == nil {
			s.private, s.id = private, s.keys[0].ID()
		}
	}
	return s, nil
}

func deriveKey(secret string) (ed25519.PrivateKey, error) {
	seed, err := hkdf.Key(sha256.New, []byte(secret), nil, "lunchgo line receipts v1", ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("receipt: derive the key: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// PublicKeys returns what outsiders check receipts with, the key that signs now first.
func (s Signer) PublicKeys() []PublicKey { return s.keys }

// maxTogether is how many receipts one signature covers: a signature costs as much as some hundred hashes, and each
// doubling makes every receipt longer by one hash.
const maxTogether = 64

// Sign signs statements in place. One signature covers up to 64 of them: it signs the root of a tree of their hashes,
// and each receipt carries the path from its own.
func (s Signer) Sign(receipts []Receipt) {
	for together := range slices.Chunk(receipts, maxTogether) {
		s.signTogether(together)
	}
}

func (s Signer) signTogether(receipts []Receipt) {
	level := make([]Hash, len(receipts))
	at := make([]int, len(receipts)) // where in the level each receipt's branch is
	for i := range receipts {
		receipts[i].Key, receipts[i].Path = s.id, nil
		level[i], at[i] = receipts[i].leaf(), i
	}
	for len(level) > 1 {
		for i := range receipts {
			if beside := at[i] ^ 1; beside < len(level) {
				receipts[i].Path = append(receipts[i].Path, level[beside])
			}
			at[i] /= 2
		}
		level = parents(level)
	}
	signature := Signature(ed25519.Sign(s.private, signedText(level[0])))
	for i := range receipts {
		receipts[i].Signature = signature
	}
}

// parents returns the next level of a tree. The last of an odd number goes up as it is.
func parents(level []Hash) []Hash {
	up := make([]Hash, 0, (len(level)+1)/2)
	for pair := range slices.Chunk(level, 2) {
		if len(pair) == 1 {
			up = append(up, pair[0])
			continue
		}
		up = append(up, parent(pair[0], pair[1]))
	}
	return up
}

// parent hashes two nodes, the smaller one first, so that a path need not say on which side it goes up. What is hashed
// begins with another byte than a leaf.
func parent(a, b Hash) Hash {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return sha256.Sum256(slices.Concat([]byte{1}, a[:], b[:]))
}

func signedText(root Hash) []byte { return append([]byte("lunchgo receipts v1\n"), root[:]...) }
