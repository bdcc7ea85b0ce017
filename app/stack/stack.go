// Package stack makes room on the stacks of goroutines that will need it.
package stack

// Room is how much Reserve makes sure of, in bytes: with what the server has on it the stack takes 16 kB then, as much
// as a press needs. With 32 kB each, 5,000 who wait take 350 MB more.
const Room = 8 << 10

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
