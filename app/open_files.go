package main

import (
	"log/slog"
)

// filesOfServer is how many open files an instance needs besides connections of its visitors, to PostgreSQL and to
// Redis: subscriptions, listeners, logs, connections that are refused.
const filesOfServer = 128

// leastConnections is how many visitors' connections an instance takes at least, whatever the limit of open files is.
const leastConnections = 64

// fileLimits is what bounds the open files of an instance.
type fileLimits struct {
	limit      int // of the process; 0: not known
	redisConns int // at most
}

// maxConnections is how many connections of visitors an instance can have at a time; 0: any number. It says so in the
// log when that is less than the longest line needs, in which everybody may have an event stream.
func maxConnections(c Config, files fileLimits, log *slog.Logger) int {
	if files.limit == 0 {
		return 0
	}
	most := max(files.limit-filesOfServer-files.redisConns-c.DatabaseConns, leastConnections)
	if most < c.LineMaxLength {
		log.Info("the limit of open files bounds how many may watch their line at this instance: raise it (ulimit -n, "+
			"LimitNOFILE) or run more instances", "open_files", files.limit, "connections", most, "LINE_MAX_LENGTH",
			c.LineMaxLength)
	}
	return most
}
