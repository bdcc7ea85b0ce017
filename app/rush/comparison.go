package rush

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Designs are the names of the designs that a rush can be repeated against; package against has them.
var Designs = []string{"retry", "rowlock", "spin", "wakeall", "cachefirst"}

// allDesigns stands for all of Designs.
const allDesigns = "all"

// checkAgainst returns an error for a design that is unknown, and for what a comparison cannot have.
func (o Options) checkAgainst() error {
	if len(o.Against) == 0 {
		return nil
	}
	var faults []error
	for _, name := range o.Against {
		if !slices.Contains(Designs, name) {
			faults = append(faults, fmt.Errorf("--against is %s or %s, not %q", strings.Join(Designs, ", "), allDesigns,
				name))
		}
	}
	if len(o.URLs) > 0 || o.Keep || o.Boards > 0 || o.Browsers {
		faults = append(faults,
			errors.New("--against starts all that it compares: without --url, --keep, --boards and --browsers"))
	}
	return errors.Join(faults...)
}

// Row is what a rush to one design has shown. Figures that could not be had are nil.
type Row struct {
	Design    string `json:"design"`
	Diners    int    `json:"diners"`
	Answered  int    `json:"answered"` // got a yes or a no
	Reserved  int    `json:"reserved"` // got a yes
	GaveUp    int    `json:"gaveUp"`   // got neither, or a yes that is not in the database
	Overtaken int    `json:"overtaken"`
	Oversold  int    `json:"oversold"`
	// of the yes and the no, from the first press
	AnswerP50Ms           float64  `json:"answerP50Ms"`
	AnswerP99Ms           float64  `json:"answerP99Ms"`
	Within3sPercent       float64  `json:"within3sPercent"` // of all diners
	Within5sPercent       float64  `json:"within5sPercent"`
	PageP50Ms             float64  `json:"pageP50Ms"` // of another page meanwhile
	PageMaxMs             float64  `json:"pageMaxMs"`
	PageRefused           int      `json:"pageRefused"`
	MaxDBConnections      *int     `json:"maxDbConnections"`
	RedisCommandsPerDiner *float64 `json:"redisCommandsPerDiner"`
	ServerCPUMsPerDiner   *float64 `json:"serverCpuMsPerDiner"`
	RedisCPUMsPerDiner    *float64 `json:"redisCpuMsPerDiner"`
	PostgresCPUMsPerDiner *float64 `json:"postgresCpuMsPerDiner"`
}

// NewRow takes what the report of a rush says about a design.
func NewRow(design string, r Report) Row {
	within := func(limit time.Duration) float64 {
		n, _ := slices.BinarySearch(r.answers, limit+1)
		return rounded(100 * float64(n) / float64(r.Diners))
	}
	return Row{
		Design: design, Diners: r.Diners, Answered: r.Answered, Reserved: r.Reserved, GaveUp: r.Failed,
		Overtaken: r.overtaken, Oversold: r.Oversold,
		AnswerP50Ms: milliseconds(percentile(r.answers, 50)), AnswerP99Ms: milliseconds(percentile(r.answers, 99)),
		Within3sPercent: within(3 * time.Second), Within5sPercent: within(5 * time.Second),
		PageP50Ms: milliseconds(percentile(r.page.took, 50)), PageMaxMs: milliseconds(percentile(r.page.took, 100)),
		PageRefused:      r.page.refused,
		MaxDBConnections: r.MaxDBConnections, RedisCommandsPerDiner: r.RedisCommandsPerDiner,
		ServerCPUMsPerDiner: r.ServerCPUMsPerDiner, RedisCPUMsPerDiner: r.RedisCPUMsPerDiner,
		PostgresCPUMsPerDiner: r.PostgresCPUMsPerDiner,
	}
}

// Comparison is what the same rush has shown of several designs.
type Comparison struct {
	Rows []Row `json:"rows"`
}

// WriteTable writes the comparison for people.
func (c Comparison) WriteTable(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "design\tanswered\treserved\tgave up\tovertaken\toversold\tp50\tp99\twithin 3 s\twithin 5 s\t"+
		"other page\tconnections\tRedis commands\tprocessor time a diner: server + Redis + PostgreSQL")
	for _, r := range c.Rows {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t", r.Design, r.Answered, r.Reserved, r.GaveUp, r.Overtaken,
			r.Oversold)
		fmt.Fprintf(table, "%.0f ms\t%.0f ms\t%.0f %%\t%.0f %%\t%s\t", r.AnswerP50Ms, r.AnswerP99Ms, r.Within3sPercent,
			r.Within5sPercent, r.otherPage())
		fmt.Fprintf(table, "%s\t%s\t%s\n", optional(r.MaxDBConnections, "%d"),
			optional(r.RedisCommandsPerDiner, "%.1f"), r.cpu())
	}
	return table.Flush()
}

// otherPage writes how long the other page took.
func (r Row) otherPage() string {
	text := fmt.Sprintf("%.0f ms, %.0f at most", r.PageP50Ms, r.PageMaxMs)
	if r.PageRefused > 0 {
		text += fmt.Sprintf(", %d refused", r.PageRefused)
	}
	return text
}

// cpu writes the processor times of a diner, and their sum.
func (r Row) cpu() string {
	times := []*float64{r.ServerCPUMsPerDiner, r.RedisCPUMsPerDiner, r.PostgresCPUMsPerDiner}
	if slices.Contains(times, nil) {
		return optional[float64](nil, "")
	}
	server, redis, postgres := *times[0], *times[1], *times[2]
	return fmt.Sprintf("%.2f + %.2f + %.2f = %.2f ms", server, redis, postgres, server+redis+postgres)
}
