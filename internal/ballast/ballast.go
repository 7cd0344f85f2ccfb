// Package ballast is for programs that serve. The live memory of a server on a database is a few
// megabytes, so the garbage collector would run after every few megabytes of garbage: a tenth of the
// processor time of a busy server.
package ballast

import "os"

// size is how much garbage there may be, at least, before it is collected.
const size = 64 << 20

// Take returns memory that is never touched, so no page of it is resident. While it is reachable, the
// collector waits for as much garbage. It is empty when the environment has GOGC or GOMEMLIMIT:
// then the operator has decided.
func Take() []byte {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if os.Getenv(name) != "" {
			return nil
		}
	}
	return make([]byte, size)
}
