package rush

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"
)

// Report is what a rush has shown. Figures that could not be had are nil.
type Report struct {
	Diners      int      `json:"diners"`
	Slots       int      `json:"slots"`
	Tickets     int      `json:"tickets"`     // diners who stood in a line
	LineSeconds float64  `json:"lineSeconds"` // for which they did, all together
	Turns       *float64 `json:"turns"`       // in which they were served, by the metrics of the instances
	Answered    int      `json:"answered"`    // got a yes or a no
	Reserved    int      `json:"reserved"`
	SoldOut     int      `json:"soldOut"`
	// got neither in time, or a yes that is not in the database
	Failed         int `json:"failed"`
	Oversold       int `json:"oversold"`       // seats beyond capacity, the most at any time
	FIFOInversions int `json:"fifoInversions"` // diners served before somebody who had come earlier
	// the same as seen on the wire: by presses that went out after an answer
	WireInversions        int     `json:"wireInversions"`
	HTTPErrors            int     `json:"httpErrors"`       // broken connections and answers outside the contract
	LaterAnswersMost      int     `json:"laterAnswersMost"` // of them to one diner
	LaterAnswers          int     `json:"laterAnswers"`     // that asked a diner to come back later
	TotalSeconds          float64 `json:"totalSeconds"`     // from the first press to the last answer
	AnswerP50Ms           float64 `json:"answerP50Ms"`      // from a diner's own press to the answer
	AnswerP95Ms           float64 `json:"answerP95Ms"`
	AnswerP99Ms           float64 `json:"answerP99Ms"`
	ReservationsPerSecond float64 `json:"reservationsPerSecond"` // up to the last reservation
	// of the first estimate, for waits of a second or longer
	ETAErrorP50Percent *float64 `json:"etaErrorP50Percent"`
	// who saw a range with the first time that was named; who of them got the answer inside; its width, of waits of a
	// second or longer
	ETAFirstShownPercent    *float64 `json:"etaFirstShownPercent"`
	ETAFirstInRangePercent  *float64 `json:"etaFirstInRangePercent"`
	ETAFirstRangeP50Percent *float64 `json:"etaFirstRangeP50Percent"`
	// of the last thousand served, by the installation's own account
	ETAInRangePercent *float64 `json:"etaInRangePercent"`
	// width of those ranges after 2 s in line, of waits of a second or longer
	ETARangeP50Percent    *float64 `json:"etaRangeP50Percent"`
	MaxDBConnections      *int     `json:"maxDbConnections"` // most in use by one instance
	RedisCommandsPerDiner *float64 `json:"redisCommandsPerDiner"`
	RSSBytesPerWaiter     *int64   `json:"rssBytesPerWaiter"`

	// Of those who stood in a line: the longest time each was shown a position though the line had moved since, and the
	// time from the turn to the answer.
	PositionGapP99Ms     *float64 `json:"positionGapP99Ms"`
	PositionGapMaxMs     *float64 `json:"positionGapMaxMs"`
	AnswerAfterTurnP99Ms *float64 `json:"answerAfterTurnP99Ms"`
	AnswerAfterTurnMaxMs *float64 `json:"answerAfterTurnMaxMs"`

	// Processor time in milliseconds, from the first press to the last answer.
	ServerCPUMsPerDiner         *float64 `json:"serverCpuMsPerDiner"` // of all instances
	RedisCPUMsPerDiner          *float64 `json:"redisCpuMsPerDiner"`
	PostgresCPUMsPerDiner       *float64 `json:"postgresCpuMsPerDiner"`
	ServerCPUMsPerReservation   *float64 `json:"serverCpuMsPerReservation"`
	RedisCPUMsPerReservation    *float64 `json:"redisCpuMsPerReservation"`
	PostgresCPUMsPerReservation *float64 `json:"postgresCpuMsPerReservation"`
	RushCPUMsPerDiner           float64  `json:"rushCpuMsPerDiner"` // of the diners themselves

	// Bytes from the first press to the last answer.
	WALBytesPerDiner          *float64 `json:"walBytesPerDiner"`
	DatabaseBytesPerDiner     *float64 `json:"databaseBytesPerDiner"`    // by which the files grew
	RedisMemoryBytesPerDiner  *float64 `json:"redisMemoryBytesPerDiner"` // by which the most it ever held grew
	RedisNetworkBytesPerDiner *float64 `json:"redisNetworkBytesPerDiner"`

	// Time from the end of a turn to the beginning of the next one, as a multiple of an idle round trip to Redis.
	HandoffP50Pings *float64 `json:"handoffP50Pings"`
	HandoffP99Pings *float64 `json:"handoffP99Pings"`

	// BoardBytes is what came over the streams of open boards.
	BoardBytes int64 `json:"-"`

	answers   []time.Duration // how long each yes and no took, sorted
	overtaken int             // see the function of that name
	page      page            // in a comparison
	outcomes  outcomes        // of each diner
	decided   [][]Decision    // of each slot
	verdict   verdict

	// Notes say in words what is wrong, for people.
	Notes []string `json:"-"`
}

