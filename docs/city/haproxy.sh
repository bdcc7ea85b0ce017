#!/bin/bash
# Runs HAProxy by docs/haproxy.cfg, with the addresses of the instances in INSTANCES. The image's user is not root.
set -eu

read -r one two three <<< "$INSTANCES"
sed -e "s/127\.0\.0\.1:8081/$one/" -e "s/127\.0\.0\.1:8082/$two/" -e "s/127\.0\.0\.1:8083/$three/" \
  -e "s/bind :80\$/bind :8080/" -e "/^\tuser haproxy\$/d" -e "/^\tgroup haproxy\$/d" -e "s|/run/haproxy|/tmp|" \
  "${SOURCE:-/etc/lunchgo/haproxy.cfg}" > "${CONFIG:=/tmp/haproxy.cfg}"
exec haproxy -W -db -f "$CONFIG" "$@"
