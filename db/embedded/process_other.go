//go:build !unix

package embedded

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// errUnsupported says that the system cannot run private servers.
var errUnsupported = errors.New("private servers need Linux or macOS: set DATABASE_URL and REDIS_URL")

// account is a user of the machine; here nobody changes users.
type account struct {
	uid, gid uint32
	name     string
}

func detach(*exec.Cmd, *account, syscall.Signal) {}

func ownerOf(os.FileInfo) (uid, gid uint32) { return 0, 0 }

// lockFile refuses: private servers need a system of the Unix family.
func lockFile(context.Context, string) (*os.File, error) { return nil, errUnsupported }

func isLocked(string) bool { return false }

func (h *home) endOrphans(context.Context) error { return nil }