// Good says whether the installation has kept its promises.
func (r Report) Good() bool {
	return r.Oversold == 0 && r.FIFOInversions == 0 && r.WireInversions == 0 && r.Failed == 0 && r.HTTPErrors == 0
}

// Write writes a report as one JSON object, or as a table for people.
func Write(w io.Writer, report interface{ WriteTable(io.Writer) error }, asJSON bool) error {
	if !asJSON {
		return report.WriteTable(w)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

// WriteTable writes the report for people.
func (r Report) WriteTable(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", values...) }
	row("diners", "%d", r.Diners)
	row("answered", "%d: %d reserved, %d sold out", r.Answered, r.Reserved, r.SoldOut)
	row("failed", "%d", r.Failed)
	row("oversold", "%d", r.Oversold)
	row("out of order", "%d", r.FIFOInversions)
	row("out of order on the wire", "%d", r.WireInversions)
	row("HTTP errors", "%d", r.HTTPErrors)
	row("asked to come back later", "%d times, one diner %d times", r.LaterAnswers, r.LaterAnswersMost)
	row("time in all", "%.2f s", r.TotalSeconds)
	row("time to an answer", "%.0f ms (p50), %.0f ms (p95), %.0f ms (p99)", r.AnswerP50Ms, r.AnswerP95Ms, r.AnswerP99Ms)
	row("reservations", "%.0f a second", r.ReservationsPerSecond)
	row("error of the estimate", "%s", optional(r.ETAErrorP50Percent, "%.0f %% (p50)"))
	row("shown a range at once", "%s; %s in it; %s wide", optional(r.ETAFirstShownPercent, "%.0f %%"),
		optional(r.ETAFirstInRangePercent, "%.0f %%"), optional(r.ETAFirstRangeP50Percent, "%.0f %% of the wait (p50)"))
	row("served in the range shown", "%s", optional(r.ETAInRangePercent, "%.0f %%"))
	row("width of that range", "%s", optional(r.ETARangeP50Percent, "%.0f %% of the wait (p50)"))
	row("database connections", "%s", optional(r.MaxDBConnections, "%d at most"))
	row("Redis commands", "%s", optional(r.RedisCommandsPerDiner, "%.1f a diner"))
	row("memory", "%s", optional(r.RSSBytesPerWaiter, "%d bytes a waiting diner"))
	row("position out of date", "%s, %s", optional(r.PositionGapP99Ms, "%.0f ms (p99)"),
		optional(r.PositionGapMaxMs, "%.0f ms at most"))
	row("answer after the turn", "%s, %s", optional(r.AnswerAfterTurnP99Ms, "%.0f ms (p99)"),
		optional(r.AnswerAfterTurnMaxMs, "%.0f ms at most"))
	row("processor time a diner", "server %s, Redis %s, PostgreSQL %s, the diners themselves %.2f ms",
		optional(r.ServerCPUMsPerDiner, "%.2f ms"), optional(r.RedisCPUMsPerDiner, "%.2f ms"),
		optional(r.PostgresCPUMsPerDiner, "%.2f ms"), r.RushCPUMsPerDiner)
	row("processor time a reservation", "server %s, Redis %s, PostgreSQL %s",
		optional(r.ServerCPUMsPerReservation, "%.2f ms"), optional(r.RedisCPUMsPerReservation, "%.2f ms"),
		optional(r.PostgresCPUMsPerReservation, "%.2f ms"))
	row("bytes a diner", "WAL %s, database %s, memory of Redis %s, to and from Redis %s",
		optional(r.WALBytesPerDiner, "%.0f"), optional(r.DatabaseBytesPerDiner, "%.0f"),
		optional(r.RedisMemoryBytesPerDiner, "%.0f"), optional(r.RedisNetworkBytesPerDiner, "%.0f"))
	row("hand-off of a turn", "%s, %s", optional(r.HandoffP50Pings, "%.1f idle pings (p50)"),
		optional(r.HandoffP99Pings, "%.1f (p99)"))
	if r.BoardBytes > 0 {
		row("boards of staff", "%.1f MB", float64(r.BoardBytes)/1e6)
	}
	for _, note := range r.Notes {
		row("!", "%s", note)
	}
	return table.Flush()
}

func optional[T any](value *T, format string) string {
	if value == nil {
		return "not known"
	}
	return fmt.Sprintf(format, *value)
}

// known is nil for a figure that could not be had, else the figure.
func known(value float64) *float64 { return knownTo(2, value) }

// knownTo is known with so many digits behind the point.
func knownTo(digits int, value float64) *float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	unit := math.Pow10(digits)
	value = math.Round(value*unit) / unit
	return &value
}

// rounded leaves two digits behind the point: what comes after them differs from run to run.
func rounded(value float64) float64 { return math.Round(value*100) / 100 }
