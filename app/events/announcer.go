package events

import (
	"time"

	"lunchgo/app/jobs"
)

// Announcing returns the job that has the events written of slots that sold out or have seats again: every so often
// while seats are taken or come free, up to ten times that else.
func Announcing(store Store, every time.Duration) jobs.Job {
	return jobs.Job{Name: "announce sold-out slots", Alone: "a lock of its transaction", Every: every, Idle: 10 * every,
		Run: store.AnnounceSlots}
}
