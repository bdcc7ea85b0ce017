package embedded

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// password returns the server's password, and makes one at the first start. A
// server on the loopback can be reached by every user of the machine and by
// any page in a browser, so it asks for one.
func (h *home) password() (string, error) {
	text, err := os.ReadFile(h.passwordPath())
	if err == nil && len(text) > 0 {
		return strings.TrimSpace(string(text)), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	made := rand.Text()
	if err := os.WriteFile(h.passwordPath(), []byte(made+"\n"), 0o600); err != nil {
		return "", err
	}
	return made, h.give(h.passwordPath())
}
