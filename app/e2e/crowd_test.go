package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/lineup"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// crowdOfMany is the rush of a trial: six slots, with tables for three in five of those who want one.
var crowdOfMany = struct{ diners, slots, tables, held, waiting int }{diners: 1500, slots: 6, tables: 150, held: 2,
	waiting: 150}

// rushReport is what "lunchgo rush --json" says, as far as trials judge it.
type rushReport struct {
	Diners, Reserved, SoldOut, Failed, Oversold, FIFOInversions, WireInversions, HTTPErrors, LaterAnswers int
	TotalSeconds, AnswerP50Ms, AnswerP99Ms                                                                float64
	RedisCommandsPerDiner, RedisCPUMsPerDiner, PostgresCPUMsPerDiner                                      *float64
}

// rush has a crowd press over a time, through the proxy. Two of its lines are held until during has returned, which is
// called once many stand in them; so whatever during does happens to people who press, wait and watch.
func (b *balanced) rush(over time.Duration, during func()) rushReport {
	b.t.Helper()
	const newest = `SELECT coalesce(max(id), 0) FROM restaurants WHERE shadow`
	before, proxy := b.number(newest), processTime(b.pid())
	ended := b.startRush(over)
	dbtest.Eventually(b.t, "the crowd's restaurant is open", func() bool { return b.number(newest) > before })
	var lines []locks.Name
	for i := range crowdOfMany.held {
		lines = append(lines, shadowLine(b.number(newest), i))
	}
	var held []*rivals
	for _, line := range lines {
		held = append(held, b.holdLineOf(line, 0))
	}
	crowd := locks.NewClient(b.redis, locks.Config{Prefix: "lunchgo:"})
	b.t.Cleanup(func() { _ = crowd.Close(b.t.Context()) })
	dbtest.Eventually(b.t, "many wait", func() bool {
		lengths, err := crowd.Lengths(b.t.Context(), lines)
		dbtest.Must(b.t, err)
		n := 0
		for _, length := range lengths {
			n += length
		}
		return n >= crowdOfMany.waiting
	})
	during()
	for _, line := range held {
		line.leave()
	}
	report := <-ended
	b.t.Logf("%+v\nthe proxy: %s of processor time, %+v", report, processTime(b.pid())-proxy, b.servers())
	b.judge(report, b.number(newest))
	return report
}

// processTime is the processor time that a process has used so far; zero where the system does not say.
func processTime(pid string) time.Duration {
	const ticks, user, system = 100, 11, 12 // a second; fields behind the name of the program
	stat, _ := os.ReadFile("/proc/" + pid + "/stat")
	_, behind, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(behind)
	if len(fields) <= system {
		return 0
	}
	in, _ := strconv.Atoi(fields[user])
	under, _ := strconv.Atoi(fields[system])
	return time.Duration(in+under) * time.Second / ticks
}

// shadowLine is the line of the i-th slot of a restaurant that was opened just now: they begin in an hour.
func shadowLine(restaurant int64, i int) locks.Name {
	const each = 15 * time.Minute
	at := time.Now().Add(time.Hour).Truncate(each).Add(each * time.Duration(i+1)).In(seoul)
	return lineup.OfSlot(booking.SlotKey{RestaurantID: restaurant, Date: booking.Date(at.Format(time.DateOnly)),
		Time: booking.TimeOfDay(at.Format("15:04"))})
}

// startRush starts the product's own load test; what it found comes when all have their answers.
func (b *balanced) startRush(over time.Duration) <-chan rushReport {
	b.t.Helper()
	cmd := exec.Command(b.path,
		strings.Fields(fmt.Sprintf("rush --json --keep --timeout 4m --url %s --over %s --diners %d --slots %d "+
			"--seats %d --party 2", b.url, over, crowdOfMany.diners, crowdOfMany.slots, 2*crowdOfMany.tables))...)
	cmd.Env = append(environment(b.databaseURL, b.redisServer.URL, "127.0.0.1:0"), b.settings...)
	cmd.SysProcAttr = dieWithUs()
	out, faults := &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, faults
	dbtest.Must(b.t, cmd.Start())
	ended := make(chan rushReport, 1)
	go func() {
		var report rushReport
		err := cmd.Wait()
		if parseErr := json.Unmarshal(out.Bytes(), &report); parseErr != nil || err != nil {
			b.t.Logf("lunchgo rush: %v, %v\n%.8000s", err, parseErr, faults)
		}
		ended <- report
	}()
	return ended
}

// judge holds the report, and the database behind it, to what is promised whatever happens to instances.
func (b *balanced) judge(r rushReport, restaurant int64) {
	b.t.Helper()
	tables := crowdOfMany.slots * crowdOfMany.tables
	if r.Diners != crowdOfMany.diners || r.Reserved != tables || r.SoldOut != r.Diners-tables || r.Failed > 0 {
		b.t.Errorf("%d have a table, %d none, %d no answer; want %d tables", r.Reserved, r.SoldOut, r.Failed, tables)
	}
	if r.Oversold > 0 {
		b.t.Errorf("%d seats are oversold", r.Oversold)
	}
	const of = ` FROM reservations r JOIN slots s ON s.id = r.slot_id WHERE s.restaurant_id = $1`
	if n, people := b.number(`SELECT count(*)`+of, restaurant),
		b.number(`SELECT count(DISTINCT r.user_id)`+of, restaurant); n != int64(tables) ||
		people != n {
		b.t.Errorf("there are %d reservations of %d people, want %d", n, people, tables)
	}
	b.run("audit")
}

// mustKeepOrder fails the test if somebody was overtaken, by the numbers of the line or as seen on the wire.
func (r rushReport) mustKeepOrder(t *testing.T) {
	t.Helper()
	if r.FIFOInversions > 0 || r.WireInversions > 0 {
		t.Errorf("%d and %d are out of order", r.FIFOInversions, r.WireInversions)
	}
}

// mustNotFail fails the test if somebody was overtaken, or a client saw a request fail, was asked to come back later,
// or had its stream break.
func (r rushReport) mustNotFail(t *testing.T) {
	t.Helper()
	r.mustKeepOrder(t)
	if r.HTTPErrors > 0 || r.LaterAnswers > 0 {
		t.Errorf("%d requests and streams failed, %d were put off", r.HTTPErrors, r.LaterAnswers)
	}
}
