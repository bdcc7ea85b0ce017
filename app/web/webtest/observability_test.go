package webtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
)

// families reads /metrics: the names, and each label's values.
func (r *harness) families(t *testing.T) map[string]map[string][]string {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	read, err := parser.TextToMetricFamilies(strings.NewReader(r.metrics(t)))
	dbtest.Must(t, err)
	families := map[string]map[string][]string{}
	for name, family := range read {
		families[name] = map[string][]string{}
		for _, metric := range family.Metric {
			for _, label := range metric.Label {
				if values := families[name][label.GetName()]; !slices.Contains(values, label.GetValue()) {
					families[name][label.GetName()] = append(values, label.GetValue())
				}
			}
		}
	}
	return families
}

// Whatever is asked of any route, no label takes a value that a client chose: routes are patterns, methods and statuses
// few.
func TestMetrics_LabelsAreBounded(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	const typed = "x7typed"
	patterns, param := []string{"unknown"}, regexp.MustCompile(`:\w+|\*`)
	for _, route := range r.Site.Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		patterns = append(patterns, pattern)
		r.visit(t, method, param.ReplaceAllString(pattern, typed)+"?q="+typed)
	}
	r.visit(t, "GET", "/"+typed)
	r.visit(t, "X7TYPED", "/")
	// of calls to PostgreSQL and Redis; of webhooks; of jobs; of the payment provider
	results := []string{"answered", "away", "delivered", "waiting", "failed", "done", "ok", "refused", "unsure"}
	calls := []string{"begin", "find", "capture", "cancel", "refund"}
	allowed := map[string]func(value string) bool{
		"route":   func(v string) bool { return slices.Contains(patterns, v) },
		"method":  func(v string) bool { return regexp.MustCompile(`^[A-Z]+$`).MatchString(v) && v != "X7TYPED" },
		"status":  func(v string) bool { return regexp.MustCompile(`^[1-5]xx$`).MatchString(v) },
		"event":   func(v string) bool { return regexp.MustCompile(`^[a-z_]+$`).MatchString(v) },
		"path":    func(v string) bool { return regexp.MustCompile(`^[a-z]+$`).MatchString(v) },
		"job":     func(v string) bool { return regexp.MustCompile(`^[a-z -]+$`).MatchString(v) },
		"check":   func(v string) bool { return !strings.ContainsAny(v, "0123456789") },
		"result":  func(v string) bool { return slices.Contains(results, v) },
		"call":    func(v string) bool { return slices.Contains(calls, v) },
		"version": func(v string) bool { return strings.HasPrefix(v, "go") },
	}
	families := r.families(t)
	if n := len(families[ops.MetricRequests]["route"]); n < 80 {
		t.Fatalf("only %d routes were measured", n)
	}
	delete(families, "lunchgo_build_info") // has one series
	for name, labels := range families {
		for label, values := range labels {
			for _, value := range values {
				if bounded := allowed[label]; label != "quantile" &&
					(bounded == nil || !bounded(value) || strings.Contains(value, typed)) {
					t.Errorf("%s{%s=%q}", name, label, value)
				}
			}
		}
	}
}

// visit sends a request as nobody, and leaves its answer.
func (r *harness) visit(t *testing.T, method, path string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, nil)
	dbtest.Must(t, err)
	answer, err := agent.Do(request)
	dbtest.Must(t, err)
	_ = answer.Body.Close()
}

// rule is an alert of docs/alerts.yml.
type rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func alerts(t *testing.T) []rule {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []rule `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal(inDocs(t, "alerts.yml"), &file); err != nil || len(file.Groups) != 1 ||
		len(file.Groups[0].Rules) < 10 {
		t.Fatalf("docs/alerts.yml: %+v, %v", file, err)
	}
	return file.Groups[0].Rules
}

func inDocs(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../../docs/" + name)
	dbtest.Must(t, err)
	return text
}

// Every figure that the dashboard or an alert asks for is one of the product's, or of the collectors of Go and the
// process.
func TestObservability_AsksForFiguresThatExist(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.get(t, person{}, "/api/restaurants").want(t, 200, "")
	families := r.families(t)
	for _, later := range []string{ops.MetricAuditFindings, ops.MetricAuditLastRun, ops.MetricAuditLastWhole, // once there was an audit
		ops.MetricHandoff,                                 // once a turn followed another
		ops.MetricReplicaRead,                             // with DATABASE_REPLICA_URL
		ops.MetricPaymentCalls, ops.MetricPaymentRefusals, // once a provider was asked
		ops.MetricEventsWaiting, ops.MetricEventsOldest, ops.MetricEventFailures} { // with KAFKA_BROKERS
		families[later] = nil
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(inDocs(t, "grafana-dashboard.json"), &dashboard); err != nil ||
		len(dashboard.Panels) < 20 {
		t.Fatalf("docs/grafana-dashboard.json has %d panels, %v", len(dashboard.Panels), err)
	}
	asked := map[string]string{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			asked["the panel "+panel.Title] += " " + target.Expr
		}
	}
	for _, alert := range alerts(t) {
		asked["the alert "+alert.Alert] = alert.Expr
	}
	name := regexp.MustCompile(`\b(?:lunchgo|go|process)_[a-z_]+`)
	for who, expressions := range asked {
		names := name.FindAllString(expressions, -1)
		if len(names) == 0 && !strings.HasPrefix(expressions, "up{") {
			t.Errorf("%s asks for no figure: %s", who, expressions)
		}
		for _, found := range names {
			_, exact := families[found]
			_, ofHistogram := families[regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(found, "")]
			if !exact && !ofHistogram {
				t.Errorf("%s asks for %s, which is not at /metrics", who, found)
			}
		}
	}
}

// Every alert says how bad it is, what is wrong, and where it is written what to do; every runbook is of an alert.
func TestAlerts_HaveARunbook(t *testing.T) {
	t.Parallel()
	text := string(inDocs(t, "operations.md"))
	sections := regexp.MustCompile(`(?m)^### ([a-z-]+)$`).FindAllStringSubmatch(text, -1)
	anchors := map[string]bool{}
	for _, section := range sections {
		anchors[section[1]] = true
	}
	for _, alert := range alerts(t) {
		_, err := time.ParseDuration(alert.For)
		if severity := alert.Labels["severity"]; severity != "critical" && severity != "warning" || err != nil ||
			alert.Annotations["summary"] == "" {
			t.Errorf("%s: severity %q, for %q, summary %q", alert.Alert, severity, alert.For,
				alert.Annotations["summary"])
		}
		address, err := url.Parse(expand(t, alert.Annotations["runbook"]))
		if err != nil || !strings.HasPrefix(address.String(), runbooks+"/operations.md#") || !anchors[address.Fragment] {
			t.Errorf("%s has no runbook at %q: %v", alert.Alert, alert.Annotations["runbook"], err)
			continue
		}
		delete(anchors, address.Fragment)
	}
	for anchor := range anchors {
		t.Errorf("the runbook %s is of no alert", anchor)
	}
}

// runbooks is the external label of the same name, of a Prometheus.
const runbooks = "https://git.example.org/lunchgo/src/branch/main/docs"

// expand fills a template of an annotation in as Prometheus does, for an alert without labels.
func expand(t *testing.T, annotation string) string {
	t.Helper()
	filled, err := template.New("").Option("missingkey=zero").Parse(`{{$externalLabels := .ExternalLabels}}` + annotation)
	dbtest.Must(t, err)
	var text strings.Builder
	dbtest.Must(t, filled.Execute(&text, map[string]any{"ExternalLabels": map[string]string{"runbooks": runbooks}}))
	return text.String()
}
