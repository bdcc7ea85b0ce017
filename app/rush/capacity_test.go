package rush

import "testing"

func TestProcesses_AreAsManyAsConnectionsNeed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ diners, each, want int }{{1, 10, 1}, {10, 10, 1}, {11, 10, 2}, {50_000, 19_000, 3}} {
		o := Options{Diners: test.diners, PerProcess: test.each}
		if got := o.processes(nil); got != test.want {
			t.Errorf("%d diners, %d a process: %d processes, want %d", test.diners, test.each, got, test.want)
		}
	}
	if got := (Options{Diners: 1}).processes(nil); got != 1 {
		t.Errorf("one diner needs %d processes", got)
	}
}

func TestSourceOf_GivesTheLoopbackMorePorts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address string
		i       int
		want    string
	}{
		{"127.0.0.1:8080", 0, ""},
		{"127.0.0.1:8080", perSource - 1, ""},
		{"127.0.0.1:8080", perSource, "127.0.0.2"},
		{"localhost:8080", 2 * perSource, "127.0.0.3"},
		{"192.0.2.1:8080", perSource, ""}, // we do not know what other addresses the machine has
		{"lunch.example:443", perSource, ""},
		{"[::1]:8080", perSource, ""},
	} {
		if got := sourceOf(server{address: test.address}, test.i); got != test.want {
			t.Errorf("diner %d of %s connects from %q, want %q", test.i, test.address, got, test.want)
		}
	}
}

func TestSplit_DealsEveryDinerOnce(t *testing.T) {
	t.Parallel()
	whole := plan{URLs: []string{"http://a"}}
	for i := range 10 {
		whole.Diners = append(whole.Diners, planned{Slot: i})
	}
	seen := map[int]bool{}
	for _, p := range split(whole, 3) {
		if len(p.URLs) != 1 || len(p.Diners) < 3 {
			t.Errorf("a part is %+v", p)
		}
		for _, d := range p.Diners {
			seen[d.Slot] = true
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d diners have a part, want 10", len(seen))
	}
}
