package webhooks

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
)

func TestDraft_Faults(t *testing.T) {
	t.Parallel()
	some := []string{"lunchgo.slot.closed", "lunchgo.reservation.held"}
	for url, want := range map[string]string{
		"https://example.com/hooks?key=1": "", "https://example.com:8443": "", "https://93.184.216.34/": "",
		"": "required", "https://example.com/" + strings.Repeat("a", MaxURL): "too_long", "example.com": "invalid_url",
		"https://": "invalid_url", "https://user:word@example.com/": "invalid_url",
		"https://example.com/#part": "invalid_url",
		"https:example.com":         "invalid_url", "https://example.com/a b": "invalid_url", "https://%zz": "invalid_url",
		"https://예시.한국/": "invalid_url", "http://example.com/": "https_only", "ftp://example.com/": "https_only",
		"https://localhost/": "private_address", "https://10.0.0.1/": "private_address", "https://[::1]/": "private_address",
		"https://[::ffff:8.8.8.8]/": "private_address", "https://LocalHost./": "private_address",
		"https://till.localhost:8443/": "private_address", "https://[fe80::1%25eth0]/": "private_address",
		"https://168.63.129.16/": "private_address", "https://example.com./": "", "https://example.com:443/": "",
		"https://xn--9n2bp8q.example:65535/": "", "https://a_b.example/": "",
		"https://example.com:22/": "invalid_port", "https://example.com:25/": "invalid_port",
		"https://example.com:80/": "invalid_port",
		"https://example.com:0/":  "invalid_url", "https://example.com:65536/": "invalid_url", "https://-/": "invalid_url",
		"https://a..b/": "invalid_url", "https://a-.example/": "invalid_url", "https://./": "invalid_url",
		"https://127.1/": "invalid_url", "https://2130706433/": "invalid_url", "https://0x7f000001/": "invalid_url",
		"https://a.0x7f.1/": "invalid_url", "https://example.com%0d%0a/": "invalid_url",
		"https://" + strings.Repeat("a", 64) + ".example/": "invalid_url", "https://example.com\r\nX: y/": "invalid_url",
	} {
		d := Draft{URL: url, Types: some}
		faults := d.check(false)
		switch {
		case want == "" && len(faults) > 0:
			t.Errorf("%q: %+v", url, faults)
		case want != "" && (len(faults) != 1 || faults[0].Reason != want || faults[0].Field != FieldURL):
			t.Errorf("%q: %+v, want %s", url, faults, want)
		}
	}
	d := Draft{URL: " http://127.0.0.1:1/ ", Description: " the  till ", Types: some}
	if faults := d.check(true); len(faults) > 0 || d.URL != "http://127.0.0.1:1/" || d.Description != "the till" ||
		!slices.Equal(d.Types, []string{some[1], some[0]}) {
		t.Errorf("%+v, %+v", d, faults)
	}
	for name, d := range map[string]Draft{
		FieldTypes:       {URL: "https://example.com", Types: append(some, "lunchgo.wallet.charged")},
		FieldDescription: {URL: "https://example.com", Types: some, Description: strings.Repeat("가", MaxDescription+1)},
	} {
		if faults := d.check(false); len(faults) != 1 || faults[0].Field != name {
			t.Errorf("%s: %+v", name, faults)
		}
	}
	if faults := new(Draft{URL: "https://example.com"}).check(false); len(faults) != 1 ||
		faults[0].Reason != "required" {
		t.Errorf("no types: %+v", faults)
	}
}

func TestPatch_ChangesWhatItNames(t *testing.T) {
	t.Parallel()
	is := Endpoint{URL: "https://a.example/", Description: "till", Types: []string{"lunchgo.slot.closed"}, State: Gone,
		FailingSince: time.Now()}
	e := is
	if err := (Patch{Description: new("door")}).apply(&e, false); err != nil || e.Description != "door" ||
		e.URL != is.URL || e.State != Gone {
		t.Errorf("%+v, %v", e, err)
	}
	if err := (Patch{State: new(Active)}).apply(&e, false); err != nil || e.State != Active ||
		!e.FailingSince.IsZero() {
		t.Errorf("%+v, %v", e, err)
	}
	var invalid *booking.InvalidError
	before := e
	if err := (Patch{State: new(Failing), URL: new("x")}).apply(&e, false); !errors.As(err, &invalid) ||
		len(invalid.Fields) != 2 || e.State != before.State {
		t.Errorf("%+v, %v", e, err)
	}
}

// Tries end: with a delivery, with a refusal for good, or when there were enough; pauses grow, and differ.
func TestJudge_PausesGrowUntilItGivesUp(t *testing.T) {
	t.Parallel()
	var sum, last time.Duration
	for tries := 1; tries < MaxTries(); tries++ {
		v := Judge(tries, Try{Status: 500})
		base := pauses()[tries-1]
		if v.State != Waiting || v.Pause < base || v.Pause >= base+base/5+1 || v.Gone {
			t.Errorf("after %d: %+v", tries, v)
		}
		if base < last {
			t.Errorf("pause %d falls to %s", tries, base)
		}
		last, sum = base, sum+base
	}
	if sum < 24*time.Hour || sum > GiveUp {
		t.Errorf("tries go on for %s", sum)
	}
	different := map[time.Duration]bool{}
	for range 20 {
		different[Judge(2, Try{Failure: FailureTimeout}).Pause] = true
	}
	if len(different) < 10 {
		t.Errorf("%d different pauses of 20", len(different))
	}
	for name, test := range map[string]struct {
		tries int
		try   Try
		want  Verdict
	}{
		"taken":     {MaxTries(), Try{Status: 204}, Verdict{State: Delivered}},
		"the last":  {MaxTries(), Try{Status: 302}, Verdict{State: Failed}},
		"gone":      {1, Try{Status: 410}, Verdict{State: Failed, Gone: true}},
		"never out": {MaxTries() + 5, Try{Failure: FailureConnect}, Verdict{State: Failed}},
	} {
		if got := Judge(test.tries, test.try); got != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTypes_AreNotOfWallets(t *testing.T) {
	t.Parallel()
	for _, name := range Types() {
		if !strings.HasPrefix(name, "lunchgo.reservation.") && !strings.HasPrefix(name, "lunchgo.slot.") {
			t.Errorf("%s can be asked for", name)
		}
	}
}
