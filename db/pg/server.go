package pg

import "context"

// LocalBackend returns the process id of a server process that answers this pool, if the server listens on the
// loopback; 0 otherwise: its process then belongs to another machine.
func (p *Pool) LocalBackend(ctx context.Context) (pid int, err error) {
	err = p.Get(ctx, &pid, `
		SELECT CASE WHEN inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1' THEN pg_backend_pid() ELSE 0 END`)
	return pid, err
}

// Written returns how many bytes of WAL the server has written since it was made, for all of its databases, and how
// large this database is: rows, indexes and free space. It is an error on a standby, which writes none.
func (p *Pool) Written(ctx context.Context) (wal, size int64, err error) {
	var row struct {
		WAL, Size int64
	}
	err = p.Get(ctx, &row, `
		SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal, pg_database_size(current_database()) AS size`)
	return row.WAL, row.Size, err
}
