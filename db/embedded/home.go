package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
)

// farHomes is where root keeps the data of a server whose user cannot reach
// the directory we were given, for example a checkout below /root.
const farHomes = "/var/lib/lunchgo"

// errHeld says that another process runs a server on the same data.
var errHeld = errors.New("another LunchGo runs on this data")

// home is the folder of one server, held by this process alone: the data in
// data/, the server's password, its log.
type home struct {
	dir     string // the directory we were given
	path    string // the folder, with links resolved
	service service
	as      *account // who runs the server; nil: the user we are
	lock    *os.File
}

func (h *home) data() string         { return filepath.Join(h.path, "data") }
func (h *home) logPath() string      { return filepath.Join(h.path, "log") }
func (h *home) passwordPath() string { return filepath.Join(h.path, "password") }
func (h *home) logTail() string      { return tail(h.logPath(), 600) }

// openHome takes the server's folder under dir for this process, makes it if
// it is not there, and ends what an earlier process left running on it.
func openHome(ctx context.Context, dir string, svc service, log *slog.Logger) (*home, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := makeReachable(dir); err != nil {
		return nil, err
	}
	h := &home{dir: dir, service: svc}
	h.lock, err = lockFile(ctx, lockPath(dir, svc.name))
	if errors.Is(err, errHeld) {
		return nil, fmt.Errorf("the data in %s is in use: %w; stop it, or set DATA_DIR to another folder", dir, err)
	}
	if err != nil {
		return nil, err
	}
	if err := h.settle(ctx, log); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// makeReachable makes dir, and lets other users pass through it when we are
// root, since the servers then run as one of them.
func makeReachable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	return os.Chmod(dir, info.Mode().Perm()|0o011)
}

// settle finds or makes the folder and its user, and clears it of orphans.
func (h *home) settle(ctx context.Context, log *slog.Logger) error {
	link := filepath.Join(h.dir, h.service.name)
	_, err := os.Lstat(link)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		err = os.Mkdir(link, 0o700)
	}
	if err != nil {
		return err
	}
	if h.path, err = filepath.EvalSymlinks(link); err != nil {
		return fmt.Errorf("%w: the link %s leads nowhere; remove it to begin with empty data", err, link)
	}
	if err := h.chooseAccount(); err != nil {
		return err
	}
	if !h.reachable() {
		if !fresh {
			return fmt.Errorf(
				"the user %s, as whom %s runs, cannot reach %s: set DATA_DIR to a folder that every user can pass through", h.as.name, h.service.title, h.path)
		}
		if err := h.moveFar(link); err != nil {
			return err
		}
		log.WarnContext(ctx, "the data directory is closed to the server's user, its data is kept elsewhere",
			"server", h.service.title, "user", h.as.name, "dir", h.path)
	}
	if err := os.MkdirAll(h.data(), 0o700); err != nil {
		return fmt.Errorf("%w: the folder may belong to another user; set DATA_DIR to one of yours", err)
	}
	if err := h.give(h.path, h.data()); err != nil {
		return err
	}
	return h.endOrphans(ctx)
}

// chooseAccount decides who runs the server. PostgreSQL refuses root, so root
// gives it to whoever owns the data, at first the service's own user.
func (h *home) chooseAccount() error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(h.path)
	if err != nil {
		return err
	}
	if uid, gid := ownerOf(info); uid != 0 {
		h.as = &account{uid: uid, gid: gid, name: strconv.Itoa(int(uid))}
		return nil
	}
	for _, name := range h.service.accounts {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return err
		}
		h.as = &account{uid: uint32(uid), gid: uint32(gid), name: name}
		return h.give(h.path)
	}
	return fmt.Errorf("%s needs one of the users %v to run as, since it does not run as root", h.service.title,
		h.service.accounts)
}

// give makes the server's user the owner of the paths.
func (h *home) give(paths ...string) error {
	if h.as == nil {
		return nil
	}
	for _, p := range paths {
		if err := os.Lchown(p, int(h.as.uid), int(h.as.gid)); err != nil {
			return err
		}
	}
	return nil
}

// reachable reports whether the server's user can work in the folder, by
// having that user try.
func (h *home) reachable() bool {
	if h.as == nil {
		return true
	}
	cmd := exec.Command(h.service.program, "--version")
	cmd.Dir = h.path
	cmd.Env = []string{}
	detach(cmd, h.as, 0)
	return cmd.Run() == nil
}

// moveFar replaces the empty folder at link by a link to a new one that the
// server's user can reach.
func (h *home) moveFar(link string) error {
	if err := os.MkdirAll(farHomes, 0o755); err != nil {
		return err
	}
	far, err := os.MkdirTemp(farHomes, h.service.name+"-")
	if err != nil {
		return err
	}
	if err := errors.Join(os.Remove(link), os.Symlink(far, link)); err != nil {
		return err
	}
	h.path = far
	if err := h.give(far); err != nil {
		return err
	}
	if !h.reachable() {
		return fmt.Errorf("the user %s cannot run %s in %s", h.as.name, h.service.program, far)
	}
	return nil
}

// close gives the folder back.
func (h *home) close() error {
	if err := h.lock.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
