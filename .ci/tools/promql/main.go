// Promql checks that Prometheus understands the expressions of the alert rules and of the dashboard: promql ROOT.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v2"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: promql ROOT")
		os.Exit(2)
	}
	expressions, err := read(os.Args[1])
	for _, expression := range expressions {
		// Grafana puts a time in its place
		_, fault := parser.ParseExpr(strings.ReplaceAll(expression, "$__rate_interval", "1m"))
		if fault != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", expression, fault))
		}
	}
	if len(expressions) < 50 {
		err = errors.Join(err, fmt.Errorf("only %d expressions were found", len(expressions)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// read returns all expressions of both files.
func read(root string) (expressions []string, err error) {
	var rules struct {
		Groups []struct {
			Rules []struct {
				Expr string `yaml:"expr"`
			} `yaml:"rules"`
		} `yaml:"groups"`
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	text, err := os.ReadFile(filepath.Join(root, "docs/alerts.yml"))
	if err == nil {
		err = yaml.Unmarshal(text, &rules)
	}
	shown, showErr := os.ReadFile(filepath.Join(root, "docs/grafana-dashboard.json"))
	if showErr == nil {
		showErr = json.Unmarshal(shown, &dashboard)
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			expressions = append(expressions, rule.Expr)
		}
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	return expressions, errors.Join(err, showErr)
}
