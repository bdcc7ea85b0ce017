package rush

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// Names of the metrics that a rush reads off an instance.
const (
	metricConnections = "lunchgo_db_connections_in_use_max"
	metricMemory      = "process_resident_memory_bytes"
	metricSitePort    = "lunchgo_site_port"
	metricCPU         = "process_cpu_seconds_total"
	metricTurns       = "lunchgo_line_run_tickets_count"
	metricHandoff     = "lunchgo_line_handoff_seconds"
	metricLineEvents  = "lunchgo_line_events_total"
)

// ShowsMetricsOf says whether the metrics at ops are those of the instance that serves at url: of another instance on
// the same machine they would be figures of something else.
func ShowsMetricsOf(ctx context.Context, ops, url string) bool {
	servers, err := parseServers([]string{url})
	if err != nil {
		return false
	}
	_, port, err := net.SplitHostPort(servers[0].address)
	if err != nil {
		return false
	}
	client := http.Client{Timeout: answerTime}
	defer client.CloseIdleConnections()
	found, err := readMetrics(ctx, &client, ops)
	return err == nil && strconv.FormatFloat(found.values[metricSitePort], 'f', -1, 64) == port
}

// metrics are what a server shows at one moment.
type metrics struct {
	values  map[string]float64 // those without labels, by name
	handoff histogram          // in seconds
	events  map[string]float64 // what happened in the lines, by event
}

// readMetrics reads the metrics that a server shows.
func readMetrics(ctx context.Context, client *http.Client, base string) (metrics, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/metrics", nil)
	if err != nil {
		return metrics{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		return metrics{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return metrics{}, fmt.Errorf("%s/metrics: %s", base, response.Status)
	}
	return parseMetrics(response.Body)
}

// parseMetrics reads the text format of Prometheus, version 0.0.4.
func parseMetrics(text io.Reader) (metrics, error) {
	found := metrics{map[string]float64{}, histogram{}, map[string]float64{}}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		found.handoff.add(metricHandoff, lines.Text())
		name, rest, ok := strings.Cut(lines.Text(), " ")
		number, _, _ := strings.Cut(rest, " ") // a timestamp may follow
		value, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil {
			continue
		}
		if event, ok := strings.CutPrefix(name, metricLineEvents+`{event="`); ok {
			found.events[strings.TrimSuffix(event, `"}`)] = value
		}
		if !strings.Contains(name, "{") {
			found.values[name] = value
		}
	}
	return found, lines.Err()
}
