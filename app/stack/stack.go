// Package stack makes room on the stacks of goroutines that will need it.
package stack

// Room is how much Reserve makes sure of, in bytes: what a press needs below the server's loop.
const Room = 12 << 10

// Reserve grows the goroutine's stack at once, while there is little on it. Left to itself a stack doubles whenever it
// is full, deep in a call, and every frame is looked up and moved; each garbage collection halves the stacks of those
// that wait.
//
//go:noinline
func Reserve() {
	var room [Room]byte
	use(&room)
}

//go:noinline
func use(room *[Room]byte) { room[0] = 1 }
