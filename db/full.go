package db

import "time"

// fullRest is how long a pool goes on with what it has after the server refused it one more connection.
const fullRest = 5 * time.Second

// resize bounds the connections of the pool. All of them are kept open.
func (db *DB) resize(conns int) {
	db.pool.SetMaxOpenConns(conns)
	db.pool.SetMaxIdleConns(conns)
}

// shrink makes do with the connections that the server has given, for a while: callers wait for one of them then. With
// a larger pool each would ask the server for one more, and be refused, while others come free.
func (db *DB) shrink() {
	has := max(1, db.pool.Stats().OpenConnections-1) // without the one that is refused; others that are come here too
	if db.shrunk.Swap(true) {
		if has < db.pool.Stats().MaxOpenConnections {
			db.resize(has)
		}
		return
	}
	db.resize(has)
	time.AfterFunc(fullRest, func() {
		db.shrunk.Store(false)
		db.resize(db.config.MaxConns)
	})
	if db.config.ServerFull != nil {
		db.config.ServerFull(has)
	}
}
