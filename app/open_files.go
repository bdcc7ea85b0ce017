package main

import (
	"fmt"
	"log/slog"

	"lunchgo/app/rush"
)

// filesOfServer is how many open files an instance needs besides connections of its visitors, to PostgreSQL and to
// Redis: subscriptions, listeners, logs, connections that are refused.
const filesOfServer = 128

// filesOfRush is how many connections a rush has to an instance besides those of its diners and pages.
const filesOfRush = 16

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

// checkRush says which limit to raise to what, as an error, where the instances that a rush starts cannot have a
// connection for each diner and each page of staff.
func checkRush(c Config, files fileLimits, o rush.Options) error {
	most := maxConnections(c, files, slog.New(slog.DiscardHandler))
	each := (o.Diners+o.Boards+o.Instances-1)/o.Instances + filesOfRush
	if most == 0 || each <= most {
		return nil
	}
	need := files.limit - most + each
	return fmt.Errorf("each of %d instances needs %d open files for its diners, and a process may have %d: raise the "+
		"limit (ulimit -n %d, LimitNOFILE=%d), or take more --instances", o.Instances, need, files.limit, need, need)
}
