package crash_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	kills = flag.Int("kills", 25, "how often the server of each store is killed")
	seed  = flag.Uint64("seed", 0, "what the run is drawn from; 0 draws it too")
	raced = flag.Bool("raced", false, "whether the servers have the race detector")
)

// beside is how many tests run at a time: they wait for leases, keys and clocks most of their time.
const beside = "6"

// program is the command, built so that it dies at named places.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", beside); err != nil {
		panic(err)
	}
	if *seed == 0 {
		*seed = rand.Uint64N(1 << 32)
	}
	os.Exit(withBinary(m.Run))
}

// withBinary builds the command for as long as the tests run.
func withBinary(run func() int) int {
	folder, err := os.MkdirTemp("", "ferry-crash-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program = filepath.Join(folder, "ferry")
	build := exec.Command("go", "build", fmt.Sprintf("-race=%t", *raced), "-tags", "failpoint", "-o", program, "../../cmd/ferry")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%s\n%s", err, out))
	}
	return run()
}
