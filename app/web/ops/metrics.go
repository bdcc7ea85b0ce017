package ops

import (
	"regexp"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// The names of all figures at /metrics, besides go_* and process_* of the runtime. Times are in seconds.
const (
	// MetricRequests is a histogram of the time to an answer (to its head, for event streams), by route, method and
	// class of the status ("2xx").
	MetricRequests = "lunchgo_http_request_seconds"
	MetricInFlight = "lunchgo_http_requests_in_flight" // requests that have no answer yet, streams without

	// transactions and single statements, by result: answered or away
	MetricDatabaseCalls    = "lunchgo_db_call_seconds"
	MetricRedisCalls       = "lunchgo_redis_call_seconds" // calls to Redis, likewise
	MetricRedisConnections = "lunchgo_redis_connections"
	MetricRedisIdle        = "lunchgo_redis_connections_idle"
	MetricRedisTimeouts    = "lunchgo_redis_connection_timeouts_total" // calls that got no connection in time

	// reservations that wait for payment, of the installation
	MetricHolds       = "lunchgo_holds"
	MetricHoldsLate   = "lunchgo_holds_late"                   // of them, those that no sweep has ended in time
	MetricMails       = "lunchgo_mails_failing"                // letters that the mail server did not take yet
	MetricMailsOldest = "lunchgo_mails_failing_oldest_seconds" // how long ago the first of them was noted

	MetricConnectionsMax      = "lunchgo_db_connections_max"        // the pool's size
	MetricConnectionsOpen     = "lunchgo_db_connections_open"       // connections now
	MetricConnectionsInUse    = "lunchgo_db_connections_in_use"     // of them at work now
	MetricConnectionsInUseMax = "lunchgo_db_connections_in_use_max" // the most seen at work at once since the start
	MetricConnectionWaits     = "lunchgo_db_connection_waits_total" // calls that had to wait for a connection
	MetricConnectionWaitTime  = "lunchgo_db_connection_wait_seconds_total"

	// Of the replica, where there is one.
	// 1: it is read from; 0: it is away, or more than a second behind
	MetricReplicaRead  = "lunchgo_db_replica_read"
	MetricReplicaInUse = "lunchgo_db_replica_connections_in_use"     // connections at work now
	MetricReplicaWaits = "lunchgo_db_replica_connection_waits_total" // calls that had to wait for a connection

	MetricBuild    = "lunchgo_build_info" // always 1, by version, revision and goversion of the build
	MetricSitePort = "lunchgo_site_port"  // the TCP port at which this process serves the site

	MetricTickets = "lunchgo_waiting_tickets"       // tickets that wait in this process
	MetricStill   = "lunchgo_waiting_still_tickets" // of them, those in lines that are paused or not open yet
	MetricStreams = "lunchgo_event_streams"         // open event streams

	// from the end of a turn to the next one's begin, by path of the grant
	MetricHandoff    = "lunchgo_line_handoff_seconds"
	MetricWait       = "lunchgo_line_wait_seconds" // from arrival to the begin of the turn
	MetricHold       = "lunchgo_line_hold_seconds" // how long turns last
	MetricRun        = "lunchgo_line_run_tickets"  // how many tickets a turn serves
	MetricLineEvents = "lunchgo_line_events_total" // by event, see locks.Event
	// evenings and campaigns that this process serves without Redis now
	MetricLinesAway = "lunchgo_line_away"

	// the last thousand with a result who were shown how long they wait
	MetricEstimatePeople = "lunchgo_estimate_people"
	MetricEstimateInside = "lunchgo_estimate_in_range_people" // of them, who was served inside the range
	MetricEstimateWidth  = "lunchgo_estimate_width_ratio"     // median width of the range after 2 s in line, as a share of the wait

	MetricJobRuns = "lunchgo_job_runs_total"                  // of what this process does by itself, by job and result
	MetricJobTime = "lunchgo_job_seconds_total"               // how long they took, by job
	MetricJobLast = "lunchgo_job_last_done_timestamp_seconds" // when one was last done, by job

	MetricAuditFindings  = "lunchgo_audit_findings"                   // things found wrong, by check; all are to be 0
	MetricAuditLastRun   = "lunchgo_audit_last_run_timestamp_seconds" // when the last audit began, at whichever instance
	MetricAuditLastWhole = "lunchgo_audit_whole_timestamp_seconds"    // when the last whole one began that has ended
	MetricAuditDuration  = "lunchgo_audit_seconds"                    // how long it took

	// events that wait to be sent to Kafka, of the process that sends, by topic
	MetricEventsWaiting  = "lunchgo_events_waiting"
	MetricEventsOldest   = "lunchgo_events_oldest_seconds" // how long the first of them waits
	MetricEventFailures  = "lunchgo_events_failures_total" // how often Kafka did not take events
	MetricWebhookTries   = "lunchgo_webhook_tries_total"   // of this process, by result: delivered, waiting, failed
	MetricWebhookWaiting = "lunchgo_webhook_waiting"       // deliveries that wait, of all instances
	MetricWebhookRetries = "lunchgo_webhook_retrying"      // of them, those that have failed at least once
	// calls of the payment provider by this process, by call and result
	MetricPaymentCalls       = "lunchgo_payment_call_seconds"
	MetricPaymentRefusals    = "lunchgo_payment_refusals_total"          // of them, refused for good, by call and code
	MetricPaymentsWaiting    = "lunchgo_payments_waiting"                // for the provider to decide
	MetricPaymentsOldest     = "lunchgo_payments_waiting_oldest_seconds" // how long the first of them waits
	MetricPaymentDifferences = "lunchgo_payment_differences"             // to the provider's list, of the last days

	MetricWebhookOldest = "lunchgo_webhook_oldest_seconds" // age of the oldest event that no try was made for yet
)

// unchecked is embedded in collectors that have no figures at times: the registry does not check those of theirs.
type unchecked struct{}

// Describe implements prometheus.Collector.
func (unchecked) Describe(chan<- *prometheus.Desc) {}

// gauge is a figure as it is now.
func gauge(name, help string, value float64) prometheus.Metric {
	return prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, nil), prometheus.GaugeValue, value)
}

