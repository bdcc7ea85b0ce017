package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"lunchgo/app/rush"
	"lunchgo/db/dbtest"
)

func TestMemoryLimit_IsAShareOfWhatTheProcessMayUse(t *testing.T) {
	t.Parallel()
	const gb = 1 << 30
	const machine = "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"not Linux", nil, 0},
		{"a machine", map[string]string{"proc/meminfo": machine}, 4 * gb},
		{"not to be read", map[string]string{"proc/meminfo": "MemAvailable: much kB\n", "proc/self/cgroup": "0\n"}, 0},
		{"a container that sees its group as the root", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, gb * 3 / 4},
		{"the path is that outside the container", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/docker/1a2b\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, gb * 3 / 4},
		{"a service in a narrower slice", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/app.slice/lunchgo.service\n",
			"sys/fs/cgroup/app.slice/lunchgo.service/memory.max": "2147483648\n",
			"sys/fs/cgroup/app.slice/memory.max":                 "1073741824\n"}, gb * 3 / 4},
		{"a group without a limit", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, 4 * gb},
		{"more than the machine has", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "17179869184\n"}, 4 * gb},
		{"version 1", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/a\n0::/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n"}, gb * 3 / 4},
		{"version 1 without a limit", map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "4:memory:/a\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 4 * gb},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			system := fstest.MapFS{}
			for name, text := range test.files {
				system[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := memoryLimit(system); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

// The pace of a server is to be read from its metrics; one that the operator has chosen stays.
func TestServe_CollectsGarbageLessOften(t *testing.T) {
	t.Parallel()
	if memoryLimit(os.DirFS("/")) == 0 {
		t.Skip("it is not known how much memory there is")
	}
	c := installation(t)
	for _, test := range []struct{ setting, want string }{
		{"GOGC=", "go_gc_gogc_percent 400"},
		{"GOGC=150", "go_gc_gogc_percent 150"},
		{"GOMEMLIMIT=1GiB", "go_gc_gogc_percent 100"},
	} {
		instances, err := rush.StartInstances(t.Context(), 1, func(at rush.Addresses) *exec.Cmd {
			cmd := exec.Command(os.Args[0], "serve")
			cmd.Env = append(os.Environ(), "ADDR="+at.Site, "OPS_ADDR="+at.Ops, "DATABASE_URL="+c.DatabaseURL,
				"REDIS_URL="+c.RedisURL, "SECRET="+string(c.Secret), "DEMO=false", "OPERATOR_LINK=false",
				"LOG_LEVEL=ERROR", "GOGC=", "GOMEMLIMIT=", test.setting)
			return cmd
		})
		dbtest.Must(t, err)
		if metrics := download(t, instances[0].Ops+"/metrics"); !strings.Contains(metrics, "\n"+test.want+"\n") {
			t.Errorf("%s: the metrics do not say %s", test.setting, test.want)
		}
		instances.End()
		if err := instances.RemoveLogs(); err != nil {
			t.Error(err)
		}
	}
}

func download(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	dbtest.Must(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	dbtest.Must(t, err)
	return string(text)
}
