package dbtest

import (
	"flag"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// WaitTogether lets more parallel tests of a package run at once than there are processors, because most of their time
// is spent waiting for servers. It is for TestMain, or for what runs before, and leaves -parallel alone where somebody
// gives it.
func WaitTogether() {
	quietRedis()
	testing.Init()
	asked := func(arg string) bool {
		return strings.HasPrefix(arg, "-test.parallel") || strings.HasPrefix(arg, "-test.fuzz")
	}
	if slices.ContainsFunc(os.Args, asked) {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err) // the flag is testing's own
	}
}
