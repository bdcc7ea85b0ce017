package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"lunchgo/app/seed"
)

const (
	readyTime = time.Minute
	endTime   = 15 * time.Second
	poll      = 100 * time.Millisecond
)

// installation is an instance of a demo with private servers.
type installation struct {
	dir, site, ops string
	restaurant     string // path at the API of the first restaurant of the country, once signed in
	token          string
	process        *exec.Cmd
}

// atInstallation runs work at a demo, seeded with a country if there are arguments for one. It audits only when asked.
func atInstallation(ctx context.Context, country string, work func(i *installation) error) (err error) {
	i := &installation{}
	if i.dir, err = os.MkdirTemp("", "lunchgo-growth-"); err != nil {
		return err
	}
	defer os.RemoveAll(i.dir)
	if country != "" {
		if _, err := execute(ctx, "DEMO=true DATA_DIR="+i.dir+" bin/lunchgo seed "+country); err != nil {
			return err
		}
	}
	if err := i.start(ctx, "AUDIT_EVERY=0"); err != nil {
		return err
	}
	defer func() { _ = i.end() }()
	return work(i)
}

// start starts the instance and waits until it is ready.
func (i *installation) start(ctx context.Context, setting string) error {
	var at [2]string
	for n := range at {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		at[n] = listener.Addr().String()
		if err := listener.Close(); err != nil {
			return err
		}
	}
	i.site, i.ops = "http://"+at[0], "http://"+at[1]
	i.process = exec.CommandContext(ctx, "bin/lunchgo", "serve")
	i.process.Env = append(os.Environ(), "DEMO=true", "DATA_DIR="+i.dir, "ADDR="+at[0], "OPS_ADDR="+at[1], setting)
	i.process.Cancel = func() error { return i.process.Process.Signal(syscall.SIGTERM) }
	i.process.WaitDelay = endTime
	if err := i.process.Start(); err != nil {
		return err
	}
	for began := time.Now(); ; time.Sleep(poll) {
		_, err := i.ask(ctx, http.MethodGet, "/readyz", nil)
		if err == nil || time.Since(began) > readyTime || ctx.Err() != nil {
			return err
		}
	}
}

// end ends the instance, and with it its private servers.
func (i *installation) end() error {
	_ = i.process.Process.Signal(syscall.SIGTERM) // one that is gone is what we want
	return i.process.Wait()
}

// ask sends a request and returns the answer. Returns an error for one that is not 2xx.
func (i *installation) ask(ctx context.Context, method, path string, body any) ([]byte, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	url := path
	if strings.HasPrefix(path, "/") {
		url = i.site + path
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if i.token != "" {
		req.Header.Set("Authorization", "Bearer "+i.token)
	}
	answer, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, text)
	}
	return text, err
}

// askedAlone is how often a page is asked for, one after the other; the first answers, which fill caches, do not count.
const (
	askedAlone = 12
	firstAsked = 2
)

// answerTime returns the median of how long a path takes to answer, in milliseconds.
func (i *installation) answerTime(ctx context.Context, path string) (float64, error) {
	var took []float64
	for range askedAlone {
		began := time.Now()
		if _, err := i.ask(ctx, http.MethodGet, path, nil); err != nil {
			return 0, err
		}
		took = append(took, time.Since(began).Seconds()*1_000)
	}
	took = took[firstAsked:]
	slices.Sort(took)
	return took[len(took)/2], nil
}

// Visitors who ask for a page at once, and how often each does.
const (
	visitors    = 8
	askedByEach = 100
)

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: visitors}}

// crowdTimes has visitors ask for a path at once, each over and over. It returns the time from an answer to the next
// one of anybody, and within which 95 of 100 answers come, in milliseconds.
func (i *installation) crowdTimes(ctx context.Context, path string) (each, p95 float64, err error) {
	took := make([]float64, visitors*askedByEach)
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for v := range visitors {
		group.Go(func() error {
			for k := range askedByEach {
				asked := time.Now()
				if _, err := i.ask(ctx, http.MethodGet, path, nil); err != nil {
					return err
				}
				took[v*askedByEach+k] = 1_000 * time.Since(asked).Seconds()
			}
			return nil
		})
	}
	err = group.Wait()
	each = 1_000 * time.Since(began).Seconds() / float64(len(took))
	slices.Sort(took)
	return each, took[len(took)*95/100], err
}

// parties returns how many parties a page of the API adds up; 0 for one that adds none up.
func (i *installation) parties(ctx context.Context, path string) (int, error) {
	text, err := i.ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return 0, err
	}
	var page struct{ Totals struct{ Parties int } }
	err = json.Unmarshal(text, &page)
	return page.Totals.Parties, err
}

// signIn signs the demo's member of staff in, who owns the first restaurant of a country, the newest of theirs.
func (i *installation) signIn(ctx context.Context) error {
	text, err := i.ask(ctx, http.MethodPost, "/api/sessions",
		map[string]string{"email": seed.StaffEmail, "password": seed.DemoPassword})
	if err != nil {
		return err
	}
	var session struct{ Token string }
	if err := json.Unmarshal(text, &session); err != nil {
		return err
	}
	i.token = session.Token
	if text, err = i.ask(ctx, http.MethodGet, "/api/staff/restaurants", nil); err != nil {
		return err
	}
	var own struct {
		Restaurants []struct {
			ID   int64
			Slug string
		}
	}
	if err := json.Unmarshal(text, &own); err != nil {
		return err
	}
	for _, r := range own.Restaurants {
		if r.Slug == seed.CountrySlug {
			i.restaurant = fmt.Sprintf("/api/staff/restaurants/%d", r.ID)
			return nil
		}
	}
	return fmt.Errorf("no restaurant %s among %s", seed.CountrySlug, text)
}

var auditJob = regexp.MustCompile(`(?m)^lunchgo_job_(runs|seconds)_total\{job="audit"[^}]*\} (\S+)`)

// auditTime starts the instance anew, now with audits, and returns how long one of what was touched takes, in
// milliseconds.
func (i *installation) auditTime(ctx context.Context) (float64, error) {
	_ = i.end()
	if err := i.start(ctx, "AUDIT_EVERY=1s"); err != nil {
		return 0, err
	}
	for began := time.Now(); ; time.Sleep(poll) {
		metrics, err := i.ask(ctx, http.MethodGet, i.ops+"/metrics", nil)
		if err != nil {
			return 0, err
		}
		sums := map[string]float64{}
		for _, found := range auditJob.FindAllStringSubmatch(string(metrics), -1) {
			value, err := strconv.ParseFloat(found[2], 64)
			if err != nil {
				return 0, err
			}
			sums[found[1]] += value
		}
		if sums["runs"] > 0 {
			return 1_000 * sums["seconds"] / sums["runs"], nil
		}
		if time.Since(began) > readyTime {
			return 0, fmt.Errorf("no audit within %s", readyTime)
		}
	}
}
