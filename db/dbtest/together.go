package dbtest

import (
	"flag"
	"runtime"
	"strconv"
)

// WaitTogether lets more parallel tests of a package run at once than there are processors, because most of their time
// is spent waiting for servers. It is for TestMain, and leaves -parallel alone where somebody gives it.
func WaitTogether() {
	quietRedis()
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" || f.Name == "test.fuzz" })
	if asked {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err) // the flag is testing's own
	}
}
