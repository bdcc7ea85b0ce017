#!/bin/bash
# Lets the replica follow this server. PostgreSQL's image runs it once, when it has made the database.
set -eu

psql --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
CREATE ROLE replica LOGIN REPLICATION PASSWORD :'password';
SQL
echo 'host replication replica samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
