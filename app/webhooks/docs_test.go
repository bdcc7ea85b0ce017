package webhooks

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented returns the example of docs/webhooks.md in a language.
func documented(t *testing.T, language string) string {
	t.Helper()
	docs, err := os.ReadFile("../../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(docs)
	if found == nil {
		t.Fatalf("no example in %s", language)
	}
	return string(found[1])
}

// The examples of the documentation, run as they stand there, accept what is sent, and refuse another secret and
// another body.
func TestDocs_VerificationAcceptsWhatIsSent(t *testing.T) {
	t.Parallel()
	var got received
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = received{r.Header, body}
	}))
	defer server.Close()
	secret, old := NewSecret(), NewSecret()
	if try := local().Send(t.Context(), server.URL, []Secret{secret, old}, anyMessage); !try.Delivered() {
		t.Fatalf("%+v", try)
	}
	imports := []string{"crypto/hmac", "crypto/sha256", "encoding/base64", "fmt", "net/http", "os", "strconv",
		"strings", "time"}
	goMain := "package main\n\nimport (\n\"" + strings.Join(imports, "\"\n\"") + "\"\n)\n" + documented(t, "go") + `
func main() {
	head := http.Header{}
	for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		head.Set(name, os.Args[i+2])
	}
	fmt.Println(verify(os.Args[1], head, []byte(os.Args[5]), time.Now()))
}
`
	pyMain := documented(t, "python") + `
import sys
head = dict(zip(["webhook-id", "webhook-timestamp", "webhook-signature"], sys.argv[2:5]))
print(str(verify(sys.argv[1], head, sys.argv[5].encode())).lower())
`
	dir := t.TempDir()
	for file, text := range map[string]string{"main.go": goMain, "main.py": pyMain} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "verify")
	if out, err := exec.Command("go", "build", "-o", program,
		filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	commands := [][]string{{program}}
	if python, err := exec.LookPath("python3"); err == nil {
		commands = append(commands, []string{python, filepath.Join(dir, "main.py")})
	}
	for _, command := range commands {
		for _, test := range []struct{ secret, body, want string }{
			{string(secret), string(got.body), "true"}, {string(old), string(got.body), "true"},
			{string(NewSecret()), string(got.body), "false"}, {string(secret), string(got.body) + " ", "false"},
		} {
			args := append(command[1:len(command):len(command)], test.secret, got.header.Get("webhook-id"),
				got.header.Get("webhook-timestamp"), got.header.Get("webhook-signature"), test.body)
			out, err := exec.Command(command[0], args...).CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != test.want {
				t.Errorf("%s: %s, want %s; %v", filepath.Base(command[0]), out, test.want, err)
			}
		}
	}
}
