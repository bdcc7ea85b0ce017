#!/bin/bash
# Runs a master of the Redis Cluster, which others reach at ADDRESS and PORT.
set -eu
umask 077

# No password among the arguments, where everybody on the machine could see it.
cat > "${CONFIG:=/tmp/redis.conf}" <<CONF
port ${PORT:=6379}
requirepass $REDISCLI_AUTH
masterauth $REDISCLI_AUTH
cluster-enabled yes
cluster-announce-ip $ADDRESS
cluster-node-timeout 5000
appendonly yes
appendfsync everysec
save ""
maxmemory 256mb
maxmemory-policy noeviction
dir ${DATA:=/data}
CONF
exec redis-server "$CONFIG"
