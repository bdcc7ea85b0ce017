// Package passkeytest is an authenticator for tests: it makes a passkey and signs with it as the device of a person
// does, and as one that cheats.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// Authenticator keeps one passkey. What is changed of it, its next answers have.
type Authenticator struct {
	Origin  string // of the page that asks
	Counter uint32 // of the next signature
	User    []byte // for whom the passkey was made
	ID      []byte // of the passkey
	Flags   byte   // of authenticator data: 1 somebody is there, 4 the device knows who

	key *ecdsa.PrivateKey
}

// New returns an authenticator on whose device a page of an origin is open.
func New(t testing.TB, origin string) *Authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return &Authenticator{Origin: origin, Flags: 1 | 4, ID: []byte(rand.Text()), key: key}
}

// EncodedID is the passkey's id as the server stores it.
func (a *Authenticator) EncodedID() string { return encode(a.ID) }

// asked is what the server asks of a browser.
type asked struct {
	PublicKey struct {
		Challenge string
		RPID      string `json:"rpId"`
		RP        struct{ ID string }
		User      struct{ ID string }
	}
}

func read(t testing.TB, options []byte) (a asked) {
	t.Helper()
	must(t, json.Unmarshal(options, &a))
	return a
}

// Create makes the passkey as the server's options ask, and returns the browser's answer.
func (a *Authenticator) Create(t testing.TB, options []byte) string {
	t.Helper()
	o := read(t, options)
	user, err := base64.RawURLEncoding.DecodeString(o.PublicKey.User.ID)
	must(t, err)
	a.User = user
	data := a.data(o.PublicKey.RP.ID, 0x40)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.ID)))
	data = append(append(data, a.ID...), a.publicKey(t)...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"),
		byte(len(data)>>8), byte(len(data)))
	return a.answer(t, map[string]any{
		"clientDataJSON":    encode(a.clientData(t, "webauthn.create", o)),
		"attestationObject": encode(append(object, data...))})
}

// Get signs as the server's options ask, and returns the browser's answer.
func (a *Authenticator) Get(t testing.TB, options []byte) string {
	t.Helper()
	o := read(t, options)
	client, data := a.clientData(t, "webauthn.get", o), a.data(o.PublicKey.RPID, 0)
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(data[:len(data):len(data)], hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	must(t, err)
	return a.answer(t, map[string]any{"clientDataJSON": encode(client), "authenticatorData": encode(data),
		"signature": encode(signature), "userHandle": encode(a.User)})
}

func (a *Authenticator) clientData(t testing.TB, kind string, o asked) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"type": kind, "challenge": o.PublicKey.Challenge, "origin": a.Origin})
	must(t, err)
	return text
}

// data is the authenticator data of Web Authentication Level 3, section 6.1.
func (a *Authenticator) data(site string, more byte) []byte {
	hash := sha256.Sum256([]byte(site))
	return binary.BigEndian.AppendUint32(append(hash[:], a.Flags|more), a.Counter)
}

// publicKey is a COSE_Key of ES256 in CBOR: kty EC2, alg -7, crv P-256, x, y.
func (a *Authenticator) publicKey(t testing.TB) []byte {
	t.Helper()
	point, err := a.key.PublicKey.Bytes() // 4, x, y
	must(t, err)
	key := append([]byte("\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"), point[1:33]...)
	return append(append(key, "\x22\x58\x20"...), point[33:]...)
}

func (a *Authenticator) answer(t testing.TB, response map[string]any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"id": encode(a.ID), "rawId": encode(a.ID), "type": "public-key",
		"response": response, "clientExtensionResults": map[string]any{}})
	must(t, err)
	return string(text)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
