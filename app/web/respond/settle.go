package respond

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
)

// Settle waits for a ticket's result, for no longer than patience, and returns where the ticket stands then. The
// request gives up its place at the load shedder: it asks the database nothing while it waits.
func Settle(c *fiber.Ctx, watch *waiting.Watch, patience time.Duration) waiting.Status {
	LeaveLoadShedder(c)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), patience)
	defer cancel()
	return watch.WaitForResult(ctx)
}
