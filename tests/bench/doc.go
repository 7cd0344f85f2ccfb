// Package bench measures the paths of the engine beside yardsticks in the same
// run: a bare handler, a bare map, bare requests. What a request costs is measured
// as the processor time of a server in a process of its own. `make bench` repeats the pairs
// in turn, and command ratios prints their medians and fails below a floor.
package bench
