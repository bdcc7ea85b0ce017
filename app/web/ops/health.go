package ops

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// checkTimeout bounds each check: a probe that hangs would say less than one that fails.
const checkTimeout = time.Second

// health is what the probes answer.
type health struct {
	Status string            `json:"status"`           // "ok", "degraded", "unavailable" or "stopping"
	Checks map[string]string `json:"checks,omitempty"` // "ok" or "unavailable" by dependency
	// of the build; the commit ends in -dirty where files differ from it
	Version  string `json:"version,omitempty"`
	Revision string `json:"revision,omitempty"`
}

const (
	statusOK          = "ok"
	statusDegraded    = "degraded" // it serves, without something that it can do without for a while
	statusUnavailable = "unavailable"
	statusStopping    = "stopping" // it serves for a moment more, and wants nothing new
)

// alive answers GET /healthz: the process runs and serves. It asks nothing else, so that a database that is away
// does not get the process restarted.
func (o *Ops) alive(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.JSON(health{Status: statusOK})
}

// ready answers GET /readyz: 200 when all that is needed to serve answers, else 503, and 503 before the process ends.
// What the process can do without for a while it tells of, but were that to make it unready, all processes would be at
// once.
func (o *Ops) ready(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	if o.stopping.Load() {
		return c.Status(fiber.StatusServiceUnavailable).JSON(health{Status: statusStopping})
	}
	answer := health{Status: statusOK, Checks: o.runChecks(c.UserContext()), Version: o.build.Version,
		Revision: o.build.Commit()}
	for name, status := range answer.Checks {
		switch _, optional := o.OptionalChecks[name]; {
		case status == statusOK:
		case !optional:
			answer.Status = statusUnavailable
			c.Status(fiber.StatusServiceUnavailable)
		case answer.Status == statusOK:
			answer.Status = statusDegraded
		}
	}
	return c.JSON(answer)
}

// runChecks runs all checks at once. What a check says is for the log: its words may name hosts and users.
func (o *Ops) runChecks(ctx context.Context) map[string]string {
	results := make(map[string]string, len(o.Checks))
	var mu sync.Mutex
	var running sync.WaitGroup
	all := map[string]Check{}
	maps.Copy(all, o.Checks)
	maps.Copy(all, o.OptionalChecks)
	for name, check := range all {
		running.Go(func() {
			status := statusOK
			if err := runCheck(ctx, check); err != nil {
				status = statusUnavailable
				o.Log.WarnContext(ctx, "dependency does not answer", "dependency", name, "error", err)
			}
			mu.Lock()
			defer mu.Unlock()
			results[name] = status
		})
	}
	running.Wait()
	return results
}

// runCheck does not wait for a check that goes on past its time.
func runCheck(ctx context.Context, check Check) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	result := make(chan error, 1)
	go func() { result <- check(ctx) }()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
