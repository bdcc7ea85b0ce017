package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"lunchgo/db/dbtest"
)

// taggedImage is an image with the version to the last digit.
var taggedImage = regexp.MustCompile(`:v?\d+\.\d+(\.\d+)?(-\w+)?\}?$`)

// city are the services of docs/city/compose.yaml, which compose.yaml includes.
func city(t *testing.T) map[string]service {
	t.Helper()
	text, err := os.ReadFile("../compose.yaml")
	if err != nil || !strings.Contains(string(text), "\ninclude:\n  - path: docs/city/compose.yaml\n    project_directory: .\n") {
		t.Fatalf("compose.yaml does not include docs/city/compose.yaml: %v", err)
	}
	services := servicesOf(t, "docs/city/compose.yaml")
	if len(services) != 13 {
		t.Fatalf("%d services, want 13", len(services))
	}
	return services
}

// Nothing of the city starts by itself, has a right that it does not need or memory without an end, or is open to
// others.
func TestCity_IsHardened(t *testing.T) {
	t.Parallel()
	for name, s := range city(t) {
		if !slices.Equal(s.Profiles, []string{"city"}) || !strings.HasPrefix(name, "city-") {
			t.Errorf("%s has the profiles %v", name, s.Profiles)
		}
		if !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 || s.Privileged ||
			!slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.MemLimit == "" ||
			!s.ReadOnly && name != "city-kafka" {
			t.Errorf("%s: %+v", name, s)
		}
		if s.Image != "lunchgo" && (s.User == "" || s.User == "root" || !taggedImage.MatchString(s.Image) ||
			s.Healthcheck == nil) {
			t.Errorf("%s: user %q, image %q, health %v", name, s.User, s.Image, s.Healthcheck)
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s opens the port %s to the network", name, port)
			}
		}
	}
}

// Every file that is mounted is there, every address belongs to a service, and who is waited for is one.
func TestCity_NamesWhatIsThere(t *testing.T) {
	t.Parallel()
	services := city(t)
	text, err := os.ReadFile("../docs/city/compose.yaml")
	dbtest.Must(t, err)
	at := map[string]string{}
	for name, s := range services {
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, err := os.Stat("../" + source); strings.HasPrefix(source, ".") && err != nil {
				t.Errorf("%s mounts what is not there: %v", name, err)
			}
		}
		for _, other := range services {
			if waits, ok := other.DependsOn.(map[string]any); ok {
				for awaited := range waits {
					if _, known := services[awaited]; !known {
						t.Errorf("%s is waited for", awaited)
					}
				}
			}
		}
		if found := regexp.MustCompile(`172\.30\.58\.\d+`).FindString(fmt.Sprint(s.Networks)); found != "" {
			if at[found] != "" {
				t.Errorf("%s and %s have the address %s", name, at[found], found)
			}
			at[found] = name
		}
	}
	read, err := os.ReadFile("../docs/city/prometheus.yml")
	dbtest.Must(t, err)
	source, err := os.ReadFile("../docs/city/datasource.yml")
	dbtest.Must(t, err)
	used := regexp.MustCompile(`(172\.30\.58\.\d+):\d`).FindAllStringSubmatch(string(text)+string(read)+string(source), -1)
	for _, found := range used {
		if at[found[1]] == "" {
			t.Errorf("%s is nobody's address", found[1])
		}
	}
	if len(used) < 12 || len(at) != 11 {
		t.Errorf("%d uses of %d addresses", len(used), len(at))
	}
}

// The instances are alike, know one another's proxy, end behind it, leave connections over, and Prometheus reads each.
func TestCity_InstancesFitTheProduct(t *testing.T) {
	t.Parallel()
	services := city(t)
	table := new(Config).table()
	one := services["city-one"]
	for name, value := range one.Environment {
		if !slices.ContainsFunc(table, func(s setting) bool { return s.name == name }) {
			t.Errorf("there is no setting %s", name)
		}
		if value != services["city-two"].Environment[name] || value != services["city-three"].Environment[name] {
			t.Errorf("the instances differ in %s", name)
		}
	}
	trusted, proxy := one.Environment["TRUSTED_PROXIES"], fmt.Sprint(services["city-haproxy"].Networks)
	if trusted == "" || !strings.Contains(proxy, trusted) {
		t.Errorf("trusted is %s, and the proxy has %s", trusted, proxy)
	}
	if one.Environment["DRAIN"] != "3s" || one.StopGrace < 3e9+stopSlack || one.Ulimits["nofile"]*streamBytes > 1<<30 {
		t.Errorf("DRAIN=%s, killed after %s, %d open files", one.Environment["DRAIN"], one.StopGrace, one.Ulimits["nofile"])
	}
	if one.Environment["DATABASE_CONNS"] != "16" { // times three, and a few more, below the 100 of PostgreSQL
		t.Errorf("%s connections each", one.Environment["DATABASE_CONNS"])
	}
	var prometheus struct {
		Rules []string `yaml:"rule_files"`
		Jobs  []struct {
			Name    string `yaml:"job_name"`
			Targets []struct {
				Targets []string `yaml:"targets"`
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	text, err := os.ReadFile("../docs/city/prometheus.yml")
	if err != nil || yaml.Unmarshal(text, &prometheus) != nil || len(prometheus.Jobs) != 1 {
		t.Fatalf("docs/city/prometheus.yml: %+v, %v", prometheus, err)
	}
	job := prometheus.Jobs[0]
	var want []string
	for _, name := range []string{"city-one", "city-two", "city-three"} {
		address := regexp.MustCompile(`172\.30\.58\.\d+`).FindString(fmt.Sprint(services[name].Networks))
		want = append(want, address+":9090")
	}
	if job.Name != "lunchgo" || len(job.Targets) != 1 || !slices.Equal(job.Targets[0].Targets, want) ||
		!slices.Equal(prometheus.Rules, []string{"alerts.yml"}) || one.Environment["OPS_ADDR"] != "0.0.0.0:9090" {
		t.Errorf("Prometheus reads %+v, want %v", job, want)
	}
}
