//go:build failpoint

package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// armed is the place to die at; left counts the visits until then.
var (
	armed = sync.OnceValue(func() Place {
		place, visits, _ := strings.Cut(os.Getenv(Variable), ":")
		n, err := strconv.ParseInt(visits, 10, 64)
		if err != nil && place != "" {
			panic("failpoint: " + Variable + " is not PLACE:VISITS")
		}
		left.Store(n)
		return Place(place)
	})
	left atomic.Int64
)

// Hit kills the process when the environment says so. It does not return then.
func Hit(p Place) {
	if armed() != p || left.Add(-1) != 0 {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // the system is about to end it
}
