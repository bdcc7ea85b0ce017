package respond

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
)

// TurnTime is how long Settle waits at least for a ticket that has its turn already: a turn takes milliseconds, and to
// ask for its result again costs more than the turn.
const TurnTime = 500 * time.Millisecond

// Settle waits for a ticket's result, for no longer than patience, or than TurnTime if it has its turn, and returns
// where the ticket stands then. The request gives up its place at the load shedder: it asks the database nothing while
// it waits.
func Settle(c *fiber.Ctx, watch *waiting.Watch, patience time.Duration) waiting.Status {
	LeaveLoadShedder(c)
	if watch.HasTurn() {
		patience = max(patience, TurnTime)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), patience)
	defer cancel()
	return watch.WaitForResult(ctx)
}
