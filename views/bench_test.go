package views_test

import (
	"context"
	"io"
	"testing"

	"lunchgo/views/pages"
)

// The stream renders this for every diner who waits, at each tick.
func BenchmarkWaitingStatus(b *testing.B) {
	status := status("ko")
	b.ReportAllocs()
	for b.Loop() {
		if err := pages.WaitingStatus(status).Render(context.Background(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
