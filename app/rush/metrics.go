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
)

// ShowsMetricsOf says whether the metrics at ops are those of the instance that serves at url: of another instance on the
// same machine they would be figures of something else.
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
	return err == nil && strconv.FormatFloat(found[metricSitePort], 'f', -1, 64) == port
}

// readMetrics returns the metrics without labels that a server shows, by name.
func readMetrics(ctx context.Context, client *http.Client, base string) (map[string]float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s/metrics: %s", base, response.Status)
	}
	return parseMetrics(response.Body)
}

// parseMetrics reads the text format of Prometheus, version 0.0.4, as far as it has no labels.
func parseMetrics(text io.Reader) (map[string]float64, error) {
	found := map[string]float64{}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		name, rest, ok := strings.Cut(lines.Text(), " ")
		if !ok || name == "#" || strings.Contains(name, "{") {
			continue
		}
		number, _, _ := strings.Cut(rest, " ") // a timestamp may follow
		if value, err := strconv.ParseFloat(number, 64); err == nil {
			found[name] = value
		}
	}
	return found, lines.Err()
}
