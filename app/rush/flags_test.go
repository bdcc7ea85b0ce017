package rush

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func TestParseFlags(t *testing.T) {
	t.Parallel()
	o, err := ParseFlags(nil, io.Discard)
	dbtest.Must(t, err)
	if o.Diners != 2000 || o.Restaurants != 1 || o.Slots != 1 || o.Seats != 20 || o.Party != 2 || o.Instances != 1 ||
		len(o.URLs) != 0 ||
		o.JSON {
		t.Errorf("the defaults are %+v", o)
	}
	o, err = ParseFlags(strings.Fields(
		"--url http://a:1,https://b.example/ --ops http://a:2 --diners 10 --slots 3 --seats 40 --party 4 --timeout 20s --keep --json"), io.Discard)
	dbtest.Must(t, err)
	if !slices.Equal(o.URLs, []string{"http://a:1", "https://b.example/"}) ||
		!slices.Equal(o.Ops, []string{"http://a:2"}) || o.Diners != 10 || o.Slots != 3 || o.Seats != 40 ||
		o.Party != 4 || o.Timeout != 20*time.Second || !o.Keep || !o.JSON {
		t.Errorf("parsed %+v", o)
	}
}

// Slots are those of all restaurants together. Without the flag each restaurant has one.
func TestParseFlags_SlotsOfSeveralRestaurants(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int{
		"--diners 20000 --restaurants 50 --slots 2000": 2000,
		"--restaurants 50":            50,
		"--restaurants 2 --slots 192": 192,
	} {
		o, err := ParseFlags(strings.Fields(args), io.Discard)
		if err != nil || o.Slots != want {
			t.Errorf("%s: %d slots, %v; want %d", args, o.Slots, err, want)
		}
	}
}

func TestParseFlags_NamesEveryFault(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args string
		want []string
	}{
		{"--against spin,lottery", []string{
			`--against is retry, rowlock, spin, wakeall, cachefirst or all, not "lottery"`}},
		{"--against all --url http://a:1", []string{"without --url"}},
		{"--against all --keep", []string{"--keep"}},
		{"--diners 0 --seats -1 --timeout 0s", []string{"--diners is 1 to 50000, not 0", "--seats is 1 to", "--timeout"}},
		{"--party 0 --slots 97 --instances 0", []string{"--party", "--slots is 1 to 96, not 97", "--instances"}},
		{"--slots 0", []string{"--slots is 1 to 96, not 0: a restaurant has 1 to 96"}},
		{"--restaurants 50 --slots 4801", []string{"--slots is 50 to 4800, not 4801: a restaurant has 1 to 96"}},
		{"--restaurants 50 --slots 49", []string{"--slots is 50 to 4800, not 49"}},
		{"--restaurants 0", []string{"--restaurants is 1 to 1000, not 0"}},
		{"--boards -1", []string{"--boards is 0 to 1000, not -1"}},
		{"--diners many", []string{"-diners"}},
		{"--url localhost:8080", []string{`--url: an address is http(s)://host:port, not "localhost:8080"`}},
		{"--url http://host/path", []string{"--url"}},
		{"--url ftp://host", []string{"--url"}},
		{"--ops host:9090", []string{"--ops"}},
		{"--speed 9", []string{"-speed"}},
		{"now", []string{`"now"`}},
	}
	for _, test := range tests {
		_, err := ParseFlags(strings.Fields(test.args), io.Discard)
		if err == nil {
			t.Errorf("%s: no fault was found", test.args)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not name %q", test.args, err, want)
			}
		}
	}
}

const lowerCase = "abcdefghijklmnopqrstuvwxyz"

func TestHelp_DescribesEveryKeyOfTheReport(t *testing.T) {
	t.Parallel()
	var help bytes.Buffer
	if _, err := ParseFlags([]string{"--help"}, &help); !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("--help returned %v", err)
	}
	for _, key := range reportKeys {
		if key == "answerP95Ms" {
			continue // stands between P50 and P99
		}
		if !strings.Contains(help.String(), key) &&
			!strings.Contains(help.String(), "… "+strings.TrimLeft(key, lowerCase)) {
			t.Errorf("the help does not explain %s", key)
		}
	}
}
