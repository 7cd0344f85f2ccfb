// Package bench measures the paths of the engine beside yardsticks in the same
// run: a bare handler, a bare map, bare requests. `make bench` repeats the pairs
// in turn, and command ratios prints their medians and fails below a floor.
package bench
