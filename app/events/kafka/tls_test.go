package kafka_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// authority is a certificate for 127.0.0.1 that TestMain has this process trust, as an operator would.
var authority = httptest.NewTLSServer(nil).TLS.Certificates[0]

// TestMain trusts the authority by SSL_CERT_FILE, which is read once in a process.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "events")
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(dir, "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Certificate[0]})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		log.Fatal(err)
	}
	_ = os.Setenv("SSL_CERT_FILE", file)
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// strange is a certificate for 127.0.0.1 that nobody trusts.
func strange(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// By TLS events go to a Kafka whose certificate is trusted, and to no other.
func TestRelay_SpeaksTLS(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.kafka.Dial, h.kafka.TLS = nil, true
	by := func(c tls.Certificate) {
		cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, topic),
			kfake.TLS(&tls.Config{Certificates: []tls.Certificate{c}, MinVersion: tls.VersionTLS12}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(cluster.Close)
		h.kafka.Brokers = cluster.ListenAddrs()
	}
	h.Write(t, "a", 1)
	by(strange(t))
	h.awaitRefusal(t, "certificate signed by unknown authority")
	by(authority)
	h.kafka.TLS = false
	h.awaitRefusal(t, "is TLS missing?")
	h.kafka.TLS = true
	h.relay(t, h.Store)
	h.awaitNothingWaits(t)
}
