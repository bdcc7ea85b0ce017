package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"lunchgo/db/dbtest"
)

// service is what the tests ask of a service of compose.yaml.
type service struct {
	Image       string            `yaml:"image"`
	ReadOnly    bool              `yaml:"read_only"`
	Privileged  bool              `yaml:"privileged"`
	CapDrop     []string          `yaml:"cap_drop"`
	CapAdd      []string          `yaml:"cap_add"`
	SecurityOpt []string          `yaml:"security_opt"`
	MemLimit    string            `yaml:"mem_limit"`
	User        string            `yaml:"user"`
	Ports       []string          `yaml:"ports"`
	Environment map[string]string `yaml:"environment"`
	Profiles    []string          `yaml:"profiles"`
	Volumes     []string          `yaml:"volumes"`
	DependsOn   any               `yaml:"depends_on"`
	Networks    any               `yaml:"networks"`
	Command     []string          `yaml:"command"`
	Healthcheck map[string]any    `yaml:"healthcheck"`
	StopGrace   time.Duration     `yaml:"stop_grace_period"`
	Ulimits     map[string]int    `yaml:"ulimits"`
}

func composed(t *testing.T) map[string]service {
	t.Helper()
	services := servicesOf(t, "compose.yaml")
	if len(services) != 3 {
		t.Fatalf("%d services, want 3", len(services))
	}
	return services
}

func servicesOf(t *testing.T, name string) map[string]service {
	t.Helper()
	text, err := os.ReadFile("../" + name)
	dbtest.Must(t, err)
	var file struct {
		Services map[string]service `yaml:"services"`
	}
	dbtest.Must(t, yaml.Unmarshal(text, &file))
	return file.Services
}

// exactImage is an image with the version to the last digit, or with its digest.
var exactImage = regexp.MustCompile(`:\d+\.\d+(\.\d+)?-\w+(@sha256:[0-9a-f]{64})?\}?$`)

// No service has a right that it does not need, nor memory without an end; images have exact versions.
func TestCompose_IsHardened(t *testing.T) {
	t.Parallel()
	for name, s := range composed(t) {
		if !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 || s.Privileged {
			t.Errorf("%s drops the capabilities %v, and adds %v", name, s.CapDrop, s.CapAdd)
		}
		if !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || !s.ReadOnly || s.MemLimit == "" {
			t.Errorf("%s: %+v", name, s)
		}
		if name == "app" {
			continue // the Dockerfile names its user, and its health check
		}
		if s.User == "" || s.User == "root" || !exactImage.MatchString(s.Image) || len(s.Ports) > 0 ||
			s.Healthcheck == nil {
			t.Errorf("%s: user %q, image %q, ports %v", name, s.User, s.Image, s.Ports)
		}
	}
}

// stopSlack is how long after DRAIN an instance ends at the latest, as docs/instances.md says.
const stopSlack = 8 * time.Second

// streamBytes is what one who waits takes of an instance, at most: docs/performance-history.md has the figures.
const streamBytes = 85_000

// fixedInCompose are the settings that the image has, or that the file's own servers leave nothing to say about.
var fixedInCompose = []string{"ADDR", "DATA_DIR"}

// Every setting is one, and each can be set; there is time to end behind a load balancer; and open files do not allow
// more than memory does.
func TestCompose_FitsTheProduct(t *testing.T) {
	t.Parallel()
	app := composed(t)["app"]
	table := new(Config).table()
	if len(table) < 40 {
		t.Fatalf("%d settings", len(table))
	}
	known := func(name string) bool {
		return slices.ContainsFunc(table, func(s setting) bool { return s.name == name })
	}
	for name := range app.Environment {
		if !known(name) {
			t.Errorf("there is no setting %s", name)
		}
	}
	for _, s := range table {
		if _, passed := app.Environment[s.name]; !passed && !slices.Contains(fixedInCompose, s.name) {
			t.Errorf("%s cannot be set", s.name)
		}
	}
	if least := 3*time.Second + stopSlack; app.StopGrace < least {
		t.Errorf("it is killed after %s, and may take %s with DRAIN=3s", app.StopGrace, least)
	}
	if files := app.Ulimits["nofile"]; app.MemLimit != "1g" || files < 10_000 || files*streamBytes > 1<<30 {
		t.Errorf("%d open files, %s of memory", files, app.MemLimit)
	}
}

// Nobody but this machine reaches the product before a proxy stands in front, no password has a default, and it is no
// demo.
func TestCompose_IsClosedByDefault(t *testing.T) {
	t.Parallel()
	services := composed(t)
	app, redis := services["app"], services["redis"]
	for _, port := range app.Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("the port %s is open to the network", port)
		}
	}
	for variable, want := range map[string]string{
		"DEMO": "${DEMO:-false}", "SECRET": "${SECRET:?", "DATABASE_URL": "${POSTGRES_PASSWORD:?", "REDIS_URL": "${REDIS_PASSWORD:?",
		"TRUSTED_PROXIES": "${TRUSTED_PROXIES:-", "OPS_ADDR": "127.0.0.1:",
		"SMTP_URL": "${SMTP_URL:-}",
	} {
		if !strings.Contains(app.Environment[variable], want) {
			t.Errorf("%s is %q, without %q", variable, app.Environment[variable], want)
		}
	}
	if !strings.Contains(services["postgres"].Environment["POSTGRES_PASSWORD"], ":?") {
		t.Error("PostgreSQL has a default password")
	}
	command := strings.Join(redis.Command, " ")
	for _, want := range []string{"requirepass", "maxmemory 512mb", "maxmemory-policy noeviction", "appendonly yes"} {
		if !strings.Contains(command, want) {
			t.Errorf("Redis has no %q: %s", want, command)
		}
	}
	if !strings.Contains(redis.Environment["REDISCLI_AUTH"], "${REDIS_PASSWORD:?") ||
		strings.Contains(command, "REDIS_PASSWORD") {
		t.Errorf("the password of Redis: %v, %s", redis.Environment, command)
	}
}
