#!/bin/bash
# Makes one Redis Cluster of the masters at the addresses host:port in NODES, unless they are one already, and waits until
# each of them finds it whole.
set -eu

read -r -a nodes <<< "$NODES"
all_say() {
  for node in "${nodes[@]}"; do
    redis-cli -h "${node%:*}" -p "${node#*:}" cluster info | grep -q "^$1" || return 1
  done
}
if all_say cluster_slots_assigned:0; then
  redis-cli --cluster create "${nodes[@]}" --cluster-yes
fi
until all_say cluster_state:ok; do sleep 0.5; done
