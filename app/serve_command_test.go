package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// stopTime is in what time a process ends, as README says.
const stopTime = 5 * time.Second

// A process whose database stands still says that it lives, and ends in its time, in the middle of requests too.
func TestServe_EndsWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	relay := dbtest.NewRelay(t, dbtest.PostgresURL(t))
	c := Config{Addr: "127.0.0.1:0", DatabaseURL: relay.URL, RedisURL: dbtest.PrivateRedisURL(t), DatabaseConns: 4,
		Secret: strings.Repeat("0123456789", 4), LineMaxWait: time.Minute, LineMaxLength: 10,
		AuditEvery: time.Second}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, c, func(at addresses) { address <- at.site }) }()
	var url string
	select {
	case url = <-address:
	case err := <-ended:
		t.Fatal(err)
	}
	relay.Freeze()
	defer relay.Thaw()
	var asked sync.WaitGroup
	defer asked.Wait()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	for range 10 {
		asked.Go(func() {
			if response, err := client.Get(url + "/api/restaurants"); err == nil {
				_ = response.Body.Close()
			}
		})
	}
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	dbtest.Must(t, err)
	c.Addr = net.JoinHostPort("127.0.0.1", port)
	if err := healthCommand(t.Context(), c, nil, nil); err != nil {
		t.Errorf("healthcheck: %v", err)
	}
	begun := time.Now()
	stop()
	<-ended // what it could not do in time is an error
	if took := time.Since(begun); took > stopTime+5*time.Second {
		t.Errorf("it ends after %v", took)
	}
}
