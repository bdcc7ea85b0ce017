package db

import "context"

// LocalBackend returns the process id of a server process that answers this pool, if the server listens on the loopback; 0
// otherwise: its process then belongs to another machine.
func (db *DB) LocalBackend(ctx context.Context) (pid int, err error) {
	err = db.get(ctx, &pid, `
		SELECT CASE WHEN inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1' THEN pg_backend_pid() ELSE 0 END`)
	return pid, err
}
