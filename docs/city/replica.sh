#!/bin/bash
# Copies the server at PRIMARY_HOST and PRIMARY_PORT, unless that was done at an earlier start, and follows it.
set -eu

export PGPASSWORD="$POSTGRES_PASSWORD"
if [ ! -e "$PGDATA" ]; then
  rm -rf "$PGDATA.part" # a copy that was broken off
  pg_basebackup --host="$PRIMARY_HOST" --port="${PRIMARY_PORT:-5432}" --username=replica --pgdata="$PGDATA.part" \
    --write-recovery-conf --wal-method=stream --checkpoint=fast
  mv "$PGDATA.part" "$PGDATA"
fi
exec postgres -D "$PGDATA" "$@"
