package respond

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
)

// SayPause tells the client after which pause it may come back, if a problem names one.
func SayPause(c *fiber.Ctx, p Problem) {
	if p.RetryAfter > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(Seconds(p.RetryAfter)))
	}
}

// RandomPause returns how long a client waits before it comes back, in whole units, uniform from two thirds to
// four thirds of the mean. Every pause is random, because clients that lost the same server at the same moment
// must not come back at the same moment. The mean is at least three units.
func RandomPause(mean, unit time.Duration) time.Duration {
	third := int64(mean / 3 / unit)
	return mean + unit*time.Duration(rand.Int64N(2*third+1)-third)
}