// counter is a figure that only rises, as it is now.
func counter(name, help string, value float64) prometheus.Metric {
	return prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, nil), prometheus.CounterValue, value)
}

// register fills the registry.
func (o *Ops) register() {
	read := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	o.registry.MustRegister(
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(
			collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)})),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		o.requests,
		o.inFlight,
		o.pool,
		o.Audit,
		o.Backends.database,
		o.Backends.redis,
		&backlogMetrics{read: o.Backlog, log: o.Log},
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: MetricBuild, Help: "Always 1: which build this is.",
			ConstLabels: prometheus.Labels{"version": o.build.Version, "revision": o.build.Commit(),
				"goversion": o.build.GoVersion}}, func() float64 { return 1 }),
		read(MetricSitePort, "TCP port at which this process serves the site.",
			func() float64 { return float64(o.sitePort.Load()) }),
		read(MetricTickets, "Tickets that wait in this process.", func() float64 { return float64(o.Waiting()) }),
		read(MetricStill, "Of them, those in lines that are paused or not open yet.", func() float64 {
			return float64(o.SuspendedTickets())
		}),
		read(MetricLinesAway,
			"Evenings and campaigns that this process serves by itself because Redis does not answer.", func() float64 {
				return float64(o.Away())
			}),
		read(MetricStreams, "Open event streams.", func() float64 { return float64(o.Streams()) }),
	)
	if o.Outgoing != nil {
		o.registry.MustRegister(o.Outgoing.collectors()...)
	}
	o.registry.MustRegister(slices.Concat(estimateMetrics(o.Accuracy), replicaMetrics(o.Replica),
		redisPool(o.RedisPool), o.Line.collectors(), o.Jobs.collectors(), o.Payments.collectors(),
		o.Webhooks.collectors())...)
}
