package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/rush"
	"lunchgo/db/embedded"
)

// meter reads what Redis and PostgreSQL have used.
type meter struct{ backends *backends }

// errElsewhere says that PostgreSQL runs on another machine, or where its processes cannot be seen.
var errElsewhere = errors.New("the processes of PostgreSQL cannot be seen")

// RedisCommands implements rush.Meter: those of scripts count too, in a cluster those of all masters together.
func (m meter) RedisCommands(ctx context.Context) (int64, error) {
	return sumOfMasters(ctx, m.backends.Redis, commandsOf)
}

// RedisCPU implements rush.Meter.
func (m meter) RedisCPU(ctx context.Context) (time.Duration, error) {
	return sumOfMasters(ctx, m.backends.Redis, cpuOf)
}

// PostgresCPU implements rush.Meter.
func (m meter) PostgresCPU(ctx context.Context) (time.Duration, error) {
	pid, err := m.backends.DB.LocalBackend(ctx)
	if err != nil {
		return 0, err
	}
	if pid == 0 {
		return 0, errElsewhere
	}
	return embedded.PostgresCPU(pid)
}

// Bytes implements rush.Meter.
func (m meter) Bytes(ctx context.Context) (rush.Bytes, error) {
	var used rush.Bytes
	var faults [4]error
	used.WAL, used.Database, faults[0] = m.backends.DB.Written(ctx)
	used.RedisMemory, faults[1] = sumOfMasters(ctx, m.backends.Redis,
		func(ctx context.Context, c redis.Cmdable) (int64, error) {
			return infoOf(ctx, c, "memory", "used_memory_peak")
		})
	for i, field := range []string{"total_net_input_bytes", "total_net_output_bytes"} {
		n, err := sumOfMasters(ctx, m.backends.Redis, func(ctx context.Context, c redis.Cmdable) (int64, error) {
			return infoOf(ctx, c, "stats", field)
		})
		used.RedisNetwork += n
		faults[2+i] = err
	}
	return used, errors.Join(faults[:]...)
}

// infoOf reads one whole number out of a section of Redis' INFO.
func infoOf(ctx context.Context, client redis.Cmdable, section, field string) (int64, error) {
	text, err := client.Info(ctx, section).Result()
	if err != nil {
		return 0, fmt.Errorf("read %s of Redis: %w", field, err)
	}
	for line := range strings.Lines(text) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); name == field {
			return strconv.ParseInt(value, 10, 64)
		}
	}
	return 0, fmt.Errorf("no %s in what Redis says", field)
}

// Ping implements rush.Meter.
func (m meter) Ping(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	err := m.backends.Redis.Ping(ctx).Err()
	return time.Since(began), err
}

// sumOfMasters adds up a figure of all masters of a cluster, or of the only server.
func sumOfMasters[T ~int64](ctx context.Context, client redis.UniversalClient,
	of func(context.Context, redis.Cmdable) (T, error)) (T, error) {
	cluster, ok := client.(*redis.ClusterClient)
	if !ok {
		return of(ctx, client)
	}
	var mu sync.Mutex
	var sum T
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
		n, err := of(ctx, master)
		mu.Lock()
		defer mu.Unlock()
		sum += n
		return err
	})
	return sum, err
}

// commandsOf adds up the calls in lines such as "cmdstat_get:calls=21,usec=175,usec_per_call=8.33,…".
func commandsOf(ctx context.Context, client redis.Cmdable) (int64, error) {
	text, err := client.Info(ctx, "commandstats").Result()
	if err != nil {
		return 0, fmt.Errorf("count the commands of Redis: %w", err)
	}
	var sum int64
	for line := range strings.Lines(text) {
		_, rest, found := strings.Cut(line, ":calls=")
		if !found || strings.HasPrefix(line, "cmdstat_info:") {
			continue
		}
		calls, _, _ := strings.Cut(rest, ",")
		n, err := strconv.ParseInt(calls, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("count the commands of Redis: %w", err)
		}
		sum += n
	}
	return sum, nil
}

// cpuOf adds up the lines "used_cpu_sys:12.345678" and "used_cpu_user:…", which are seconds of all threads. Processes
// that write the data to the disk are not among them.
func cpuOf(ctx context.Context, client redis.Cmdable) (time.Duration, error) {
	text, err := client.Info(ctx, "cpu").Result()
	if err != nil {
		return 0, fmt.Errorf("read the processor time of Redis: %w", err)
	}
	var sum float64
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name != "used_cpu_sys" && name != "used_cpu_user" {
			continue
		}
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, fmt.Errorf("read the processor time of Redis: %w", err)
		}
		sum += seconds
	}
	return time.Duration(sum * float64(time.Second)), nil
}
