package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// postgresPlaces are where packages put PostgreSQL's server programs, which
// are mostly not on the PATH; a star stands for the version.
var postgresPlaces = []string{
	"/usr/lib/postgresql/*/bin/postgres", // Debian, Ubuntu
	"/usr/pgsql-*/bin/postgres",          // packages for Fedora and its kin
	"/usr/libexec/postgresql*/postgres",  // Alpine
	"/opt/homebrew/opt/postgresql@*/bin/postgres",
	"/usr/local/opt/postgresql@*/bin/postgres",
	"/Applications/Postgres.app/Contents/Versions/*/bin/postgres",
}

// Missing returns the programs that private servers need and that the machine
// lacks, and an error of one sentence that says what to install. Both are nil
// when nothing is missing.
func Missing() ([]string, error) {
	var programs []string
	if len(postgresPrograms()) == 0 {
		programs = append(programs, "postgres")
	}
	if _, err := redisProgram(); err != nil {
		programs = append(programs, "redis-server")
	}
	if len(programs) == 0 {
		return nil, nil
	}
	return programs, missingError(programs)
}

// missingError is the sentence that says what to install.
func missingError(programs []string) error {
	return fmt.Errorf("%s not found: install with %q, or set DATABASE_URL and REDIS_URL to servers of yours",
		strings.Join(programs, " and "), installCommand(programs))
}

// installCommand is the command of the machine's package manager that brings
// the programs.
func installCommand(programs []string) string {
	managers := []struct{ program, install, postgres, redis string }{
		{"apt-get", "apt-get install", "postgresql", "redis-server"},
		{"dnf", "dnf install", "postgresql-server", "redis"},
		{"apk", "apk add", "postgresql", "redis"},
		{"pacman", "pacman -S", "postgresql", "valkey"},
		{"zypper", "zypper install", "postgresql-server", "redis"},
		{"brew", "brew install", "postgresql@17", "redis"},
	}
	i := slices.IndexFunc(managers, func(m struct{ program, install, postgres, redis string }) bool {
		_, err := exec.LookPath(m.program)
		return err == nil
	})
	if i < 0 {
		if runtime.GOOS != "darwin" {
			return "your package manager: PostgreSQL 15 or newer, Redis 7 or newer"
		}
		i = len(managers) - 1
	}
	words := []string{managers[i].install}
	for _, p := range programs {
		if p == "postgres" {
			words = append(words, managers[i].postgres)
		} else {
			words = append(words, managers[i].redis)
		}
	}
	return strings.Join(words, " ")
}

// postgresPrograms returns the installed servers, the newest first.
func postgresPrograms() []string {
	var found []string
	if path, err := exec.LookPath("postgres"); err == nil {
		found = append(found, path)
	}
	for _, place := range postgresPlaces {
		matches, err := filepath.Glob(place)
		if err == nil {
			found = append(found, matches...)
		}
	}
	found = slices.DeleteFunc(found, func(p string) bool {
		_, err := os.Stat(filepath.Join(filepath.Dir(p), "initdb"))
		return err != nil
	})
	slices.SortStableFunc(found, func(a, b string) int { return versionIn(b) - versionIn(a) })
	return found
}

// versionIn returns the first number in a path, 0 when there is none.
func versionIn(path string) int {
	digits := strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) == 0 {
		return 0
	}
	n, err := strconv.Atoi(digits[0])
	if err != nil {
		return 0
	}
	return n
}

// findPostgres returns the server for the cluster in data: the newest for a
// new one, else the one of the version that made it.
func findPostgres(data string) (string, error) {
	programs := postgresPrograms()
	if len(programs) == 0 {
		return "", missingError([]string{"postgres"})
	}
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return programs[0], nil
	}
	if err != nil {
		return "", fmt.Errorf("%w: the data may belong to another user; set DATA_DIR to a folder of yours", err)
	}
	made := strings.TrimSpace(string(text))
	var have []string
	for _, p := range programs {
		major, err := majorOf(p)
		if err != nil {
			return "", err
		}
		if major == made {
			return p, nil
		}
		have = append(have, major)
	}
	return "",
		fmt.Errorf(
			"the data in %s was made by PostgreSQL %s, but PostgreSQL %s is installed: install version %s, or move that folder away to begin with empty data", data, made, strings.Join(have, ", "), made)
}

// findRedis returns the installed Redis server, or one of its kin.
func findRedis() (string, error) {
	path, err := redisProgram()
	if err != nil {
		return "", missingError([]string{"redis-server"})
	}
	return path, nil
}

func redisProgram() (string, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return exec.LookPath("valkey-server")
	}
	return path, nil
}
