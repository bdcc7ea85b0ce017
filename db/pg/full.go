package pg

import "time"

// fullRest is how long a pool goes on with what it has after the server refused it one more connection.
const fullRest = 5 * time.Second

// resize bounds the connections of the pool. All of them are kept open.
func (p *Pool) resize(conns int) {
	p.sql.SetMaxOpenConns(conns)
	p.sql.SetMaxIdleConns(conns)
}

// shrink makes do with the connections that the server has given, for a while: callers wait for one of them then. With
// a larger pool each would ask the server for one more, and be refused, while others come free.
func (p *Pool) shrink() {
	has := max(1, p.sql.Stats().OpenConnections-1) // without the one that is refused; others that are come here too
	if p.shrunk.Swap(true) {
		if has < p.sql.Stats().MaxOpenConnections {
			p.resize(has)
		}
		return
	}
	p.resize(has)
	time.AfterFunc(fullRest, func() {
		p.shrunk.Store(false)
		p.resize(p.config.MaxConns)
	})
	if p.config.ServerFull != nil {
		p.config.ServerFull(has)
	}
}
