package against

// rowLock is the seat check: the row of the slot is the lock, and who waits for it holds a connection.
type rowLock struct{ seats *seats }

func newRowLock(t tools) design { return rowLock{t.seats} }

func (d rowLock) reserve(p press) (string, error) { return d.seats.book(p, d.seats.lock, nil) }
