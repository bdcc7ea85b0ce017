package stack_test

import (
	"context"
	"sync"
	"testing"

	"lunchgo/app/stack"
)

// deepen calls itself, with frames as large as those of a press, below as many middlewares.
func deepen(ctx context.Context, left int) byte {
	var frame [200]byte
	if left == 0 || ctx.Err() != nil {
		return 1
	}
	frame[left] = deepen(ctx, left-1)
	return frame[left] + frame[0]
}

// BenchmarkPress goes as deep as a press in a new goroutine, whose stack grows on the way, or has been grown before.
func BenchmarkPress(b *testing.B) {
	for _, of := range []struct {
		name    string
		reserve func()
	}{{"growing", func() {}}, {"reserved", stack.Reserve}} {
		b.Run(of.name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			for b.Loop() {
				var done sync.WaitGroup
				done.Go(func() {
					of.reserve()
					deepen(ctx, 35)
				})
				done.Wait()
			}
		})
	}
}
